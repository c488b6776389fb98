#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct fz_harness {
  up_profile *profile;
  up_ctx *c, *other; /* other: where texts are read back */
  or_checker *checker;
};

_Noreturn static void fail(const char *demand, const char *detail) {
  fprintf(stderr, "uproof: the harness failed: %s%s%s\n", demand, detail[0] ? ": " : "", detail);
  abort();
}

void fz_require(bool holds, const char *demand) {
  if (!holds) fail(demand, "");
}

fz_harness *fz_harness_new(const char *profile) {
  up_error err = {0};
  or_limits l = or_limits_default();
  l.samples = 16;
  l.max_points = l.at_once = 256;
  l.wide_points = 6;
  l.whole_only = true;
  l.max_steps = 20000; /* a loop that grows takes seconds for the engine's million */
  l.solver_rlimit = 0;
  l.idempotence = strcmp(profile, "sound") == 0;
  fz_harness *h = calloc(1, sizeof *h);
  fz_require(h != NULL, "memory");
  h->profile = up_profile_load(profile, &err);
  if (!h->profile) fail("the profile loads", err.msg);
  h->c = up_ctx_new(h->profile);
  h->other = up_ctx_new(h->profile);
  h->checker = or_checker_new(&l);
  fz_require(h->c && h->other && h->checker, "memory");
  return h;
}

void fz_harness_free(fz_harness *h) {
  or_checker_free(h->checker);
  up_ctx_free(h->other);
  up_ctx_free(h->c);
  up_profile_free(h->profile);
  free(h);
}

up_ctx *fz_harness_fresh(fz_harness *h) {
  up_ctx_reset(h->c);
  return h->c;
}

or_checker *fz_harness_checker(fz_harness *h) { return h->checker; }
up_ctx *fz_harness_ctx(fz_harness *h) { return h->c; }

up_ctx *fz_harness_other(fz_harness *h) {
  up_ctx_reset(h->other);
  return h->other;
}

static unsigned profiles_known(void) {
  unsigned n = 0;
  while (n < FZ_PROFILES && up_profile_known(n)) n++;
  return n;
}

fz_harness *fz_harness_of(fz_harnesses *all, unsigned profile) {
  unsigned i = profile % profiles_known();
  if (!all->of[i]) {
    all->of[i] = fz_harness_new(up_profile_known(i));
    fz_require(up_rule_count(all->of[i]->profile) <= FZ_COUNTERS, "rules have their counters");
  }
  fz_harness_fresh(all->of[i]);
  return all->of[i];
}

static fz_case begin(fz_harnesses *all, fz_input in, unsigned profile) {
  fz_opts o = fz_opts_default();
  fz_case k = {.in = in, .profile = profile % profiles_known(), .stats = all->stats};
  k.frame = all->frame < 0 ? (or_frame)fz_choice_frame(k.in.choice) : (or_frame)all->frame;
  k.h = fz_harness_of(all, k.profile);
  k.c = k.h->c;
  up_ctx_hits(k.c, NULL);
  k.root = fz_decode(k.c, &o, k.in.graph, k.in.n);
  fz_require(!up_is_none(k.root), "every input decodes to a graph");
  fz_require_well_formed(k.c, k.root);
  return k;
}

fz_case fz_case_begin_as(fz_harnesses *all, const uint8_t *data, size_t n, unsigned profile) {
  fz_run_begin(all);
  fz_case k = begin(all, fz_input_of(data, n), profile);
  k.seed = fz_digest(data, n);
  return k;
}

fz_case fz_case_begin(fz_harnesses *all, const uint8_t *data, size_t n) {
  fz_run_begin(all);
  fz_input in = fz_input_of(data, n);
  fz_case k =
      begin(all, in, all->profile < 0 ? fz_choice_profile(in.choice) : (unsigned)all->profile);
  k.seed = fz_digest(data, n);
  return k;
}

uint64_t fz_digest(const uint8_t *data, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (size_t i = 0; i < n; i++) h = (h ^ data[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

#define MOST_SOURCES 64u

static bool check_nodes(up_ctx *c, up_node root, up_error *err) {
  up_list topo = {0};
  bool ok = true;
  fz_require(up_toposort(c, root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n && ok; i++) {
    up_node n = topo.p[i], src[MOST_SOURCES];
    uint32_t nsrc = up_nsrc(c, n);
    fz_require(nsrc <= MOST_SOURCES, "graphs have nodes of few sources");
    for (uint32_t j = 0; j < nsrc; j++) src[j] = up_src(c, n, j);
    ok = up_node_check(c, up_op_of(c, n), up_dtype_of(c, n), src, nsrc, up_arg_of(c, n), err);
  }
  up_list_give(c, &topo);
  return ok;
}

/* Not a RANGE with an open end: that it is not empty is judged when the end has become a constant. Not
 * vectors: the modelled engine takes elements of scalars when a WHERE has a scalar condition. Not
 * pointers: it folds the cast of a constant to one, and the result is a constant of that dtype. */
static bool is_judged(up_ctx *c, up_node n) {
  static const up_op others[] = {UP_CAST,    UP_BITCAST, UP_CONST, UP_DEFINE_VAR,
                                 UP_SPECIAL, UP_BIND,    UP_SINK};
  up_op op = up_op_of(c, n);
  if (up_dt_count(up_dtype_of(c, n)) > 1 || up_dt_is_ptr(up_dtype_of(c, n))) return false;
  if (op == UP_RANGE) return up_is_const(c, up_src(c, n, 0));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (op == others[i]) return true;
  return up_op_in(op, UP_G_ALU);
}

bool fz_is_judged(up_ctx *c, up_node root) {
  up_list topo = {0};
  bool all = true;
  fz_require(up_toposort(c, root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n && all; i++) all = is_judged(c, topo.p[i]);
  up_list_give(c, &topo);
  return all;
}

bool fz_is_well_formed(up_ctx *c, up_node root) { return check_nodes(c, root, NULL); }

void fz_require_well_formed(up_ctx *c, up_node root) {
  up_error err = {0};
  if (!check_nodes(c, root, &err)) fail("each node is well formed", err.msg);
}

void fz_require_reads_back(fz_harness *h, up_node root) {
  up_buf text = {0}, again = {0};
  up_metas meta = {0};
  up_node copy = UP_NONE;
  up_error err = {0};
  up_ctx *other = fz_harness_other(h);
  up_print_uop(h->c, root, NULL, &text);
  fz_require(!text.no_memory, "memory");
  if (!up_parse_uop(other, text.p, text.len, &copy, &meta, &err)) {
    fail("printed .uop text is read", err.msg);
  }
  up_print_uop(other, copy, NULL, &again);
  fz_require(again.len == text.len && memcmp(again.p, text.p, text.len) == 0,
             "printed .uop text reads back as the same graph");
  up_metas_free(&meta);
  up_buf_free(&text);
  up_buf_free(&again);
}

/* ---- evaluators ------------------------------------------------------------------------------ */

static uint32_t count_variables(up_ctx *c, const up_list *topo) {
  char name[64];
  up_int lo, hi;
  uint32_t n = 0;
  for (uint32_t i = 0; i < topo->n; i++) n += up_var_domain(c, topo->p[i], name, &lo, &hi);
  return n;
}

/* A value of the range [lo, hi]: an end or between. */
static void pick(up_ctx *c, up_int lo, up_int hi, fz_rng *r, mpz_t out) {
  mpz_t span, part;
  mpz_inits(span, part, NULL);
  uint64_t word = fz_next(r);
  up_int_to_mpz(c, lo, out);
  up_int_to_mpz(c, hi, span);
  mpz_sub(span, span, out);
  if (word % 4 == 0) {
    mpz_add(out, out, span);
  } else if (word % 4 > 1) {
    mpz_add_ui(span, span, 1);
    mpz_set_ui(part, (unsigned long)(word >> 2));
    mpz_mod(part, part, span);
    mpz_add(out, out, part);
  }
  mpz_clears(span, part, NULL);
}

static void pick_point(up_ctx *c, const up_list *topo, fz_rng *r, or_witness *w) {
  char name[64];
  up_int lo, hi;
  w->n = 0;
  for (uint32_t i = 0; i < topo->n; i++) {
    if (!up_var_domain(c, topo->p[i], name, &lo, &hi)) continue;
    w->var[w->n] = topo->p[i];
    pick(c, lo, hi, r, w->value[w->n++]);
  }
}

/* Shift amounts outside [0, width) mean something else in each frame, and nothing in Python. */
static bool same_meaning(up_ctx *c, up_op op, up_dtype dt, const up_val *operand) {
  if (op != UP_SHL && op != UP_SHR) return true;
  up_int width = up_int_of((int64_t)up_dt_bits(dt));
  return up_int_sign(c, operand[1].i) >= 0 && up_int_cmp(c, operand[1].i, width) < 0;
}

/* What exec_alu makes of the operands' values; false where it says nothing about the node. */
static bool engine_value(up_ctx *c, up_node n, const up_val *operand, or_frame f, up_int *out) {
  up_op op = up_op_of(c, n);
  up_dtype dt = up_dtype_of(c, n);
  if (op == UP_CAST) {
    *out = up_int_wrap(c, operand[0].i, dt);
    return true;
  }
  if (!up_op_in(op, UP_G_ALU) || !same_meaning(c, op, dt, operand)) return false;
  up_val v = up_alu(c, UP_ALU_0_11, op, dt, operand, up_nsrc(c, n), f == OR_WRAP);
  up_status s = up_ctx_status(c);
  up_ctx_clear_status(c);
  *out = v.i;
  /* a bool is 0 or 1 in every frame (oracle/frame.h), where Python adds two True to 2 */
  if (up_dt_is_bool(dt) && !v.is_float) *out = up_int_of(!up_int_is(v.i, 0));
  return s == UP_OK && !v.is_float;
}

/* value[id]: the reference's; compares node i of v with the engine. */
static void compare_node(up_ctx *c, const or_values *v, uint32_t i, or_frame f, up_val *value,
                         bool *known) {
  up_node n = v->node[i];
  up_val operand[3];
  up_int got;
  uint32_t nsrc = up_nsrc(c, n);
  value[n.id] = up_val_int(up_int_from_mpz(c, v->value[i]));
  if (up_ctx_status(c) != UP_OK) { /* above UP_MAX_BITS */
    up_ctx_clear_status(c);
    known[n.id] = false;
    return;
  }
  for (uint32_t j = 0; j < nsrc && j < 3; j++) {
    if (!known[up_src(c, n, j).id]) return;
    operand[j] = value[up_src(c, n, j).id];
  }
  if (nsrc == 0 || nsrc > 3 || !engine_value(c, n, operand, f, &got)) return;
  fz_require(up_int_eq(got, value[n.id].i), "the reference evaluator and exec_alu agree");
}

static void compare_at(up_ctx *c, up_node root, const or_witness *w, or_frame f) {
  or_values v = {0};
  fz_require(or_eval(c, root, f, w, &v), "memory");
  up_val *value = calloc((size_t)root.id + 1, sizeof *value);
  bool *known = calloc((size_t)root.id + 1, sizeof *known);
  fz_require(value && known, "memory");
  for (uint32_t i = 0; i < v.n; i++) {
    /* a vector has an entry a lane: exec_alu is asked about scalars */
    bool scalar = up_dt_count(up_dtype_of(c, v.node[i])) == 1;
    known[v.node[i].id] = v.def[i] == OR_VALUE_OK && scalar;
    if (known[v.node[i].id]) compare_node(c, &v, i, f, value, known);
  }
  free(value);
  free(known);
  or_values_clear(&v);
}

void fz_require_evaluators_agree(fz_harness *h, up_node root, uint64_t seed) {
  up_list topo = {0};
  fz_rng r = {seed};
  fz_require(up_toposort(h->c, root, &topo), "memory");
  uint32_t n = count_variables(h->c, &topo);
  or_witness w = {.var = calloc((size_t)n + 1, sizeof *w.var),
                  .value = calloc((size_t)n + 1, sizeof *w.value)};
  fz_require(w.var && w.value, "memory");
  for (uint32_t i = 0; i < n; i++) mpz_init(w.value[i]);
  for (unsigned i = 0; i < 4; i++) {
    pick_point(h->c, &topo, &r, &w);
    compare_at(h->c, root, &w, i % 2 ? OR_WRAP : OR_IDEAL);
  }
  w.n = n;
  or_witness_clear(&w);
  up_list_free(&topo);
}

/* ---- reports --------------------------------------------------------------------------------- */

void fz_require_report(fz_harness *h, up_node root, const or_report *r) {
  int rules = (int)up_rule_count(h->profile);
  if (r->verdict == OR_ERROR) fail("a check without a solver has no error", r->reason);
  fz_require(r->verdict < OR_VERDICT_COUNT, "the verdict is one of the verdicts");
  fz_require(r->nfindings <= 7, "a finding a kind at most");
  fz_require((r->nfindings > 0) == (r->verdict == OR_DIFFERS),
             "findings and verdict belong together");
  fz_require(up_ctx_status(h->c) == UP_OK, "a check leaves the context's status clean");
  for (uint32_t i = 0; i < r->nfindings; i++) {
    const or_finding *f = &r->finding[i];
    fz_require(f->rule >= -1 && f->rule < rules, "the blamed rule is a rule of the profile");
    fz_require(!up_is_none(f->graph), "a finding has a graph");
    or_kind kind = OR_VALUE;
    bool named = or_kind_parse(or_kind_name(f->kind), &kind);
    fz_require(named && kind == f->kind, "a kind is known by its name");
  }
  bool told = false;
  for (uint32_t i = 0; i < r->nfindings; i++) {
    or_kind k = r->finding[i].kind;
    told = told || k == OR_DTYPE || k == OR_SPEC;
  }
  if (!up_is_none(r->simplified) && !told && fz_is_judged(h->c, root))
    fz_require_well_formed(h->c, r->simplified);
}
