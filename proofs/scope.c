#include "scope.h"

#include "engine/match.h"
#include <stdlib.h>

uint32_t sc_pick(sc_maker *m, uint32_t n) {
  uint32_t digit = (uint32_t)(m->rest % n);
  m->rest /= n;
  m->count *= n;
  return digit;
}

static const int64_t small_factors[] = {1, -3, 2, 4, -1, 6};
static const int64_t small_constants[] = {0, -5, 1, 7, -1, 4};
static const int64_t small_divisors[] = {1, 2, 3, 4, 6, -2};
static const int64_t small_ranges[][2] = {{0, 1}, {0, 5}, {-3, 2}};
static const int64_t char_factors[] = {1, -3, 2, 64};
static const int64_t char_constants[] = {0, -100, 1, 100};
static const int64_t char_divisors[] = {1, 2, 3, 64, -2};
static const int64_t char_ranges[][2] = {{0, 1}, {92, 100}, {-128, -120}};

static sc_dial dial_of(or_frame f) {
  sc_dial d = {0};
#define SET(field, a) (d.field = (a), d.n##field = (uint32_t)(sizeof(a) / sizeof *(a)))
  if (f == OR_IDEAL) {
    d.type = UP_INT;
    SET(factor, small_factors), SET(constant, small_constants);
    SET(divisor, small_divisors), SET(range, small_ranges);
  } else {
    d.type = UP_CHAR;
    SET(factor, char_factors), SET(constant, char_constants);
    SET(divisor, char_divisors), SET(range, char_ranges);
  }
#undef SET
  return d;
}

/* ---- one graph ------------------------------------------------------------------------------ */

typedef struct sweep {
  const rulebook *book;
  uint32_t only; /* the one rule to try; UINT32_MAX: all */
  or_frame frame;
  up_ctx *c;
  or_checker *k;
  up_trace trace;
  pf_scope_row *row;
} sweep;

static void put_first(sweep *s, pf_scope_row *row, up_node root, up_node to, const or_answer *a) {
  if (row->first.len) return;
  up_print_infix(s->c, root, &row->first);
  if (up_is_none(to)) {
    up_buf_puts(&row->first, " raises");
    return;
  }
  up_buf_puts(&row->first, " became ");
  if (!up_render(s->c, to, &row->first)) up_print_infix(s->c, to, &row->first);
  up_buf_puts(&row->first, " : at ");
  or_witness_put(s->c, &a->witness, &row->first);
  up_buf_printf(&row->first, " expected %s, actual %s", a->expected, a->actual);
}

static or_verdict verdict_of(sweep *s, up_node from, up_node to) {
  or_answer a = or_equiv(s->k, s->c, from, to, s->frame, NULL);
  or_verdict v = a.verdict;
  or_answer_clear(&a);
  return v;
}

/* Is what the rule was given wrong already: a claim about the bounds of a part, or a rewrite that it
 * ran on one? */
static bool misled(sweep *s, up_node root) {
  or_answer a = or_bounds(s->k, s->c, root, s->frame);
  bool wrong = a.verdict == OR_DIFFERS;
  or_answer_clear(&a);
  for (uint32_t i = 0; i < s->trace.n && !wrong; i++)
    wrong = verdict_of(s, s->trace.step[i].before, s->trace.step[i].after) == OR_DIFFERS;
  return wrong;
}

/* A graph that is undefined everywhere may raise: it has no value to be kept. */
static void judge_raise(sweep *s, pf_scope_row *row, up_node root) {
  up_ctx_clear_status(s->c);
  up_dtype dt = up_dtype_of(s->c, root);
  up_node other = up_var(s->c, "other", up_int_of(0), up_int_of(1), dt);
  if (verdict_of(s, root, other) != OR_DIFFERS) return;
  row->raised++;
  put_first(s, row, root, UP_NONE, NULL);
}

static bool judge(sweep *s, pf_scope_row *row, up_node root, up_node to) {
  row->applied++;
  or_answer a = or_equiv(s->k, s->c, root, to, s->frame, NULL);
  bool ok = a.verdict != OR_ERROR && a.verdict != OR_UNDECIDED && a.verdict != OR_SAMPLED;
  if (a.verdict == OR_UNSUPPORTED) row->unsupported++;
  if (a.verdict == OR_DIFFERS) {
    if (misled(s, root)) {
      row->inherited++;
    } else {
      row->wrong++;
      put_first(s, row, root, to, &a);
    }
  }
  or_answer_clear(&a);
  return ok;
}

static bool try_rule(sweep *s, uint32_t r, up_node root) {
  const pat *p = pat_at(&s->book->pats, s->book->rule[r].pat);
  if (!opset_has(&p->ops, up_op_of(s->c, root))) return true;
  pf_scope_row *row = &s->row[r];
  row->tried++;
  s->trace.n = 0;
  up_ctx_trace(s->c, &s->trace);
  up_node to = rule_interpret(s->c, s->book, r, root);
  up_ctx_trace(s->c, NULL);
  up_status status = up_ctx_status(s->c);
  if (status == UP_NO_MEMORY) return false;
  if (status != UP_OK) {
    judge_raise(s, row, root);
    return true;
  }
  return up_is_none(to) || judge(s, row, root, to);
}

/* ---- the scope ------------------------------------------------------------------------------ */

/* Shares that cut across the digits of the numbers: a plain remainder would give one share all of the
 * divisions and another all of the remainders. */
static bool in_share(uint64_t i, pf_share s) {
  return ((i * UINT64_C(0x9e3779b97f4a7c15)) >> 33) % s.parts == s.part;
}

static bool concerns(const sweep *s, uint32_t r) {
  const rule *it = &s->book->rule[r];
  return it->kind == UP_RULE_REWRITE && it->native && (s->only == UINT32_MAX || s->only == r);
}

/* Can a rule that is tried match a root of this family? */
static bool is_of_use(const sweep *s, const sc_family *fam) {
  if (fam->root[0] == UP_NOOP) return true;
  for (uint32_t r = 0; r < s->book->nrule; r++) {
    if (!concerns(s, r)) continue;
    const opset *ops = &pat_at(&s->book->pats, s->book->rule[r].pat)->ops;
    for (unsigned i = 0; i < 4 && fam->root[i] != UP_NOOP; i++)
      if (opset_has(ops, fam->root[i])) return true;
  }
  return false;
}

static bool try_rules(sweep *s, up_node root) {
  for (uint32_t r = 0; r < s->book->nrule; r++)
    if (concerns(s, r) && !try_rule(s, r, root)) return false;
  return true;
}

static bool sweep_family(sweep *s, const sc_dial *dial, const sc_family *fam, pf_share share) {
  uint64_t count = 1;
  for (uint64_t i = 0; i < count && is_of_use(s, fam); i++) {
    bool mine = in_share(i, share);
    if (i > 0 && !mine) continue;
    up_ctx_reset(s->c);
    sc_maker m = {s->c, dial, i, 1};
    up_node root = fam->make(&m);
    count = m.count;
    if (!mine || up_is_none(root)) continue;
    if (up_ctx_status(s->c) != UP_OK || !try_rules(s, root)) return false;
  }
  return true;
}

static bool sweep_families(sweep *s, const sc_family *fam, pf_share share) {
  sc_dial dial = dial_of(s->frame);
  for (; fam->make; fam++)
    if (!sweep_family(s, &dial, fam, share)) return false;
  return true;
}

static bool run(const up_profile *p, uint32_t only, or_frame f, pf_share share, pf_scope_row *row) {
  or_limits limits = or_limits_default();
  limits.solver_rlimit = 0;
  limits.samples = 0;
  limits.max_points = 1 << 20;
  sweep s = {.book = &p->book,
             .only = only,
             .frame = f,
             .c = up_ctx_new(p),
             .k = or_checker_new(&limits),
             .row = row};
  bool ok = s.c && s.k && sweep_families(&s, sc_sums, share) && sweep_families(&s, sc_other, share);
  up_trace_free(&s.trace);
  or_checker_free(s.k);
  up_ctx_free(s.c);
  return ok;
}

bool pf_scope_run(const up_profile *p, or_frame f, pf_share share, pf_scope_row *row) {
  return run(p, UINT32_MAX, f, share, row);
}

bool pf_scope_rule(const up_profile *p, uint32_t rule_number, or_frame f, pf_share share,
                   pf_scope_row *row) {
  pf_scope_row *all = calloc(p->book.nrule, sizeof *all);
  bool ok = all && run(p, rule_number, f, share, all);
  if (ok) *row = all[rule_number];
  if (ok) all[rule_number].first = (up_buf){0};
  if (all) pf_scope_clear(all, p->book.nrule);
  free(all);
  return ok;
}

void pf_scope_clear(pf_scope_row *row, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) up_buf_free(&row[i].first);
}
