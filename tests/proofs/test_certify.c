/* Certificates: what is certified is true, what is altered is declined, and most steps are certified. */
#include "fuzz/gen.h"
#include "oracle/oracle.h"
#include "proofs/certify.h"
#include "tests/support/cm.h"
#include <stdlib.h>
#include <string.h>

typedef struct rig {
  up_profile *p;
  pf_certifier *k;
  up_ctx *c;
  or_checker *truth; /* samples and enumerates */
} rig;

/* Certificates by the rules that are not marked as wrong in ideal. */
static rig setup(const char *profile) {
  up_error err = {0};
  rig r = {.p = up_profile_load(profile, &err)};
  assert_non_null(r.p);
  uint32_t n = up_rule_count(r.p);
  bool *proved = calloc(n, sizeof *proved);
  assert_non_null(proved);
  for (uint32_t i = 0; i < n; i++) proved[i] = !(up_rule_at(r.p, i).wrong_in & UP_RULE_IDEAL);
  or_limits l = or_limits_default();
  l.solver_rlimit = 0;
  l.samples = 200;
  r.k = pf_certifier_new(r.p, proved);
  r.c = up_ctx_new(r.p);
  r.truth = or_checker_new(&l);
  assert_true(r.k && r.c && r.truth);
  free(proved);
  return r;
}

static void teardown(rig *r) {
  or_checker_free(r->truth);
  up_ctx_free(r->c);
  pf_certifier_free(r->k);
  up_profile_free(r->p);
}

static up_node graph(rig *r, uint64_t i) {
  uint8_t bytes[512];
  fz_opts o = fz_opts_default();
  up_ctx_reset(r->c);
  pf_certifier_forget(r->k);
  return fz_decode(r->c, &o, bytes, fz_case_bytes(5, i, bytes, sizeof bytes));
}

static bool differs(rig *r, up_node a, up_node b) {
  or_answer v = or_equiv(r->truth, r->c, a, b, OR_IDEAL, NULL);
  bool d = v.verdict == OR_DIFFERS;
  or_answer_clear(&v);
  return d;
}

static void certified_steps_are_sound_and_altered_ones_are_declined(void **s) {
  (void)s;
  rig r = setup("v0.11.0:correct-divmod");
  unsigned steps = 0, certified = 0;
  for (uint64_t i = 0; i < 1500; i++) {
    up_trace t = {0};
    if (up_simplify(r.c, graph(&r, i), &t).status != UP_OK) t.n = 0;
    for (uint32_t k = 0; k < t.n; k++) {
      up_step step = t.step[k];
      if (step.depth || up_same(step.before, step.after)) continue;
      steps++;
      if (!pf_certify_step(r.k, r.c, &step)) continue;
      certified++;
      if (differs(&r, step.before, step.after))
        fail_msg("%s is certified and wrong", up_rule_at(r.p, (uint32_t)step.rule).name);
      bool flag = up_dt_is_bool(up_dtype_of(r.c, step.after));
      up_node one = up_const_like(r.c, step.after, up_int_of(1));
      step.after = flag ? up_not(r.c, step.after) : up_binary(r.c, UP_ADD, step.after, one);
      if (pf_certify_step(r.k, r.c, &step) && differs(&r, step.before, step.after))
        fail_msg("%s plus one is certified", up_rule_at(r.p, (uint32_t)step.rule).name);
    }
    up_trace_free(&t);
  }
  assert_true(steps > 5000);
  assert_true(certified * 100 > steps * 90);
  teardown(&r);
}

/* Whatever a native may ever make of a node: results of other steps put in place of the right one. */
static void native_steps_with_foreign_results_are_certified_only_where_true(void **s) {
  (void)s;
  rig r = setup("v0.11.0:correct-divmod");
  unsigned tried = 0;
  for (uint64_t i = 0; i < 1500; i++) {
    up_trace t = {0};
    if (up_simplify(r.c, graph(&r, i), &t).status != UP_OK) t.n = 0;
    for (uint32_t a = 0; a < t.n; a++) {
      if (!up_rule_at(r.p, (uint32_t)t.step[a].rule).native) continue;
      for (uint32_t b = 0; b < t.n && b < a + 6; b++) {
        up_step step = {t.step[a].rule, t.step[a].before, t.step[b].after, 0};
        tried++;
        if (pf_certify_step(r.k, r.c, &step) && differs(&r, step.before, step.after))
          fail_msg("a foreign result of %s is certified",
                   up_rule_at(r.p, (uint32_t)step.rule).name);
      }
    }
    up_trace_free(&t);
  }
  assert_true(tried > 3000);
  teardown(&r);
}

static void certified_hold(const char *profile, unsigned at_least) {
  rig r = setup(profile);
  unsigned certified = 0;
  for (uint64_t i = 0; i < 800; i++) {
    up_node g = graph(&r, i);
    if (!pf_certify_bounds(r.k, r.c, g)) continue;
    certified++;
    or_answer a = or_bounds(r.truth, r.c, g, OR_IDEAL);
    assert_int_not_equal(a.verdict, OR_DIFFERS);
    or_answer_clear(&a);
  }
  if (certified < at_least) fail_msg("%s: only %u certified", profile, certified);
  teardown(&r);
}

/* In 0.11.0 no sum has a certificate: its bound_add is wrong at bool. */
static void certified_bounds_hold(void **s) {
  (void)s;
  certified_hold("sound", 700);
  certified_hold("v0.11.0", 200);
}

static up_node parse(rig *r, const char *text) {
  up_node n;
  up_error err = {0};
  if (!up_parse_infix(r->c, text, strlen(text), &n, &err)) fail_msg("%s: %s", text, err.msg);
  return n;
}

static bool certifies(rig *r, const char *name, const char *vars, const char *before,
                      const char *after) {
  char a[256], b[256];
  snprintf(a, sizeof a, "%s\n%s", vars, before);
  snprintf(b, sizeof b, "%s\n%s", vars, after);
  up_step step = {up_rule_find(r->p, name), parse(r, a), parse(r, b), 0};
  assert_true(step.rule >= 0);
  return pf_certify_step(r->k, r->c, &step);
}

static void the_premises_of_lemmas_are_asked_for(void **s) {
  (void)s;
  rig r = setup("v0.11.0:correct-divmod");
  const char *natural = "x in [0,99]\ny in [0,3]", *any = "x in [-99,99]\ny in [0,3]";
  const char *folder = "simplify_remainder";
  assert_true(certifies(&r, folder, natural, "(x*4+y)//4", "x"));
  assert_false(certifies(&r, folder, any, "(x*4+y)//4", "x"));
  assert_true(certifies(&r, folder, natural, "(x*4+y)%4", "y"));
  assert_false(certifies(&r, folder, any, "(x*4+y)%4", "y"));
  assert_true(certifies(&r, folder, any, "(x*4)//12", "x//3"));
  assert_true(certifies(&r, folder, any, "(x*4)//-12", "x//-3"));
  assert_false(certifies(&r, folder, any, "(x*4)//12", "x//4"));
  assert_true(certifies(&r, folder, any, "(x*4)%12", "(x%3)*4"));
  assert_true(certifies(&r, folder, natural, "(x*4+2)%12", "(x%3)*4+2"));
  assert_false(certifies(&r, folder, natural, "(x*4+2)%12", "(x%3)*4+3"));
  assert_false(certifies(&r, folder, any, "(x*4+2)%12", "(x%3)*4+2"));
  assert_true(certifies(&r, "lt_folding", any, "x*4+y<12", "x<3"));
  assert_false(certifies(&r, "lt_folding", any, "x*3+y<12", "x<4"));
  assert_true(certifies(&r, "fold_unrolled_divs", natural, "x//2+(x+1)//2", "x"));
  assert_false(certifies(&r, "fold_unrolled_divs", any, "x//2+(x+1)//2", "x"));
  assert_false(certifies(&r, "fold_unrolled_divs", natural, "x//2+(x+2)//2", "x"));
  assert_true(certifies(&r, "fold_unrolled_divs", natural, "(y+1)//4+(y+2)//4+(y+3)//4", "y"));
  teardown(&r);
}

/* 0 * (1 // y) is no 0 where y is 0: a linear form does not see it. */
static void a_result_that_is_less_defined_is_declined(void **s) {
  (void)s;
  rig r = setup("v0.11.0:correct-divmod");
  const char *vars = "x in [0,99]\ny in [0,3]";
  assert_true(certifies(&r, "simplify_remainder", vars, "(x*4)//4", "x"));
  assert_false(certifies(&r, "simplify_remainder", vars, "(x*4)//4", "x+(1//y)*0"));
  assert_true(certifies(&r, "simplify_remainder", vars, "(x*4+(1//y)*4)//4", "x+1//y"));
  teardown(&r);
}

static void steps_of_rules_that_are_not_proved_are_declined(void **s) {
  (void)s;
  rig r = setup("v0.11.0");
  assert_false(certifies(&r, "fold_divmod_congruence", "x in [0,9]", "(x*4)//4", "x"));
  assert_true(certifies(&r, "divide_by_gcd", "x in [0,9]", "(x*4)//4", "x"));
  teardown(&r);
}

/* Such a step is in no trace, but may be in one that another program tells. */
static void a_rule_of_bounds_certifies_no_step(void **s) {
  (void)s;
  rig r = setup("sound");
  up_node x = up_var(r.c, "x", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  up_node y = up_var(r.c, "y", up_int_of(0), up_int_of(9), up_dt(UP_INT));
  up_node sum = up_binary(r.c, UP_ADD, x, y);
  up_step step = {.rule = up_minmax_rule(r.c, sum), .before = sum, .after = x};
  assert_true(step.rule >= 0);
  assert_int_equal(up_rule_at(r.p, (uint32_t)step.rule).kind, UP_RULE_BOUND);
  assert_false(pf_certify_step(r.k, r.c, &step));
  teardown(&r);
}

/* With certificates a check says so, with the same findings as without. */
static void checks_are_certified_and_find_the_same(void **s) {
  (void)s;
  rig r = setup("v0.11.0");
  unsigned certified = 0, findings = 0;
  or_certifier hooks = pf_certifier_hooks(r.k);
  for (uint64_t i = 0; i < 1500; i++) {
    or_report with = {0}, without = {0};
    or_checker_certify(r.truth, &hooks);
    or_check(r.truth, r.c, graph(&r, i), OR_IDEAL, &with);
    or_checker_certify(r.truth, NULL);
    or_check(r.truth, r.c, graph(&r, i), OR_IDEAL, &without);
    certified += with.verdict == OR_CERTIFIED;
    findings += without.nfindings;
    if (with.nfindings != without.nfindings)
      fail_msg("graph %u is judged in two ways", (unsigned)i);
    or_report_clear(&with);
    or_report_clear(&without);
  }
  assert_true(certified > 900);
  assert_true(findings > 0);
  teardown(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certified_steps_are_sound_and_altered_ones_are_declined),
      cmocka_unit_test(native_steps_with_foreign_results_are_certified_only_where_true),
      cmocka_unit_test(certified_bounds_hold),
      cmocka_unit_test(the_premises_of_lemmas_are_asked_for),
      cmocka_unit_test(a_result_that_is_less_defined_is_declined),
      cmocka_unit_test(steps_of_rules_that_are_not_proved_are_declined),
      cmocka_unit_test(a_rule_of_bounds_certifies_no_step),
      cmocka_unit_test(checks_are_certified_and_find_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
