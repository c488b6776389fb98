#!/usr/bin/env python3
"""Which wrong rules of a release does tinygrad's own fuzzer find, and when; beside it `uproof drill`.

    bench/peers/drill.py PATH [--seconds N] [--limit N] [--seed S] [--correct] [--uproof build/uproof]

PATH is a checkout of tinygrad 0.11.0 with its tests. Its test/external/fuzz_symbolic.py makes graphs and asks
Z3 for N seconds of processor time (default 600), but goes on behind a failure, with its div/mod flag off as in
the release, or on (--correct, as that file has it). Each failure is given to `uproof check` in ideal, which
blames a rule. Then `uproof drill --limit-seconds` (--limit, default 60) looks for the rules that the profile's
texts mark as wrong in ideal; the table has a line a rule, those that the fuzzer alone met too: processor
seconds until each has shown it. Exit status 3, with one line, where something is missing.
"""
import argparse, json, os, random, subprocess, sys, time
from fuzz_symbolic import ask, load, missing


def failures(fuzzer, seconds, correct):
  """(seconds, tree) of each graph that Z3 tells from its simplification; and what became of all. Ctrl-C ends it."""
  found, count, start = [], {"sat": 0, "unsat": 0, "unknown": 0, "raised": 0}, time.process_time()
  spent = lambda: time.process_time() - start
  try:
    while spent() < seconds:
      try: answer, graph = ask(fuzzer, correct)
      except Exception: answer, graph = "raised", None
      count[str(answer)] += 1
      if str(answer) == "sat": found.append((spent(), str(graph)))
  except KeyboardInterrupt: pass
  return found, {**count, "seconds": spent()}


def rules_of(uproof, profile, tree):
  """The rules that uproof blames for the graph, without its reduction."""
  done = subprocess.run([uproof, "check", "--profile", profile, "--no-reduce", "-"], input=tree, text=True,
                        capture_output=True)
  if done.returncode not in (0, 1, 3): missing(f"{uproof} check: {done.stderr.strip()}")
  return {row["rule"] or "unknown" for row in map(json.loads, done.stdout.splitlines())}


def drill(uproof, profile, limit):
  done = subprocess.run([uproof, "drill", "--profile", profile, "--frame", "ideal", "--json", "--limit-seconds",
                         str(limit)], text=True, capture_output=True)
  if done.returncode not in (0, 1): missing(f"{uproof} drill: {done.stderr.strip()}")
  return {row["rule"]: row.get("seconds") for row in map(json.loads, done.stdout.splitlines())}


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("path")
  p.add_argument("--seconds", type=int, default=600)
  p.add_argument("--limit", type=int, default=60)
  p.add_argument("--seed", type=int, default=1)
  p.add_argument("--correct", action="store_true")
  p.add_argument("--uproof", default="build/uproof")
  a = p.parse_args()
  if not os.path.exists(a.uproof): missing(f"{a.uproof} is not there: make")
  fuzzer = load(a.path)
  random.seed(a.seed)
  profile = "v0.11.0:correct-divmod" if a.correct else "v0.11.0"
  found, count = failures(fuzzer, a.seconds, a.correct)
  peer, unseen = {}, 0
  for when, tree in found:
    rules = rules_of(a.uproof, profile, tree)
    unseen += not rules
    for rule in rules: peer.setdefault(rule, when)
  ours = drill(a.uproof, profile, a.limit)
  graphs = sum(count[k] for k in ("sat", "unsat", "unknown", "raised"))
  text = lambda seconds: "-" if seconds is None else f"{seconds:.2f}"
  print(f"{'rule':30} {'uproof':>8} {'peer':>8}")
  late = lambda rule: (ours.get(rule) is None, ours.get(rule) or 0)
  for rule in sorted(set(ours) | set(peer), key=late):
    print(f"{rule:30} {text(ours.get(rule)):>8} {text(peer.get(rule)):>8}")
  print(f"{profile}: {graphs} graphs in {count['seconds']:.0f} s, {count['sat']} differ, "
        f"{count['unknown']} undecided, {count['raised']} raised; {unseen} that differ show nothing to uproof",
        file=sys.stderr)


if __name__ == "__main__":
  main()
