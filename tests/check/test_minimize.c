/* The minimizer: a known bug inside a large graph comes out in its own size, and the same each
 * time. */
#include <time.h>
#include "common.h"

/* ---- a large graph around a bug -------------------------------------------------------------- */

typedef struct noise {
  rig *r;
  uint64_t seed;
  up_node pool[256];
  unsigned n;
} noise;

static unsigned draw(noise *z, unsigned below) {
  z->seed = z->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(z->seed >> 33) % below;
}

static up_node pick(noise *z) { return z->pool[draw(z, z->n)]; }

/* One more node on top of those that are there; only ops that 0.10.0 simplifies soundly here. */
static up_node more(noise *z) {
  up_ctx *c = z->r->c;
  up_node a = pick(z), b = pick(z);
  switch (draw(z, 4)) {
  case 0: return up_binary(c, UP_MUL, a, up_const_int(c, up_dt(UP_INT), 2 + draw(z, 4)));
  case 1: return up_binary(c, UP_MAX, a, b);
  case 2: return up_where(c, up_binary(c, UP_CMPLT, a, b), a, pick(z));
  default: return up_binary(c, UP_ADD, a, b);
  }
}

/* bug + noise, with the bug below several more nodes. */
static up_node bury(rig *r, up_node bug, uint64_t seed, unsigned nodes) {
  static const char *const names[] = {"a", "b", "c", "d"};
  noise z = {.r = r, .seed = seed};
  for (unsigned i = 0; i < 4; i++)
    z.pool[z.n++] =
        up_var(r->c, names[i], up_int_of(0), up_int_of(9 + 7 * (int64_t)i), up_dt(UP_INT));
  while (z.n < nodes) {
    z.pool[z.n] = more(&z);
    z.n++;
  }
  up_node g = bug;
  for (unsigned i = 0; i < 12; i++) {
    up_node other = z.pool[z.n - 1 - i * 3], var = z.pool[draw(&z, 4)];
    up_node rare =
        up_binary(r->c, UP_CMPLT, var, up_const_int(r->c, up_dt(UP_INT), 1 + draw(&z, 3)));
    g = i % 3 == 2 ? up_where(r->c, rare, other, g) : up_binary(r->c, UP_ADD, g, other);
  }
  return g;
}

/* ---- cases --------------------------------------------------------------------------------- */

static double now_ms(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* `.uop` text of the reduced graph in out. */
static or_reduced reduce(rig *r, const or_finding *f, up_buf *out) {
  or_reduced m;
  assert_true(or_minimize(r->k, r->c, f, NULL, 0, &m));
  up_print_uop(m.ctx, m.finding.graph, NULL, out);
  return m;
}

static void expect_size(const char *bug, or_kind kind, const char *rule, uint32_t most) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    rig r = rig_new(NULL);
    up_node g = bury(&r, rig_graph(&r, bug), seed, 120);
    assert_true(up_count(r.c, g) >= 100);
    or_report rep;
    or_check(r.k, r.c, g, OR_IDEAL, &rep);
    const or_finding *f = find_kind(&rep, kind);
    if (!f) fail_msg("%s, seed %u: the bug does not show", rule, (unsigned)seed);
    assert_string_equal(rule_name(&r, f->rule), rule);
    up_buf one = {0}, two = {0};
    double from = now_ms();
    or_reduced m = reduce(&r, f, &one);
    print_message("  %s: %u -> %u nodes, %u tries, %u accepted, %.1f ms\n", rule, m.nodes_before,
                  m.nodes_after, m.tries, m.accepted, now_ms() - from);
    assert_string_equal(rule_name(&r, m.finding.rule), rule);
    assert_int_equal(m.finding.kind, kind);
    assert_string_not_equal(m.finding.expected, m.finding.actual);
    if (m.nodes_after > most) fail_msg("%u nodes, %u were enough:\n%s", m.nodes_after, most, one.p);
    or_reduced again = reduce(&r, f, &two);
    assert_string_equal(one.p, two.p);
    assert_int_equal(m.tries, again.tries);
    or_reduced_clear(&m);
    or_reduced_clear(&again);
    up_buf_free(&one);
    up_buf_free(&two);
    or_report_clear(&rep);
    rig_free(&r);
  }
}

static void test_buried_unrolled(void **state) {
  (void)state;
  expect_size("%x = DEFINE_VAR int [\"x\", -6, 6]\n%2 = CONST int 2\n%d = IDIV int %x %2\n"
              "%1 = CONST int 1\n%p = ADD int %x %1\n%e = IDIV int %p %2\n%r = ADD int %d %e\n",
              OR_VALUE, "fold_unrolled_divs", 7);
}

static void test_buried_mod(void **state) {
  (void)state;
  expect_size("%x = DEFINE_VAR int [\"x\", 0, 1]\n%1 = CONST int -1\n%p = ADD int %x %1\n"
              "%3 = CONST int 3\n%r = MOD int %p %3\n",
              OR_VALUE, "mod_folding", 5);
}

static void test_buried_div(void **state) {
  (void)state;
  expect_size("%x = DEFINE_VAR int [\"x\", 0, 4]\n%1 = CONST int -1\n%p = ADD int %x %1\n"
              "%3 = CONST int 3\n%r = IDIV int %p %3\n",
              OR_VALUE, "div_folding", 5);
}

/* The blamed node is a bounds claim, which has no wrong value by itself: nothing to jump to. */
static void test_buried_bounds(void **state) {
  (void)state;
  expect_size("%x = DEFINE_VAR int [\"x\", -8, -6]\n%3 = CONST int 3\n%m = MOD int %x %3\n"
              "%0 = CONST int 0\n%r = MAX int %m %0\n",
              OR_VALUE, "bound_mod_pos", 5);
}

static void test_buried_crash(void **state) {
  (void)state;
  expect_size("%x = DEFINE_VAR int [\"x\", 0, 3]\n%7 = CONST int 7\n%c = CMPNE bool %x %7\n"
              "%1 = CONST int 1\n%0 = CONST int 0\n%d = IDIV int %1 %0\n"
              "%r = WHERE int %c %x %d\n",
              OR_CRASH, "fold_constants", 5);
}

/* Depth costs a few trials, not one a node. */
static void test_deep_chain(void **state) {
  (void)state;
  rig r = rig_new(NULL);
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", -8, -6]\n%3 = CONST int 3\n"
                            "%m = MOD int %x %3\n%0 = CONST int 0\n%r = MAX int %m %0\n");
  for (int i = 5; i < 2005; i++) g = up_binary(r.c, UP_XOR, g, up_const_int(r.c, up_dt(UP_INT), i));
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  assert_string_equal(rule_name(&r, f->rule), "bound_mod_pos");
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, f, NULL, 0, &m));
  assert_true(m.nodes_before > 4000);
  assert_true(m.nodes_after <= 5);
  assert_true(m.tries < 1000);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

static const char *const plain_bug = "%x = DEFINE_VAR int [\"x\", 0, 4]\n%1 = CONST int -1\n"
                                     "%p = ADD int %x %1\n%3 = CONST int 3\n%r = IDIV int %p %3\n";

/* Numbers that are large for no reason become small. */
static void test_numbers(void **state) {
  (void)state;
  rig r = rig_new("ruleset symbolic\nrule drop : x + k -> x when k > 6\n");
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", -5000, 123456]\n"
                            "%k = CONST int 987654\n%r = ADD int %x %k\n");
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, f, NULL, 0, &m));
  up_buf text = {0};
  up_print_infix(m.ctx, m.finding.graph, &text);
  print_message("  %s\n", text.p);
  assert_non_null(strstr(text.p, "7"));
  assert_true(m.nodes_after <= 2);
  up_buf_free(&text);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

/* A stop gives the best so far at once: here the graph as it came. */
static void test_stop(void **state) {
  (void)state;
  rig r = rig_new(NULL);
  up_node g = bury(&r, rig_graph(&r, plain_bug), 1, 120);
  or_report rep;
  or_check(r.k, r.c, g, OR_IDEAL, &rep);
  const or_finding *f = find_kind(&rep, OR_VALUE);
  assert_non_null(f);
  volatile bool stop = true;
  or_reduced m;
  assert_true(or_minimize(r.k, r.c, f, &stop, 0, &m));
  assert_int_equal(m.tries, 0);
  assert_int_equal(m.nodes_after, m.nodes_before);
  assert_int_equal(m.finding.rule, f->rule);
  or_reduced_clear(&m);

  stop = false; /* few tries: still a finding of the same rule, never larger */
  assert_true(or_minimize(r.k, r.c, f, &stop, 3, &m));
  assert_true(m.tries <= 3);
  assert_true(m.nodes_after <= m.nodes_before);
  assert_int_equal(m.finding.rule, f->rule);
  or_reduced_clear(&m);
  or_report_clear(&rep);
  rig_free(&r);
}

/* What is no finding can't be reduced. */
static void test_not_a_finding(void **state) {
  (void)state;
  rig r = rig_new(NULL);
  up_node g = rig_graph(&r, "%x = DEFINE_VAR int [\"x\", 0, 4]\n%1 = CONST int 1\n"
                            "%r = ADD int %x %1\n");
  or_finding f = {.kind = OR_VALUE, .frame = OR_IDEAL, .graph = g, .rule = 0};
  or_reduced m;
  assert_false(or_minimize(r.k, r.c, &f, NULL, 0, &m));
  or_reduced_clear(&m);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_buried_unrolled), cmocka_unit_test(test_buried_mod),
      cmocka_unit_test(test_buried_div),      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_buried_bounds),   cmocka_unit_test(test_buried_crash),
      cmocka_unit_test(test_deep_chain),      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_not_a_finding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
