/* A vector variable is one variable a lane: independent, found and named by lane, dropped by lane. */
#include "rig.h"

#include "oracle/findings.h"

typedef struct vec2 {
  rig r;
  up_node v, x, y; /* the vector and its lanes */
} vec2;

static up_node pick(rig *r, up_node v, int64_t lane) {
  return up_new(r->c, UP_GEP, up_dt(up_dt_scalar(up_dtype_of(r->c, v))), &v, 1,
                up_arg_int(r->c, up_int_of(lane)));
}

static vec2 open(int64_t lo, int64_t hi) {
  vec2 t = {.r = rig_new()};
  t.v = up_var(t.r.c, "v", up_int_of(lo), up_int_of(hi), up_dt_vec(up_dt(UP_INT), 2));
  t.x = pick(&t.r, t.v, 0);
  t.y = pick(&t.r, t.v, 1);
  return t;
}

static up_node pair(rig *r, up_node a, up_node b) {
  up_node src[2] = {a, b};
  return up_new(r->c, UP_VECTORIZE, up_dt_vec(up_dt(UP_INT), 2), src, 2, up_arg_none());
}

static void lanes_are_independent(void **state) {
  (void)state;
  vec2 t = open(0, 3);
  or_answer a = or_equiv(t.r.k, t.r.c, t.x, t.y, OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_int_equal(a.witness.n, 2);
  assert_int_equal(or_witness_lane(&a.witness, 0), 0);
  assert_int_equal(or_witness_lane(&a.witness, 1), 1);
  assert_int_not_equal(mpz_cmp(a.witness.value[0], a.witness.value[1]), 0);
  up_buf got = {0};
  char want[64];
  or_witness_put(t.r.c, &a.witness, &got);
  snprintf(want, sizeof want, "{\"v.0\":%ld,\"v.1\":%ld}", mpz_get_si(a.witness.value[0]),
           mpz_get_si(a.witness.value[1]));
  assert_string_equal(got.p, want);
  up_buf_free(&got);
  or_answer_clear(&a);
  rig_free(&t.r);
}

/* v*4 lane by lane; small boxes are enumerated, large ones solved. */
static void each_stage_takes_lanes(void **state) {
  (void)state;
  for (int big = 0; big < 2; big++) {
    vec2 t = open(0, big ? 500000000 : 50);
    up_dtype d2 = up_dt_vec(up_dt(UP_INT), 2);
    up_node four = num(&t.r, 4, UP_INT);
    up_node whole = op2(&t.r, UP_MUL, t.v, up_const_int(t.r.c, d2, 4));
    up_node apart = pair(&t.r, op2(&t.r, UP_MUL, t.x, four), op2(&t.r, UP_MUL, four, t.y));
    or_answer a = or_equiv(t.r.k, t.r.c, whole, apart, OR_REFINE, NULL);
    assert_verdict(a, big ? OR_PROVED : OR_EXHAUSTED);
    up_node turned = pair(&t.r, op2(&t.r, UP_MUL, t.y, four), op2(&t.r, UP_MUL, four, t.x));
    a = or_equiv(t.r.k, t.r.c, whole, turned, OR_REFINE, NULL);
    assert_verdict(a, OR_DIFFERS);
    or_answer_clear(&a);
    rig_free(&t.r);
  }
}

/* One pair in 2^58 fails: only the solver finds it, and its model is read by lane. */
static void solver_reads_lanes(void **state) {
  (void)state;
  vec2 t = open(0, 500000000);
  up_node sum = op2(&t.r, UP_ADD, op2(&t.r, UP_MUL, t.x, num(&t.r, 3, UP_INT)), t.y);
  up_node hit = op2(&t.r, UP_CMPLT, sum, num(&t.r, 2000000000, UP_INT));
  or_answer a = or_equiv(t.r.k, t.r.c, hit, up_const_int(t.r.c, up_dt(UP_BOOL), 1), OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_int_equal(mpz_get_si(a.witness.value[0]), 500000000);
  assert_int_equal(mpz_get_si(a.witness.value[1]), 500000000);
  or_answer_clear(&a);
  rig_free(&t.r);
}

/* 16 lanes of a thousand values each, of which one is used: a thousand points. */
static void unused_lanes_do_not_count(void **state) {
  (void)state;
  rig r = rig_new();
  up_dtype d16 = up_dt_vec(up_dt(UP_INT), 16);
  up_node v = up_var(r.c, "v", up_int_of(0), up_int_of(999), d16), x = pick(&r, v, 11);
  up_node three = num(&r, 3, UP_INT);
  up_node split = op2(&r, UP_ADD, op2(&r, UP_MUL, op2(&r, UP_IDIV, x, three), three),
                      op2(&r, UP_MOD, x, three));
  or_answer a = or_equiv(r.k, r.c, split, x, OR_IDEAL, NULL);
  assert_verdict(a, OR_EXHAUSTED);
  assert_int_equal(pr_points(&r.k->program), 1000);
  a = or_equiv(r.k, r.c, split, op2(&r, UP_IDIV, x, three), OR_IDEAL, NULL);
  assert_verdict(a, OR_DIFFERS);
  assert_int_equal(a.witness.n, 1);
  assert_int_equal(or_witness_lane(&a.witness, 0), 11);
  or_answer_clear(&a);
  rig_free(&r);
}

static void evaluator_reads_lanes(void **state) {
  (void)state;
  vec2 t = open(-5, 5);
  up_node var[2] = {t.v, t.v};
  const or_i128 value[2] = {-3, 4};
  or_witness w = point_of(var, value, 2);
  w.lane = calloc(2, sizeof *w.lane);
  assert_non_null(w.lane);
  w.lane[1] = 1;
  up_node diff = op2(&t.r, UP_SUB, t.x, t.y);
  or_values v;
  assert_true(or_eval(t.r.c, diff, OR_WRAP, &w, &v));
  assert_int_equal(v.def[v.n - 1], OR_VALUE_OK);
  assert_int_equal(mpz_get_si(v.value[v.n - 1]), -7);
  or_values_clear(&v);
  /* a copy and a witness carried to another context keep the lanes */
  or_witness copy = {0}, carried = {0};
  assert_true(or_witness_copy(&copy, &w));
  assert_true(or_witness_carry(t.r.c, diff, t.r.c, &copy, &carried));
  assert_int_equal(carried.n, 2);
  assert_int_equal(mpz_get_si(carried.value[0]), -3);
  assert_int_equal(or_witness_lane(&carried, 1), 1);
  assert_int_equal(mpz_get_si(carried.value[1]), 4);
  or_witness_clear(&carried);
  or_witness_clear(&copy);
  or_witness_clear(&w);
  rig_free(&t.r);
}

static void bounds_hold_of_every_lane(void **state) {
  (void)state;
  vec2 t = open(-3, 9);
  up_dtype d2 = up_dt_vec(up_dt(UP_INT), 2);
  up_node sum = op2(&t.r, UP_ADD, t.v, up_const_int(t.r.c, d2, 7));
  or_answer a = or_bounds(t.r.k, t.r.c, sum, OR_IDEAL);
  assert_verdict(a, OR_PROVED);
  rig_free(&t.r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_independent), cmocka_unit_test(each_stage_takes_lanes),
      cmocka_unit_test(solver_reads_lanes),    cmocka_unit_test(unused_lanes_do_not_count),
      cmocka_unit_test(evaluator_reads_lanes), cmocka_unit_test(bounds_hold_of_every_lane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
