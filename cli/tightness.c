/* uproof bounds --tightness: how much wider vmin..vmax is than the values, by op and transfer rule.
 *
 * A node counts once a graph. Its score is claimed width / exact width, 1 where the claim is exact;
 * claims without a number for it (infinite, or a dtype's whole range of 2^31 and more where the
 * values are few) are counted apart, and so are nodes whose exact range is not known. */
#include "cli/cli.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A claim this wide, and 1024 times wider than the values, says nothing. */
#define HUGE_WIDTH 0x1p31
#define HUGE_RATIO 1024.0

typedef struct row {
  up_op op;
  int rule; /* -1: the dtype's range */
  uint64_t nodes, exact, wide, huge, unknown, nowhere, wrong;
  double logs, worst; /* over exact and wide */
} row;

typedef struct table {
  const cl_common *a;
  or_frame frame;
  or_checker *k;
  row *p;
  uint32_t n, cap;
  uint64_t graphs, skipped;
  bool no_memory;
} table;

static row *row_of(table *t, up_op op, int rule) {
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->p[i].op == op && t->p[i].rule == rule) return &t->p[i];
  }
  if (t->n == t->cap) {
    uint32_t cap = t->cap ? t->cap * 2 : 64;
    row *p = realloc(t->p, cap * sizeof *p);
    if (!p) return NULL;
    t->p = p;
    t->cap = cap;
  }
  t->p[t->n] = (row){.op = op, .rule = rule, .worst = 1};
  return &t->p[t->n++];
}

/* A bound as a number, and whether it has one. */
static bool as_number(const up_ctx *c, up_val v, mpz_t out, bool upper) {
  if (!v.is_float) {
    up_int_to_mpz(c, v.i, out);
    return true;
  }
  if (!isfinite(v.f)) return false;
  mpz_set_d(out, upper ? floor(v.f) : ceil(v.f));
  return true;
}

static void add_ratio(row *w, const mpz_t claimed, const mpz_t exact) {
  long e1, e2;
  double m1 = mpz_get_d_2exp(&e1, claimed), m2 = mpz_get_d_2exp(&e2, exact);
  double bits = log2(m1 / m2) + (double)(e1 - e2);
  if (mpz_cmp_d(claimed, HUGE_WIDTH) >= 0 && bits >= log2(HUGE_RATIO)) {
    w->huge++;
    return;
  }
  w->logs += bits;
  if (exp2(bits) > w->worst) w->worst = exp2(bits);
  if (mpz_cmp(claimed, exact) == 0)
    w->exact++;
  else
    w->wide++;
}

/* Widths count integers: hi - lo + 1. */
static void score(const up_ctx *c, row *w, up_bounds b, const or_range *r) {
  mpz_t lo, hi, exact;
  mpz_inits(lo, hi, exact, NULL);
  if (!as_number(c, b.lo, lo, false) || !as_number(c, b.hi, hi, true)) {
    w->huge++;
  } else if (mpz_cmp(r->lo, lo) < 0 || mpz_cmp(r->hi, hi) > 0) {
    w->wrong++;
  } else {
    mpz_sub(exact, r->hi, r->lo);
    mpz_add_ui(exact, exact, 1);
    mpz_sub(hi, hi, lo);
    mpz_add_ui(hi, hi, 1);
    add_ratio(w, hi, exact);
  }
  mpz_clears(lo, hi, exact, NULL);
}

static void add_node(up_ctx *c, table *t, const or_range *r) {
  up_op op = up_op_of(c, r->node);
  if (op == UP_CONST || op == UP_VCONST || op == UP_DEFINE_VAR || op == UP_SPECIAL) return;
  up_bounds b = up_minmax(c, r->node);
  if (up_ctx_status(c) != UP_OK) {
    up_ctx_clear_status(c);
    return;
  }
  row *w = row_of(t, op, up_minmax_rule(c, r->node));
  if (!w) {
    t->no_memory = true;
    return;
  }
  w->nodes++;
  if (!r->lo_by || !r->hi_by)
    w->unknown++;
  else if (!r->seen)
    w->nowhere++;
  else
    score(c, w, b, r);
}

static int each(up_ctx *c, const cl_graph *g, void *arg) {
  table *t = arg;
  or_ranges x = {0};
  t->graphs++;
  if (!or_exact(t->k, c, g->item->root, t->frame, true, &x)) {
    t->skipped++;
    if (!t->a->quiet) cl_error("bounds: %s: %s", g->file, x.reason);
  } else {
    for (uint32_t i = 0; i < x.n; i++) add_node(c, t, &x.range[i]);
  }
  or_ranges_clear(&x);
  return CL_SOUND;
}

static int by_nodes(const void *a, const void *b) {
  const row *x = a, *y = b;
  if (x->nodes != y->nodes) return x->nodes > y->nodes ? -1 : 1;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static double mean_of(const row *w) {
  uint64_t n = w->exact + w->wide;
  return n ? exp2(w->logs / (double)n) : 1;
}

static void put_row_json(const row *w, const char *rule, up_buf *out) {
  cl_put_json(out,
              json_pack("{s:s,s:s,s:I,s:I,s:I,s:f,s:f,s:I,s:I,s:I,s:I}", "op", up_op_name(w->op),
                        "rule", rule, "nodes", (json_int_t)w->nodes, "exact", (json_int_t)w->exact,
                        "wide", (json_int_t)w->wide, "mean", mean_of(w), "worst", w->worst, "huge",
                        (json_int_t)w->huge, "undefined", (json_int_t)w->nowhere, "unknown",
                        (json_int_t)w->unknown, "wrong", (json_int_t)w->wrong));
}

static void put_table(table *t, const up_profile *p, up_buf *out) {
  if (t->n) qsort(t->p, t->n, sizeof *t->p, by_nodes);
  if (!t->a->json)
    up_buf_printf(out, "%-8s %-28s %8s %8s %8s %8s %10s %7s %9s %8s %6s\n", "op", "rule", "nodes",
                  "exact", "wide", "mean", "worst", "huge", "undefined", "unknown", "wrong");
  for (uint32_t i = 0; i < t->n; i++) {
    const row *w = &t->p[i];
    const char *rule = cl_rule_name(p, w->rule);
    if (t->a->json) {
      put_row_json(w, rule ? rule : "dtype", out);
      continue;
    }
    up_buf_printf(out, "%-8s %-28s %8llu %8llu %8llu %8.3f %10.4g %7llu %9llu %8llu %6llu\n",
                  up_op_name(w->op), rule ? rule : "dtype", (unsigned long long)w->nodes,
                  (unsigned long long)w->exact, (unsigned long long)w->wide, mean_of(w), w->worst,
                  (unsigned long long)w->huge, (unsigned long long)w->nowhere,
                  (unsigned long long)w->unknown, (unsigned long long)w->wrong);
  }
}

/* Wrong claims are findings; what is not known keeps the table from being complete. */
static int status_of(const table *t) {
  uint64_t wrong = 0, unknown = t->skipped;
  for (uint32_t i = 0; i < t->n; i++) {
    wrong += t->p[i].wrong;
    unknown += t->p[i].unknown;
  }
  return wrong ? CL_FINDINGS : unknown ? CL_UNDECIDED : CL_SOUND;
}

int cl_tightness(const cl_common *a, const char *frame) {
  table t = {.a = a};
  or_limits l = cl_limits(a);
  up_profile *p = cl_load_profile(a);
  if (!p) return CL_USAGE;
  or_frame_parse(frame, &t.frame);
  t.k = or_checker_new(&l);
  int status = t.k ? cl_for_each_of(a, p, each, &t) : CL_HARNESS;
  up_buf out = {0};
  if (status != CL_HARNESS) {
    put_table(&t, p, &out);
    if (status == CL_SOUND) status = status_of(&t);
    if (!a->quiet)
      fprintf(stderr, "bounds: %llu graphs, %llu without ranges\n", (unsigned long long)t.graphs,
              (unsigned long long)t.skipped);
  }
  if (!cl_flush(&out) || t.no_memory) status = CL_HARNESS;
  or_checker_free(t.k);
  free(t.p);
  up_profile_free(p);
  return status;
}
