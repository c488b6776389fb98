#!/usr/bin/env python3
"""Speed of tinygrad's simplify in CPython over files of graphs, one core.

    bench/peers/tinygrad.py PATH [--runs N] FILE.jsonl[.gz]...

PATH is a checkout of tinygrad 0.10.0 or 0.11.0. Every graph is rebuilt from its row before it is timed
and dropped after it, so that no result is remembered; only UOp.simplify is timed, as bench/simplify
times only up_simplify, in processor time. One run warms up, then the median of N runs is printed, one
line a file. Graphs on which tinygrad raises are reported and left out of the rate: a rewrite that never
ends takes it seconds to notice. So are rows that it has no op or dtype for.
"""
import argparse, gzip, json, os, statistics, sys, time


def load(path):
  """The modules of either release: Ops, UOp, dtypes, and whether a RANGE has a start."""
  if not os.path.isdir(os.path.join(path, "tinygrad")):
    sys.exit(f"{path}: no tinygrad package in it")
  sys.path.insert(0, path)
  new = os.path.exists(os.path.join(path, "tinygrad", "uop", "ops.py"))
  if new:
    from tinygrad.uop.ops import Ops, UOp
    import tinygrad.uop.symbolic  # noqa: F401  its import is not what is measured
  else:
    from tinygrad.ops import Ops, UOp
  from tinygrad.dtype import dtypes
  return Ops, UOp, dtypes, not new


class Builder:
  def __init__(self, path):
    self.Ops, self.UOp, self.dtypes, self.old = load(path)

  def dtype(self, text):
    pointer, text = text.startswith("ptr."), text.removeprefix("ptr.")
    name, _, count = text.partition(".vec")
    d = getattr(self.dtypes, name)
    if count: d = d.vec(int(count))
    return d.ptr() if pointer else d

  def arg(self, op, a):
    if isinstance(a, list): return tuple(self.arg(op, x) for x in a)
    if not isinstance(a, str): return a
    if op in ("CONST", "VCONST"): return float(a) if a in ("inf", "-inf", "nan") else int(a)
    return int(a) if a.lstrip("-").isdigit() and len(a) > 18 else a

  def graph(self, rows):
    """The root; KeyError or AttributeError where the release lacks an op or a dtype."""
    nodes = []
    for op, dtype, src, arg in rows:
      d, s, a = self.dtype(dtype), tuple(nodes[i] for i in src), self.arg(op, arg)
      if op == "RANGE" and self.old: s, a = (self.UOp.const(d, 0), *s), (a, False)
      nodes.append(self.UOp(self.Ops[op], d, s, a))
    return nodes[-1]


def read(file):
  with (gzip.open if file.endswith(".gz") else open)(file, "rt") as f:
    return [row["nodes"] for row in map(json.loads, f) if "nodes" in row]


def run(build, rows):
  """Seconds, graphs and nodes of what simplifies; rows that can't be built, graphs that raise."""
  seconds, graphs, nodes, unread, raised = 0.0, 0, 0, 0, 0
  for row in rows:
    try: root = build.graph(row)
    except (KeyError, AttributeError):
      unread += 1
      continue
    start = time.process_time()
    try: root.simplify()
    except Exception:
      raised += 1
      continue
    seconds += time.process_time() - start
    graphs, nodes = graphs + 1, nodes + len(row)
  return seconds, graphs, nodes, unread, raised


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("path")
  p.add_argument("--runs", type=int, default=3)
  p.add_argument("files", nargs="+")
  a = p.parse_args()
  if a.runs < 1: p.error("--runs must be at least 1")
  build = Builder(a.path)
  for file in a.files:
    rows = read(file)
    if run(build, rows)[1] == 0: sys.exit(f"{file}: no graph that this release simplifies")
    results = [run(build, rows) for _ in range(a.runs)]
    seconds = statistics.median(r[0] for r in results)
    _, graphs, nodes, unread, raised = results[0]
    print(f"{os.path.basename(file)}: {graphs} graphs, {graphs / seconds:.0f} graphs/s, {nodes / seconds:.0f} nodes/s, "
          f"{raised} raised, {unread} rows not read")


if __name__ == "__main__":
  main()
