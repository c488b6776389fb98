#!/usr/bin/env python3
"""tinygrad as the engine under test: uproof check --adapter 'adapters/tinygrad.py PATH' FILE...

PATH is a checkout of tinygrad: 0.10.0, 0.11.0, 0.13.0, or as it is today. What it answers is its own
UOp.simplify and UOp._min_max of the very graph, and of each rewrite the place of the pattern in its
source. The protocol is in adapters/README.md.

Ops that only one side has are said in ops that both have, where that is exact; what is not is
"not-covered". Newer tinygrads do index arithmetic in a dtype without width: their weakint is uproof's int
(the frame that fits is ideal). Their // is FLOORDIV, which uproof fuzz --floor makes.

With --record it writes what golden compares a model with, for any graphs:

    uproof fuzz --profile v0.11.0 --json --show 1-20000 | adapters/tinygrad.py PATH --record >rows.jsonl
    uproof golden --profile v0.11.0 rows.jsonl
"""
import argparse, functools, json, os, re, signal, sys

STEPS = 20000  # rewrites of one simplification; tinygrad sets no limit
OURS = {"int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "long",
        "uint64": "ulong", "float16": "half", "float32": "float", "float64": "double"}
THEIRS = {"CDIV": "IDIV", "CMOD": "MOD", "RECIPROCAL": "RECIP"}
PLAIN = {"ADD", "MUL", "SUB", "IDIV", "MOD", "MAX", "SHL", "SHR", "AND", "OR", "XOR", "CMPLT", "CMPNE", "CMPEQ", "WHERE", "NEG", "MULACC",
         "THREEFRY", "FDIV", "POW", "EXP2", "LOG2", "SIN", "SQRT", "RECIP", "TRUNC", "SINK", "VECTORIZE", "BITCAST", "GEP",
         "FLOORDIV", "FLOORMOD"}


class NotCovered(Exception): pass
class TooManySteps(Exception): pass


def version(path):
  for file in ("pyproject.toml", "setup.py"):
    if not os.path.exists(name := os.path.join(path, file)): continue
    with open(name) as f: found = re.search(r"^\s*version\s*=\s*['\"]([^'\"]+)", f.read(), re.M)
    if found: return found[1]
  return "unknown"


class Tinygrad:
  """The package, whichever release it is."""
  def __init__(self, path):
    if not os.path.isdir(os.path.join(path, "tinygrad")): sys.exit(f"{path}: no tinygrad package in it")
    sys.path.insert(0, path)
    if os.path.exists(os.path.join(path, "tinygrad", "uop", "ops.py")):
      import tinygrad.uop.ops as ops
      import tinygrad.uop.symbolic  # noqa: F401
    else: import tinygrad.ops as ops
    from tinygrad.dtype import dtypes
    self.ops, self.Ops, self.UOp, self.dtypes = ops, ops.Ops, ops.UOp, dtypes
    self.name = "tinygrad " + version(path)
    self.weak = getattr(dtypes, "weakint", None)
    self.start = not os.path.exists(os.path.join(path, "tinygrad", "uop", "ops.py"))  # a RANGE has one

  def op(self, name):
    for theirs, ours in THEIRS.items():
      if ours == name and not hasattr(self.Ops, name): name = theirs
    if not hasattr(self.Ops, name): raise NotCovered(name)
    return self.Ops[name]

  @functools.lru_cache(maxsize=None)
  def dtype(self, text):
    name, _, count = text.partition(".vec")
    if name == "int" and self.weak is not None and not count: return self.weak
    d = getattr(self.dtypes, {v: k for k, v in OURS.items()}.get(name, name), None)
    if d is None or (count and not hasattr(d, "vec")): raise NotCovered(text)
    return d.vec(int(count)) if count else d

  @functools.lru_cache(maxsize=None)
  def dtype_name(self, d):
    if d is self.weak: return "int"
    scalar, count = (d.scalar(), d.count) if hasattr(d, "scalar") else (d, 1)
    for name in ("bool", "bfloat16", "void", *OURS):
      if getattr(self.dtypes, name, None) == scalar: return OURS.get(name, name) + (f".vec{count}" if count > 1 else "")
    raise NotCovered(str(d))


# ---- from rows to UOps

def number(x): return int(x) if isinstance(x, str) and x.lstrip("-").isdigit() else float(x) if isinstance(x, str) else x


class Reader:
  def __init__(self, tg, rows):
    self.tg, self.all = tg, []
    for op, dtype, src, arg in rows: self.all.append(self.node(op, tg.dtype(dtype), [self.all[i] for i in src], arg))

  def node(self, op, d, src, arg):
    tg, UOp = self.tg, self.tg.UOp
    if op == "CONST": return UOp.const(number(arg), d) if tg.weak is not None else UOp.const(d, number(arg))
    if op == "VCONST": return UOp.const(d, tuple(map(number, arg)))
    if op == "DEFINE_VAR": return self.variable(arg[0], number(arg[1]), number(arg[2]), d)
    if op == "RANGE":
      if tg.weak is not None: return UOp.range(src[0], arg, dtype=d)
      return UOp(tg.Ops.RANGE, d, (UOp.const(d, 0), src[0]), (arg, False)) if tg.start else UOp(tg.Ops.RANGE, d, tuple(src), arg)
    if op == "SPECIAL":
      return UOp.special(number(arg[1]), arg[0], d) if tg.weak is not None else UOp(tg.Ops.SPECIAL, d, (), (arg[0], number(arg[1])))
    if op == "CAST" and d is tg.weak and src[0].dtype != tg.dtypes.bool: raise NotCovered("CAST to a dtype without width")
    if op == "CAST": return UOp(tg.Ops.CAST, d, tuple(src), d if tg.weak is not None else None)
    if op not in PLAIN: raise NotCovered(op)
    return UOp(tg.op(op), d, tuple(src), tuple(arg) if isinstance(arg, list) else arg)

  def variable(self, name, lo, hi, d):
    if self.tg.weak is not None: return self.tg.UOp.variable(name, lo, hi, d)
    return self.tg.UOp(self.tg.Ops.DEFINE_VAR, d, (), (name, lo, hi))


# ---- from UOps to rows

def plain(x): return x if isinstance(x, bool) or not isinstance(x, int) or abs(x) < 1 << 63 else str(x)


def value(x):
  """A constant; enums and numbers of other types as Python's own."""
  if isinstance(x, bool): return x
  if isinstance(x, float): return "nan" if x != x else "inf" if x == float("inf") else "-inf" if x == -float("inf") else float(x)
  if isinstance(x, int): return plain(int(x))
  raise NotCovered(repr(x))


class Writer:
  """A table of nodes, each once."""
  def __init__(self, tg): self.tg, self.rows, self.at, self.of = tg, [], {}, {}

  def put(self, *row):
    key = json.dumps(row)
    if key not in self.at:
      self.at[key] = len(self.rows)
      self.rows.append(list(row))
    return self.at[key]

  def index(self, u):
    """The number of the node; its sources come first."""
    stack = [u]
    while stack:
      n = stack[-1]
      todo = [s for s in self.sources(n) if s not in self.of]
      if n in self.of or not todo:
        stack.pop()
        if n not in self.of: self.of[n] = self.node(n, [self.of[s] for s in self.sources(n)])
      stack += todo
    return self.of[u]

  def is_variable(self, u): return u.op.name == "DEFINE_VAR" or (u.op.name in ("PARAM", "BUFFER") and getattr(u.arg, "vmin_vmax", None))

  def sources(self, u):
    if self.is_variable(u) or u.op.name == "CONST": return ()
    return u.src[1:] if u.op.name == "RANGE" and self.tg.start else u.src

  def typed(self, i, dtype):
    """A source of an op of that dtype: newer tinygrads let numbers without width stand there."""
    op, d, src, arg = self.rows[i]
    if d == dtype or d == "bool" or "vec" in dtype: return i
    return self.put("CONST", dtype, src, arg) if op == "CONST" else self.put("CAST", dtype, [i], None)

  def node(self, u, src):
    d, name = self.tg.dtype_name(u.dtype), THEIRS.get(u.op.name, u.op.name)
    if name == "CONST": return self.put("CONST", d, [], bool(u.arg) if d == "bool" else value(u.arg))
    if name == "VCONST": return self.put("VCONST", d, [], [value(x) for x in u.arg])
    if self.is_variable(u): return self.variable(u, d)
    if name == "RANGE": return self.put("RANGE", d, src[:1], u.arg[0] if isinstance(u.arg, tuple) else u.arg)
    if name == "SPECIAL": return self.special(u, d)
    if name == "CAST" and u.dtype is self.tg.weak and u.src[0].dtype != self.tg.dtypes.bool: raise NotCovered("CAST to weakint")
    if name == "CAST": return self.put("CAST", d, src, None)
    if name not in PLAIN: raise NotCovered(name)
    if self.tg.weak is not None: src = self.typed_sources(u, name, d, src)
    return self.put(name, d, src, list(u.arg) if isinstance(u.arg, tuple) else u.arg)

  def typed_sources(self, u, name, d, src):
    if name in ("SHL", "SHR", "SINK"): return src
    kinds = [self.rows[i][1] for i, s in zip(src, u.src) if s.dtype is not self.tg.weak]
    if name in ("CMPLT", "CMPNE", "CMPEQ"): return [self.typed(i, next((k for k in kinds if k != "bool"), "int")) for i in src]
    return [i if name == "WHERE" and k == 0 else self.typed(i, d) for k, i in enumerate(src)]

  def variable(self, u, d):
    name, lo, hi = u.arg[:3] if u.op.name == "DEFINE_VAR" else (u.arg.name, *u.arg.vmin_vmax)
    kind = bool if d == "bool" else int
    return self.put("DEFINE_VAR", d, [], [name, plain(kind(lo)), plain(kind(hi))])

  def special(self, u, d):
    if isinstance(u.arg, tuple): return self.put("SPECIAL", d, [], [u.arg[0], plain(u.arg[1])])
    if u.src[0].op.name != "CONST": raise NotCovered("SPECIAL of no constant size")
    return self.put("SPECIAL", d, [], [u.arg, plain(u.src[0].arg)])


# ---- watching the rewrites

class Watch:
  """Every application of a pattern that is one of the rule texts (not of substitute and the like)."""
  def __init__(self, tg):
    self.steps, self.rule, self.at, self.count, self.limit = None, None, None, 0, STEPS
    watch = self

    def rewrite(self, uop, ctx=None):
      there = {u.op for u in uop.src}
      for p, fxn, early_reject, *more in self.pdict.get(uop.op, []):
        if not early_reject.issubset(there): continue
        before = watch.rule, watch.at
        watch.rule, watch.at = f"{os.path.basename(p.location[0])}:{p.location[1]}", uop
        for ret in watch.results(p, fxn, more, uop, ctx):
          if ret is None or (ret is uop and not more): continue
          watch.note(uop, ret)
          watch.rule, watch.at = before
          return ret
        watch.rule, watch.at = before
      return None
    tg.ops.PatternMatcher.rewrite = rewrite

  def results(self, p, fxn, more, uop, ctx):
    if not more: yield fxn(uop, ctx)  # since 0.11.0
    else:
      for match in p.match(uop, {}): yield fxn(ctx=ctx, **match) if more[0] else fxn(**match)

  def note(self, before, after):
    self.count += 1
    if self.count > self.limit: raise TooManySteps
    if self.steps is None or self.rule.startswith("ops.py") and not self.rule_texts_in_ops: return
    if not hasattr(after, "op"): return
    self.steps.append((self.rule, before, after))


# ---- answers

class Engine:
  def __init__(self, tg):
    self.tg, self.watch = tg, Watch(tg)
    self.watch.rule_texts_in_ops = tg.start  # 0.10.0 has its rules there

  def steps(self, w):
    """What can be told of the steps; those on ops that have no form here are left out."""
    out = []
    for rule, before, after in self.watch.steps:
      try: out.append([rule, w.index(before), w.index(after)])
      except NotCovered: pass
    return out

  def simplify(self, q):
    root = Reader(self.tg, q["nodes"]).all[-1]
    self.watch.steps, self.watch.rule, self.watch.at, self.watch.count = [], None, None, 0
    self.watch.limit = min(q.get("max_steps") or STEPS, STEPS)
    w, answer = Writer(self.tg), {}
    try: answer["result"] = w.index(root.simplify())
    except NotCovered: raise
    except Exception as e:
      answer |= {"error": self.error(e), "rule": self.watch.rule}
      if self.watch.at is not None: answer["at"] = w.index(self.watch.at)
    if q.get("trace", True): answer["steps"] = self.steps(w)
    self.watch.steps = None
    return answer | {"nodes": w.rows}

  def error(self, e):
    if isinstance(e, TooManySteps): return "limit-steps"
    if isinstance(e, RecursionError) or "infinite loop" in str(e): return f"loop: {e}"
    return f"{type(e).__name__}: {e}".replace("\n", " ")[:200]

  def bounds(self, q):
    ends = []
    for u in Reader(self.tg, q["nodes"]).all:
      lo, hi = u._min_max if self.tg.dtype_name(u.dtype) != "void" else (None, None)
      ends.append([plain(x) if isinstance(x, int) else None for x in (lo, hi)])
    return {"bounds": ends}

  def answer(self, q):
    if q["do"] == "hello": return {"engine": self.tg.name, "bounds_rule": "_min_max"}
    if q["do"] not in ("simplify", "bounds"): return {"error": "not-covered: " + q["do"]}
    try: return getattr(self, q["do"])(q)
    except NotCovered as e: return {"error": f"not-covered: {e}"}
    except Exception as e: return {"error": self.error(e)}


# ---- rows for uproof golden

PATIENCE = 20  # seconds; 0.11.0 has loops of as many rounds as a divisor is large
TREE = 5000  # no rendering of larger trees


def tree_size(root):
  size, stack = {}, [root]
  while stack:
    todo = [s for s in stack[-1].src if s not in size]
    if not todo: size[stack[-1]] = 1 + sum(size[s] for s in stack[-1].src)
    if not todo: stack.pop()
    stack += todo
  return size[root]


def render(u):
  if tree_size(u) > TREE: return None
  try: text = u.render(simplify=False)
  except Exception: return None
  return None if text.startswith("UOp(") else text  # what 0.10.0 gives for a graph without one


def ends(u): return [value(x) for x in u._min_max]


def recorded(tg, watch, nodes):
  root, row, w, watch.count = Reader(tg, nodes).all[-1], {}, Writer(tg), 0
  try:
    row["vmin"], row["vmax"] = ends(root)
    s = root.simplify()
    w.index(s)
    row["svmin"], row["svmax"] = ends(s)
    return row | {"simplified": w.rows, "render": render(s)}
  except NotCovered: raise
  except TooManySteps: return row | {"error": "RecursionError"}  # sooner or later
  except Exception as e: return row | {"error": type(e).__name__}


def too_late(*_): raise NotCovered("no answer in time")


def record(tg, lines, out):
  watch = Watch(tg)
  signal.signal(signal.SIGALRM, too_late)
  for row in map(json.loads, lines):
    signal.alarm(PATIENCE)
    try: print(json.dumps(row | recorded(tg, watch, row["nodes"]), separators=(",", ":")), file=out)
    except NotCovered as e:
      print(f"row {row.get('id')} left out: {e}", file=sys.stderr)
    finally: signal.alarm(0)


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("path")
  p.add_argument("--record", action="store_true", help="rows of graphs in, rows for uproof golden out")
  a = p.parse_args()
  out, sys.stdout = sys.stdout, sys.stderr  # what tinygrad prints is no answer
  tg = Tinygrad(a.path)
  if a.record: return record(tg, sys.stdin, out)
  engine = Engine(tg)
  for line in sys.stdin:
    print(json.dumps(engine.answer(json.loads(line)), separators=(",", ":")), file=out, flush=True)


if __name__ == "__main__":
  main()
