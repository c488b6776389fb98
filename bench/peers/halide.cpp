// Simplify of uproof and of Halide on the same graphs, one core.
//
//   bench/halide [--profile P] [--repeat N] FILE.jsonl[.gz]...
//
// Only graphs that mean the same in both are taken: scalars of int and bool; + - * max, comparisons,
// where, bool and/or/xor; // and % where the bounds say that the dividend is not negative and the
// divisor positive (Halide rounds down, UOps toward zero); variables within 32 bits. Each variable's
// range is given to Halide as the bounds that its simplifier asks for. Only the two simplify calls are
// timed, not building: the best of N calls each, for the time of a small graph is that of a few
// interrupts. Halide walks expressions as trees, without regard to shared nodes, so a graph whose tree
// has more than twice its distinct nodes is left out too. Times are given by distinct node.
#include <Halide.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <gmp.h>
#include <jansson.h>
extern "C" {
#include "engine/uop.h"
#include "formats/formats.h"
}

using Halide::Expr;
using Halide::Internal::Interval;
using Halide::Internal::Scope;

namespace {

struct Totals {
  uint64_t graphs = 0, left_out = 0, nodes = 0, tree_nodes = 0;
  double uproof = 0, halide = 0;
};

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

[[noreturn]] void die(const char *what, const char *why) {
  std::fprintf(stderr, "bench: %s: %s\n", what, why);
  std::exit(4);
}

bool fits_int32(up_int v) { return v.big == 0 && v.lo >= INT32_MIN && v.lo <= INT32_MAX; }

// A graph as a Halide expression, with the ranges of its variables.
class Translation {
public:
  Translation(up_ctx *ctx, up_node graph) : c(ctx), root(graph) {}

  // False: an op, dtype or sign that the two do not share.
  bool run() {
    up_list topo = {};
    if (!up_toposort(c, root, &topo)) die("graph", "no memory");
    exprs.resize(root.id + 1);
    sizes.resize(root.id + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < topo.n; i++) ok = translate(topo.p[i]);
    nodes = topo.n;
    up_list_free(&topo);
    return ok && sizes[root.id] <= 2 * nodes;
  }
  Expr expr() const { return exprs[root.id]; }
  uint64_t tree_nodes() const { return sizes[root.id]; }

  uint64_t nodes = 0;
  Scope<Interval> bounds;

private:
  up_ctx *c;
  up_node root;
  std::vector<Expr> exprs;
  std::vector<uint64_t> sizes; // nodes of the tree, up to a limit

  Expr src(up_node n, uint32_t i) const { return exprs[up_src(c, n, i).id]; }

  bool is_negative(up_node n, int64_t least) const {
    up_bounds b = up_minmax(c, n);
    return b.lo.is_float || b.lo.i.big != 0 || b.lo.i.lo < least;
  }

  bool leaf(up_node n) {
    char name[64];
    up_int lo, hi, v;
    bool is_bool = up_dt_is_bool(up_dtype_of(c, n));
    if (up_is_const_int(c, n, &v)) {
      if (!fits_int32(v)) return false;
      int value = static_cast<int>(v.lo);
      exprs[n.id] = is_bool ? Halide::Internal::make_bool(value != 0) : Expr(value);
      return true;
    }
    if (is_bool || !up_var_domain(c, n, name, &lo, &hi) || !fits_int32(lo) || !fits_int32(hi))
      return false;
    exprs[n.id] = Halide::Internal::Variable::make(Halide::Int(32), name);
    if (!bounds.contains(name))
      bounds.push(name, Interval(static_cast<int>(lo.lo), static_cast<int>(hi.lo)));
    return true;
  }

  bool translate(up_node n) {
    up_dtype d = up_dtype_of(c, n);
    if (d != up_dt(UP_INT) && d != up_dt(UP_BOOL)) return false;
    uint64_t size = 1;
    bool is_leaf = up_op_of(c, n) == UP_RANGE || up_nsrc(c, n) == 0;
    for (uint32_t i = 0; !is_leaf && i < up_nsrc(c, n); i++) size += sizes[up_src(c, n, i).id];
    sizes[n.id] = size > 1000000 ? 1000000 : size;
    return is_leaf ? leaf(n) : inner(n, d == up_dt(UP_BOOL));
  }

  bool inner(up_node n, bool is_bool) {
    Expr a = src(n, 0), b = up_nsrc(c, n) > 1 ? src(n, 1) : Expr(), r;
    bool bools = a.type().is_bool();
    switch (up_op_of(c, n)) {
    case UP_ADD: r = is_bool ? Expr() : a + b; break;
    case UP_SUB: r = is_bool ? Expr() : a - b; break;
    case UP_MUL: r = is_bool ? Expr() : a * b; break;
    case UP_MAX: r = is_bool ? Expr() : Halide::max(a, b); break;
    case UP_NEG: r = is_bool ? Expr() : -a; break;
    case UP_AND: r = is_bool ? a && b : Expr(); break;
    case UP_OR: r = is_bool ? a || b : Expr(); break;
    case UP_XOR: r = is_bool ? a != b : Expr(); break;
    case UP_CMPLT: r = bools ? Expr() : a < b; break;
    case UP_CMPNE: r = a != b; break;
    case UP_CMPEQ: r = a == b; break;
    case UP_WHERE: r = Halide::select(a, b, src(n, 2)); break;
    case UP_IDIV:
    case UP_MOD:
      if (is_negative(up_src(c, n, 0), 0) || is_negative(up_src(c, n, 1), 1)) return false;
      r = up_op_of(c, n) == UP_IDIV ? a / b : a % b;
      break;
    default: break;
    }
    exprs[n.id] = r;
    return r.defined();
  }
};

// Seconds of one up_simplify in a context that holds nothing but the graph.
double time_uproof(up_ctx *scratch, const up_ctx *c, up_node root, unsigned repeat) {
  double best = 1e9;
  for (unsigned i = 0; i < repeat; i++) {
    up_ctx_reset(scratch);
    up_node copy = up_copy(scratch, c, root);
    double start = now();
    up_result r = up_simplify(scratch, copy, nullptr);
    double took = now() - start;
    if (r.status == UP_NO_MEMORY) die("simplify", "no memory");
    best = took < best ? took : best;
  }
  return best;
}

double time_halide(const Translation &t, unsigned repeat) {
  double best = 1e9;
  for (unsigned i = 0; i < repeat; i++) {
    double start = now();
    Expr e = Halide::Internal::simplify(t.expr(), true, t.bounds);
    double took = now() - start;
    if (!e.defined()) die("halide", "no result");
    best = took < best ? took : best;
  }
  return best;
}

void run_file(up_ctx *c, up_ctx *scratch, const char *path, unsigned repeat, Totals &sum) {
  up_error err = {};
  fm_reader *r = fm_open(path, &err);
  if (r == nullptr) die(path, err.msg);
  fm_item item;
  for (int got; up_ctx_reset(c), (got = fm_next(r, c, &item, &err)) != 0;) {
    if (got < 0) continue;
    Translation t(c, item.root);
    if (t.run()) {
      sum.graphs++;
      sum.nodes += t.nodes;
      sum.tree_nodes += t.tree_nodes();
      sum.uproof += time_uproof(scratch, c, item.root, repeat);
      sum.halide += time_halide(t, repeat);
    } else {
      sum.left_out++;
    }
    fm_item_clear(&item);
  }
  fm_close(r);
}

void print_totals(const char *path, const Totals &t) {
  const char *base = std::strrchr(path, '/');
  double nodes = static_cast<double>(t.nodes);
  std::printf("%s: %llu graphs of %llu distinct nodes (%llu as trees), %llu left out\n",
              base ? base + 1 : path, static_cast<unsigned long long>(t.graphs),
              static_cast<unsigned long long>(t.nodes),
              static_cast<unsigned long long>(t.tree_nodes),
              static_cast<unsigned long long>(t.left_out));
  if (t.graphs == 0) return;
  std::printf("  ns a distinct node: uproof %.0f, Halide %.0f (%.1f times)\n",
              1e9 * t.uproof / nodes, 1e9 * t.halide / nodes, t.halide / t.uproof);
}

} // namespace

int main(int argc, char **argv) {
  const char *profile = "v0.11.0";
  unsigned repeat = 9;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    if (std::strcmp(argv[first], "--profile") == 0)
      profile = argv[first + 1];
    else if (std::strcmp(argv[first], "--repeat") == 0)
      repeat = static_cast<unsigned>(std::strtoul(argv[first + 1], nullptr, 10));
    else
      die(argv[first], "no such option");
  }
  if (first >= argc || repeat == 0) die("usage", "halide [--profile P] [--repeat N] FILE...");
  up_error err = {};
  up_profile *p = up_profile_load(profile, &err);
  if (p == nullptr) die(profile, err.msg);
  up_ctx *c = up_ctx_new(p), *scratch = up_ctx_new(p);
  if (c == nullptr || scratch == nullptr) die("context", "no memory");
  for (int i = first; i < argc; i++) {
    Totals t;
    run_file(c, scratch, argv[i], repeat, t);
    print_totals(argv[i], t);
  }
  up_ctx_free(c);
  up_ctx_free(scratch);
  up_profile_free(p);
  return 0;
}
