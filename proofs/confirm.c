/* Is a failure real? The rule is applied to a graph by the engine, both sides are evaluated, and
 * exec_alu must agree with the values. */
#include "confirm.h"

#include "oracle/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- exec_alu -------------------------------------------------------------------------------------- */

/* The entry of the node in this lane; a scalar stands for every lane. */
static uint32_t find(const or_values *v, up_node n, uint32_t lane) {
  for (uint32_t k = 0; k < v->n; k++) {
    bool last = k + 1 == v->n || !up_same(v->node[k + 1], n);
    if (up_same(v->node[k], n) && (v->lane[k] == lane || (v->lane[k] == 0 && last))) return k;
  }
  return UINT32_MAX;
}

/* The values of the frame where exec_alu has a word of its own: division by 0 (0.11.0's is that of
 * the frame), and shifts, which it refuses for a negative amount. */
static bool exec_is_silent(up_op op, const up_val *v, up_ctx *c) {
  if (op != UP_SHL && op != UP_SHR) return false;
  return up_int_sign(c, v[1].i) < 0 || up_int_cmp(c, v[1].i, up_int_of(64)) > 0;
}

static bool node_agrees(up_ctx *c, up_node n, or_frame f, const or_values *v, uint32_t at) {
  up_val src[3];
  up_dtype d = up_dt(up_dt_scalar(up_dtype_of(c, n)));
  up_op op = up_op_of(c, n);
  if (!fr_is_alu(op) || v->def[at] != OR_VALUE_OK) return true;
  for (uint32_t k = 0; k < up_nsrc(c, n); k++) {
    uint32_t s = find(v, up_src(c, n, k), v->lane[at]);
    bool known = s != UINT32_MAX && v->def[s] == OR_VALUE_OK;
    src[k] = up_val_int(known ? up_int_from_mpz(c, v->value[s]) : up_int_of(0));
  }
  up_int r;
  if (op == UP_CAST || op == UP_BITCAST)
    r = up_int_wrap(c, src[0].i, d);
  else if (exec_is_silent(op, src, c))
    return true;
  else
    r = up_alu(c, UP_ALU_0_11, op, d, src, up_nsrc(c, n), f != OR_IDEAL || up_dt_is_bool(d)).i;
  bool same = up_ctx_status(c) == UP_OK && up_int_eq(r, up_int_from_mpz(c, v->value[at]));
  up_ctx_clear_status(c);
  return same;
}

bool cf_exec_agrees(up_ctx *c, up_node root, or_frame f, const or_values *v) {
  (void)root;
  for (uint32_t k = 0; k < v->n; k++)
    if (!node_agrees(c, v->node[k], f, v, k)) return false;
  return true;
}

/* 0 <= v < end, of a RANGE whose end is no constant. */
static bool below_end(up_ctx *c, up_node range, or_frame f, const or_witness *w, const mpz_t v) {
  or_values end = {0};
  bool inside = up_op_of(c, range) == UP_RANGE && up_nsrc(c, range) == 1 && mpz_sgn(v) >= 0 &&
                or_eval(c, up_src(c, range, 0), f, w, &end) && end.n > 0 &&
                end.def[end.n - 1] == OR_VALUE_OK && mpz_cmp(v, end.value[end.n - 1]) < 0;
  or_values_clear(&end);
  return inside;
}

/* Every variable has a value of its declared range: other points are none. */
static bool in_domains(up_ctx *c, or_frame f, const or_witness *w) {
  bool inside = true;
  mpz_t lo, hi;
  mpz_inits(lo, hi, (mpz_ptr)0);
  for (uint32_t k = 0; k < w->n && inside; k++) {
    char name[64];
    up_int a, b;
    if (!up_var_domain(c, w->var[k], name, &a, &b)) {
      inside = below_end(c, w->var[k], f, w, w->value[k]);
      continue;
    }
    up_int_to_mpz(c, a, lo);
    up_int_to_mpz(c, b, hi);
    inside = mpz_cmp(lo, w->value[k]) <= 0 && mpz_cmp(w->value[k], hi) <= 0;
  }
  mpz_clears(lo, hi, (mpz_ptr)0);
  return inside;
}

/* ---- one graph ---------------------------------------------------------------------------------------- */

typedef struct trial {
  up_ctx *c;
  const pf_instance *i;
  or_frame frame;
  cf_graph g;
  up_node after; /* of a rewrite rule */
  up_bounds claim;
  or_values left, right;
} trial;

static bool is_bound_rule(const pf_instance *i) { return i->right == PF_NIL; }

static bool bound_fails(trial *t, const mpz_t v) {
  mpz_t lo, hi;
  if (t->claim.lo.is_float || t->claim.hi.is_float) return false;
  mpz_inits(lo, hi, (mpz_ptr)0);
  up_int_to_mpz(t->c, t->claim.lo.i, lo);
  up_int_to_mpz(t->c, t->claim.hi.i, hi);
  bool fails = mpz_cmp(v, lo) < 0 || mpz_cmp(v, hi) > 0;
  /* of a bool 0 <= lo is claimed, too: obligations take it for granted */
  if (up_dt_is_bool(up_dtype_of(t->c, t->g.root)) && mpz_sgn(lo) < 0) fails = true;
  mpz_clears(lo, hi, (mpz_ptr)0);
  return fails;
}

static bool root_of(const or_values *v, uint32_t *at) {
  *at = v->n - 1;
  return v->n > 0;
}

static cf_progress judge_bound(trial *t) {
  uint32_t l;
  t->claim = up_minmax(t->c, t->g.root);
  if (up_ctx_status(t->c) != UP_OK || up_minmax_rule(t->c, t->g.root) != (int)t->i->rule)
    return CF_NOT_APPLIED;
  if (!or_eval(t->c, t->g.root, t->frame, &t->g.at, &t->left) || !root_of(&t->left, &l) ||
      t->left.def[l] != OR_VALUE_OK)
    return CF_NOT_DEFINED;
  if (!bound_fails(t, t->left.value[l])) return CF_NO_FAILURE;
  return cf_exec_agrees(t->c, t->g.root, t->frame, &t->left) ? CF_CONFIRMED : CF_NOT_EXECUTED;
}

/* The result has another dtype, or is no graph that the type spec accepts. */
static bool leaves_dtype(const trial *t) {
  up_node bad;
  if (up_dtype_of(t->c, t->g.root) != up_dtype_of(t->c, t->after)) return true;
  return up_type_verify(t->c, t->g.root, &bad) && !up_type_verify(t->c, t->after, &bad);
}

static cf_progress judge_rewrite(trial *t) {
  uint32_t l, r;
  t->after = rule_interpret(t->c, t->i->book, t->i->rule, t->g.root);
  if (up_ctx_status(t->c) != UP_OK || up_is_none(t->after)) return CF_NOT_APPLIED;
  if (!or_eval(t->c, t->g.root, t->frame, &t->g.at, &t->left) || !root_of(&t->left, &l) ||
      t->left.def[l] != OR_VALUE_OK)
    return CF_NOT_DEFINED;
  if (t->i->to_scalar) return leaves_dtype(t) ? CF_CONFIRMED : CF_NO_FAILURE;
  if (!or_eval(t->c, t->after, t->frame, &t->g.at, &t->right) || !root_of(&t->right, &r) ||
      t->right.def[r] == OR_VALUE_UNSUPPORTED)
    return CF_NO_FAILURE;
  if (t->right.def[r] == OR_VALUE_OK && mpz_cmp(t->left.value[l], t->right.value[r]) == 0)
    return CF_NO_FAILURE;
  if (!cf_exec_agrees(t->c, t->g.root, t->frame, &t->left) ||
      !cf_exec_agrees(t->c, t->after, t->frame, &t->right))
    return CF_NOT_EXECUTED;
  return CF_CONFIRMED;
}

static void trial_clear(trial *t) {
  or_values_clear(&t->left);
  or_values_clear(&t->right);
  cf_graph_clear(&t->g);
}

/* ---- the line for a person ------------------------------------------------------------------------------ */

/* The expression of a graph, without the lines that declare its variables. */
static void put_expression(up_ctx *c, up_node n, up_buf *out) {
  up_buf text = {0};
  up_print_infix(c, n, &text);
  while (text.len > 0 && text.p[text.len - 1] == '\n') text.p[--text.len] = 0;
  char *last = text.len ? strrchr(text.p, '\n') : NULL;
  up_buf_puts(out, last ? last + 1 : text.len ? text.p : "?");
  up_buf_free(&text);
}

static void put_point(trial *t, up_buf *out) {
  for (uint32_t k = 0; k < t->g.at.n; k++) {
    up_int lo, hi;
    char name[64], dt[32];
    up_node v = t->g.at.var[k];
    if (!up_var_domain(t->c, v, name, &lo, &hi)) continue;
    up_dt_print(up_dtype_of(t->c, v), dt);
    up_buf_printf(out, "%s%s = ", k ? ", " : " at ", name);
    up_int_put(t->c, up_int_from_mpz(t->c, t->g.at.value[k]), out);
    up_buf_puts(out, " in [");
    up_int_put(t->c, lo, out);
    up_buf_puts(out, ",");
    up_int_put(t->c, hi, out);
    up_buf_printf(out, "] as %s", dt);
  }
}

/* Of a number of hundreds of digits the first ones. */
static void put_end(up_ctx *c, up_val v, up_buf *out) {
  up_buf text = {0};
  up_val_put(c, v, &text);
  if (text.len <= 60)
    up_buf_put(out, text.p ? text.p : "", text.len);
  else
    up_buf_printf(out, "%.20s... of %zu digits", text.p, text.len - (text.p[0] == '-'));
  if (text.no_memory) out->no_memory = true;
  up_buf_free(&text);
}

static void put_value(trial *t, const or_values *v, up_buf *out) {
  uint32_t at = v->n - 1;
  if (v->def[at] == OR_VALUE_OK)
    up_int_put(t->c, up_int_from_mpz(t->c, v->value[at]), out);
  else
    up_buf_puts(out, "undefined");
}

static void put_line(trial *t, up_buf *out) {
  char dt[32];
  up_dt_print(up_dtype_of(t->c, t->g.root), dt);
  put_expression(t->c, t->g.root, out);
  up_buf_printf(out, " as %s", dt);
  if (!is_bound_rule(t->i)) {
    up_buf_puts(out, " -> ");
    put_expression(t->c, t->after, out);
  }
  put_point(t, out);
  up_buf_puts(out, ": ");
  if (t->i->to_scalar) {
    up_dt_print(up_dtype_of(t->c, t->after), dt);
    up_buf_printf(out, "becomes %s", dt);
    return;
  }
  put_value(t, &t->left, out);
  if (is_bound_rule(t->i)) {
    up_buf_puts(out, ", claimed [");
    put_end(t->c, t->claim.lo, out);
    up_buf_puts(out, ", ");
    put_end(t->c, t->claim.hi, out);
    up_buf_puts(out, "]");
  } else {
    up_buf_puts(out, " becomes ");
    put_value(t, &t->right, out);
  }
}

/* ---- all ways --------------------------------------------------------------------------------------------- */

cf_progress cf_try(up_ctx *c, const pf_instance *i, const pf_point *at, or_frame f, uint32_t way,
                   up_buf *line) {
  trial t = {.c = c, .i = i, .frame = f};
  cf_progress p = CF_NO_GRAPH;
  up_ctx_reset(c);
  if (cf_build(c, i, at, f, way, &t.g) && in_domains(c, f, &t.g.at))
    p = is_bound_rule(i) ? judge_bound(&t) : judge_rewrite(&t);
  up_ctx_clear_status(c);
  if (p == CF_CONFIRMED) put_line(&t, line);
  trial_clear(&t);
  return p;
}

bool pf_confirm(const up_profile *profile, const pf_instance *i, const pf_point *at, or_frame f,
                up_buf *line, char *why) {
  static const char *const told[] = {
      [CF_NO_GRAPH] = "no graph has this left side",
      [CF_NOT_APPLIED] = "the rule does not apply to any graph that was tried",
      [CF_NOT_DEFINED] = "the left side has no value at the point",
      [CF_NO_FAILURE] = "both sides have the same value at the point",
      [CF_NOT_EXECUTED] = "exec_alu and the reference evaluator disagree"};
  up_ctx *c = up_ctx_new(profile);
  cf_progress best = CF_NO_GRAPH;
  uint32_t ways = c ? cf_ways(i) : 0;
  for (uint32_t way = 0; way < ways && best != CF_CONFIRMED; way++) {
    cf_progress p = cf_try(c, i, at, f, way, line);
    if (p > best) best = p;
  }
  up_ctx_free(c);
  if (best != CF_CONFIRMED) snprintf(why, 120, "%s", c ? told[best] : "no memory");
  return best == CF_CONFIRMED;
}
