#!/usr/bin/env python3
"""Speed of tinygrad's own fuzzer, test/external/fuzz_symbolic.py, which asks Z3 about each graph; one core.

    bench/peers/fuzz_symbolic.py PATH [--runs N] [--seed S]

PATH is a checkout of tinygrad 0.11.0 with its tests. The graphs are made by that file's generator, simplified
with its flag for correct div/mod folding, turned into terms by tinygrad and given to Z3 with that file's limit
of 5 seconds a graph. Processor time of all of that but the imports; it prints graphs/s and what Z3 left open.
Exit status 3, with one line, where the z3 module (Debian: python3-z3) or the file is not here.
"""
import argparse, contextlib, importlib.util, os, random, sys, time


def missing(what):
  print(what, file=sys.stderr)
  sys.exit(3)


def load(path):
  """The fuzzer's module. Its seed is random and printed: neither is kept."""
  file = os.path.join(path, "test", "external", "fuzz_symbolic.py")
  if not os.path.exists(file): missing(f"{path}: no test/external/fuzz_symbolic.py in it")
  try: import z3  # noqa: F401
  except ImportError: missing("no z3 module (Debian: python3-z3) for this python3")
  sys.path.insert(0, path)
  spec = importlib.util.spec_from_file_location("fuzz_symbolic", file)
  fuzzer = importlib.util.module_from_spec(spec)
  with contextlib.redirect_stdout(None): spec.loader.exec_module(fuzzer)
  return fuzzer


LIMITS = [*range(1, 10), 16, 32, 64, 128, 256]


def ask(fuzzer, correct):
  """Z3's answer to "does a random graph differ from its simplification?", and the graph. correct: with the
  flag of the release that turns off its wrong div/mod folding."""
  import z3
  from tinygrad.helpers import Context
  from tinygrad.uop.ops import graph_rewrite
  variables = [fuzzer.Variable(f"v{i}", 0, random.choice(LIMITS)) for i in (1, 2, 3)]
  fuzzer.v = variables
  graph = fuzzer.random_int_expr(6)
  with Context(CORRECT_DIVMOD_FOLDING=int(correct)): result = graph.simplify()
  solver = z3.Solver()
  solver.set(timeout=5000)
  terms = graph_rewrite(graph.sink(result, *variables), fuzzer.z3_renderer, ctx=(solver, {})).src
  return solver.check(terms[0].arg != terms[1].arg), graph


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("path")
  p.add_argument("--runs", type=int, default=1000)
  p.add_argument("--seed", type=int, default=1)
  a = p.parse_args()
  if a.runs < 1: p.error("--runs must be at least 1")
  fuzzer = load(a.path)
  random.seed(a.seed)
  count, start = {"sat": 0, "unsat": 0, "unknown": 0}, time.process_time()
  for _ in range(a.runs): count[str(ask(fuzzer, True)[0])] += 1
  seconds = time.process_time() - start
  print(f"fuzz_symbolic.py: {a.runs} graphs, {a.runs / seconds:.1f} graphs/s, {count['unsat']} proved, "
        f"{count['sat']} differ, {count['unknown']} undecided")


if __name__ == "__main__":
  main()
