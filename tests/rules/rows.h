/* Rows about rewrite rules: a graph on which the rule is the one that applies, with what it makes, and
 * a near miss that it leaves alone; and the check of a row. */
#ifndef UPROOF_TESTS_RULES_ROWS_H
#define UPROOF_TESTS_RULES_ROWS_H

#include "common.h"
#include "oracle/oracle.h"

typedef struct row {
  const char *set, *rule;
  const char *input, *want; /* the rule is the first of its set to apply here, and makes this */
  const char *miss;         /* here it does not apply, were it the only rule */
} row;

#define S0 "symbolic_simple"
#define S1 "symbolic"
#define S2 "symbolic_flat"

#define GEPS "gep_pushing"
#define SYM "sym"
#define V2 "VECTORIZE:int.vec2(x, y)"
#define V4 "VECTORIZE:int.vec4(x, y, z, n)"
#define AT "INDEX:ptr.int(DEFINE_GLOBAL:ptr.int()[0], x)"
#define AT_IF(gate) "INDEX:ptr.int(DEFINE_GLOBAL:ptr.int()[0], x, " gate ")"
#define W64 "cast(w, ulong)"

/* a published vector: counter 243f6a88 85a308d3, key 13198a2e 03707344, c4923a9c 483df7a0 */
#define COUNTER "9629550131187509896:ulong"
#define KEY "247824715720788526:ulong"
#define BLOCK "value 5205589014174907036"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Nodes that no text may hold: "GEP of g" is element 0 of g, "VECTORIZE of g" has the sources of g;
 * both are void. */
static inline up_node input_of(rig *r, const char *text) {
  bool gep = strncmp(text, "GEP of ", 7) == 0, vec = strncmp(text, "VECTORIZE of ", 13) == 0;
  if (!gep && !vec) return graph(r, text);
  up_node g = graph(r, text + (gep ? 7 : 13)), src[4];
  up_arg zero = up_arg_int(r->c, up_int_of(0));
  if (gep) return up_new(r->c, UP_GEP, up_dt(UP_VOID), &g, 1, up_arg_list(r->c, &zero, 1));
  for (uint32_t i = 0; i < up_nsrc(r->c, g); i++) src[i] = up_src(r->c, g, i);
  return up_new(r->c, UP_VECTORIZE, up_dt(UP_VOID), src, up_nsrc(r->c, g), up_arg_none());
}

/* The node, or of a want "value V" the value: a graph of constants too large to write down. */
static inline void expect_result(rig *r, const char *what, up_node got, const char *want) {
  if (strncmp(want, "value ", 6) != 0) {
    expect_node(r, what, got, graph(r, want));
    return;
  }
  or_values v = {0};
  assert_false(up_is_none(got));
  assert_true(or_eval(r->c, got, OR_WRAP, &(or_witness){0}, &v));
  assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
  char *text = mpz_get_str(NULL, 10, v.value[v.n - 1]);
  assert_string_equal(text, want + 6);
  free(text);
  or_values_clear(&v);
}

/* A rule set of this one rule. */
static inline rig rig_only(rig *r, const char *name) {
  up_buf b = {0};
  up_error e = {0};
  int number = up_rule_find(r->p, name);
  if (number < 0) fail_msg("no rule %s", name);
  up_buf_printf(&b, "%s\n", up_rule_at(r->p, (uint32_t)number).text);
  rig one = rig_of(up_profile_parse(up_profile_name(r->p), b.p, b.len, &e), &e);
  up_buf_free(&b);
  return one;
}

static inline void check_miss(rig *r, const row *t) {
  rig one = rig_only(r, t->rule);
  int number;
  /* the text of a rule is the whole rule: on its own it does what it does in its set */
  up_node in = input_of(&one, t->input);
  up_node got = up_apply_first(one.c, set_of(&one, "symbolic"), in, &number);
  if (strcmp(t->rule, "nest_div_by_smallest_factor") != 0) /* that one simplifies with its set */
    expect_result(&one, t->rule, got, t->want);
  got = up_apply_first(one.c, set_of(&one, "symbolic"), input_of(&one, t->miss), &number);
  assert_int_equal(up_ctx_status(one.c), UP_OK);
  expect_node(&one, t->miss, got, UP_NONE);
  rig_free(&one);
}

static inline void check_row(rig *r, const row *t) {
  int number;
  up_node got = up_apply_first(r->c, set_of(r, t->set), input_of(r, t->input), &number);
  const char *name = number < 0 ? "no rule" : up_rule_at(r->p, (uint32_t)number).name;
  if (strcmp(name, t->rule) != 0) fail_msg("%s: %s applies to %s", t->rule, name, t->input);
  if (strcmp(t->rule, "mul_zero_nan") == 0) { /* nan is not the same node twice to a reader */
    assert_true(up_is_const(r->c, got) && up_const_val(r->c, got).is_float);
    return;
  }
  expect_result(r, t->rule, got, t->want);
  check_miss(r, t);
}

static inline void check_rows(const char *profile, const row *rows, size_t n) {
  rig r = rig_load(profile);
  for (size_t i = 0; i < n; i++) check_row(&r, &rows[i]);
  rig_free(&r);
}

#endif
