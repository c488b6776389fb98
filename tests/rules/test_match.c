/* Order of matches and of rules. The matcher is held to a second one, written here in the plain way
 * of the modelled engine: each step makes the list of all bindings that are left. */
#include "common.h"
#include "engine/rulebook.h"

/* ---- the plain matcher ------------------------------------------------------------------ */

typedef struct store {
  up_node slot[PAT_MAX_SLOTS];
} store;
typedef struct stores {
  store *p;
  size_t n, cap;
} stores;

static void add(stores *l, store s) {
  if (l->n == l->cap) {
    l->cap = l->cap ? l->cap * 2 : 8;
    l->p = realloc(l->p, l->cap * sizeof *l->p);
    assert_non_null(l->p);
  }
  l->p[l->n++] = s;
}

static stores plain_match(up_ctx *c, const patbook *b, const pat *p, up_node n, store s);

/* Sources in turn, each with every binding that the ones before have left. */
static void match_in_order(up_ctx *c, const patbook *b, const pat *p, up_node n, store s,
                           const unsigned *order, stores *out) {
  stores now = {0};
  add(&now, s);
  for (uint32_t i = 0; i < up_nsrc(c, n) && (p->src == SRC_REPEAT || i < p->nkid); i++) {
    stores next = {0};
    const pat *kid = pat_kid(b, p, p->src == SRC_REPEAT ? 0 : order[i]);
    for (size_t k = 0; k < now.n; k++) {
      stores more = plain_match(c, b, kid, up_src(c, n, i), now.p[k]);
      for (size_t j = 0; j < more.n; j++) add(&next, more.p[j]);
      free(more.p);
    }
    free(now.p);
    now = next;
  }
  for (size_t k = 0; k < now.n; k++) add(out, now.p[k]);
  free(now.p);
}

/* All orders of n things, the smallest first. */
static bool next_order(unsigned *a, unsigned n) {
  unsigned i = n - 1;
  while (i > 0 && a[i - 1] >= a[i]) i--;
  if (i == 0) return false;
  unsigned j = n - 1;
  while (a[j] <= a[i - 1]) j--;
  unsigned t = a[i - 1];
  a[i - 1] = a[j];
  a[j] = t;
  for (unsigned l = i, r = n - 1; l < r; l++, r--) {
    t = a[l];
    a[l] = a[r];
    a[r] = t;
  }
  return true;
}

static bool plain_fits(up_ctx *c, const pat *p, up_node n, store *s) {
  if (!opset_has(&p->ops, up_op_of(c, n)) || !dtset_has(p->dt, up_dtype_of(c, n))) return false;
  if (p->has_value && up_val_cmp(c, up_const_val(c, n), p->value) != 0) return false;
  bool counted = p->src == SRC_ORDERED || p->src == SRC_PERMUTED;
  if (counted && (p->any_len ? up_nsrc(c, n) < p->nkid : up_nsrc(c, n) != p->nkid)) return false;
  if (p->slot < 0) return true;
  if (!up_is_none(s->slot[p->slot])) return up_same(s->slot[p->slot], n);
  s->slot[p->slot] = n;
  return true;
}

static stores plain_match(up_ctx *c, const patbook *b, const pat *p, up_node n, store s) {
  stores out = {0};
  unsigned order[PAT_MAX_KIDS];
  for (unsigned i = 0; i < PAT_MAX_KIDS; i++) order[i] = i;
  if (!plain_fits(c, p, n, &s)) return out;
  if (p->src == SRC_FREE) {
    add(&out, s);
  } else if (p->src == SRC_ANY_OF) {
    for (uint32_t i = 0; i < p->nkid; i++) {
      stores more = plain_match(c, b, pat_kid(b, p, i), n, s);
      for (size_t k = 0; k < more.n; k++) add(&out, more.p[k]);
      free(more.p);
    }
  } else {
    do match_in_order(c, b, p, n, s, order, &out);
    while (p->src == SRC_PERMUTED && next_order(order, p->nkid));
  }
  return out;
}

/* ---- both, side by side ---------------------------------------------------------------------- */

typedef struct compared {
  stores want;
  size_t at;
  uint32_t names;
} compared;

static bool compare_next(match *m, void *arg) {
  compared *k = arg;
  assert_true(k->at < k->want.n);
  for (uint32_t i = 0; i < k->names; i++)
    assert_int_equal(m->slot[i].id, k->want.p[k->at].slot[i].id);
  k->at++;
  return false;
}

static size_t compare_matches(rig *r, uint32_t number, up_node n) {
  const rulebook *b = &r->p->book;
  const rule *t = &b->rule[number];
  compared k = {.names = t->names.n};
  k.want = plain_match(r->c, &b->pats, pat_at(&b->pats, t->pat), n, (store){0});
  match m = {.c = r->c, .b = &b->pats, .found = compare_next, .arg = &k};
  assert_false(match_run(&m, t->pat, n));
  assert_int_equal(k.at, k.want.n);
  if (k.want.n) { /* the early reject must not lose it */
    opset ops = match_source_ops(r->c, n);
    assert_true(opset_subset(&t->need, &ops));
  }
  free(k.want.p);
  return k.at;
}

static uint32_t seed = 1;
static uint32_t pick(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static up_node random_node(rig *r, unsigned depth) {
  static const char *const leaf[] = {"x", "y", "1", "2", "x"};
  static const up_op op[] = {UP_ADD, UP_MUL, UP_MAX, UP_IDIV, UP_MOD, UP_ADD, UP_MUL};
  if (depth == 0 || pick(5) == 0) return graph(r, leaf[pick(5)]);
  up_node a = random_node(r, depth - 1);
  up_node b = pick(3) ? random_node(r, depth - 1) : a;
  if (pick(8) == 0) {
    up_node src[3] = {up_binary(r->c, UP_CMPLT, a, b), a, b};
    return up_new(r->c, UP_WHERE, up_dtype_of(r->c, a), src, 3, up_arg_none());
  }
  return up_binary(r->c, op[pick(7)], a, b);
}

static const char patterns[] = "rule p00 : a + b -> a\n"
                               "rule p01 : (a + b) + (d + e) -> a\n"
                               "rule p02 : (a * b) + (a * d) -> a\n"
                               "rule p03 : (a + b) * (b + d) -> a\n"
                               "rule p04 : max(a * c0, a * c1) -> a\n"
                               "rule p05 : (a + c) + (b + (d * e)) -> a\n"
                               "rule p06 : a % c + (a // c) * c -> a\n"
                               "rule p07 : any(a + b, b * a) + d -> a\n"
                               "rule p08 : any(a + b, any(a * b, a // b)) * (a + d) -> a\n"
                               "rule p09 : WHERE[a, b, d] -> a\n"
                               "rule p10 : WHERE[(a < b), d, (e + a)] -> a\n"
                               "rule p11 : {+, *}(a, {+, *}[a, b]) -> a\n"
                               "rule p12 : r:ALU(a, ..) -> a\n"
                               "rule p13 : (a + a) * (a + b) -> a\n"
                               "rule p14 : ALU({CONST, VCONST}...) -> [1]@int\n"
                               "rule p15 : (m:(a + b) * m) + (a + d) -> a\n"
                               "rule p16 : max(any(a + 1, a * 1), b * 2) -> a\n"
                               "rule p17 : {+, *}((a // k)...) -> a\n";

/* Graphs that random ones are too seldom. */
static const char *const instances[] = {
    "x % 3 + (x // 3) * 3",  "3 * (x // 3) + x % 3",       "(x + y + (x + y) * (x + y)) + 1",
    "max(x * 3, x * 2)",     "WHERE:int(x < y, x + y, x)", "((x + y) * (x + y)) + (x + 1)",
    "max(x * 1, y * 2)",     "(x // 3) * (x // 3)",        "(x * 2) + (y + (x * y))",
    "(x + 3) + (y + x * y)",
};

static void test_against_plain(void **state) {
  (void)state;
  rig r = rig_rules(patterns);
  size_t matches = 0, several = 0;
  uint32_t count = 18;
  size_t seen[18] = {0};
  for (unsigned round = 0; round < 3000; round++) {
    size_t known = sizeof instances / sizeof *instances;
    up_node n = round < known ? graph(&r, instances[round]) : random_node(&r, 4);
    for (uint32_t i = 0; i < count; i++) {
      size_t k = compare_matches(&r, i, n);
      matches += k;
      several += k > 1;
      seen[i] += k;
    }
    if (round % 100 == 99) up_ctx_reset(r.c);
  }
  for (uint32_t i = 0; i < count; i++)
    if (!seen[i]) fail_msg("pattern %u never matched", i);
  assert_true(matches > 5000);
  assert_true(several > 500);
  rig_free(&r);
}

/* ---- which rule, which match ----------------------------------------------------------------- */

static void expect_first(const char *rules, const char *set, const char *input, const char *name,
                         const char *want) {
  rig r = rig_rules(rules);
  int number;
  up_node got = up_apply_first(r.c, set_of(&r, set), graph(&r, input), &number);
  expect_node(&r, rules, got, want ? graph(&r, want) : UP_NONE);
  assert_int_equal(number, name ? up_rule_find(r.p, name) : -1);
  rig_free(&r);
}

static void test_first_rule_wins(void **state) {
  (void)state;
  const char *two = "rule a1 : a + k -> k\nrule a2 : a + b -> b\n";
  expect_first(two, "symbolic", "x + 3", "a1", "3");
  expect_first(two, "symbolic", "x + y", "a2", "y");
  const char *swapped = "rule a2 : a + b -> b\nrule a1 : a + k -> k\n";
  expect_first(swapped, "symbolic", "x + 3", "a2", "3");
  expect_first(swapped, "symbolic", "x * 3", NULL, NULL);
}

static void test_order_of_permutations(void **state) {
  (void)state;
  expect_first("rule r : a + b -> a\n", "symbolic", "x + y", "r", "x");
  expect_first("rule r : a + b -> b when before(b, a)\n", "symbolic", "x + y", "r", "x");
  /* the condition is tried on each match until it holds */
  expect_first("rule r : a + b -> a when vmax(a) < 0\n", "symbolic", "x + n", "r", "n");
  expect_first("rule r : (a + b) * d -> a when vmax(a) < 0 and vmin(b) >= 0 and vmin(d) < -4\n",
               "symbolic", "z * (x + n)", "r", "n");
}

/* Same node as before: the rule has applied all the same. */
static void test_no_change_is_a_match(void **state) {
  (void)state;
  expect_first("rule same : r:ADD -> r\nrule other : a + b -> a\n", "symbolic", "x + y", "same",
               "x + y");
}

static void test_rule_sets(void **state) {
  (void)state;
  const char *text = "ruleset first\n"
                     "rule f : a + b -> a\n"
                     "ruleset last\n"
                     "rule l : a:ALU -> 7\n"
                     "ruleset symbolic = first\n"
                     "rule s : a * b -> b\n"
                     "ruleset mixed = last + here + first\n"
                     "rule m : a * b -> a\n"
                     "ruleset behind = here + last\n"
                     "rule b : a * b -> 8\n"
                     "ruleset joined = symbolic + last\n";
  expect_first(text, "first", "x * y", NULL, NULL);
  expect_first(text, "symbolic", "x + y", "f", "x");
  expect_first(text, "symbolic", "x * y", "s", "y");
  expect_first(text, "mixed", "x * y", "l", "7");
  expect_first(text, "behind", "x * y", "b", "8");
  expect_first(text, "behind", "x + y", "l", "7");
  expect_first(text, "joined", "x % y", "l", "7");
  expect_first(text, "joined", "x * y", "s", "y");
  rig r = rig_rules(text);
  assert_null(up_profile_ruleset(r.p, "nothing"));
  assert_ptr_equal(up_profile_ruleset(r.p, "symbolic"), up_profile_symbolic(r.p));
  rig_free(&r);
}

static void test_statistics(void **state) {
  (void)state;
  rig r = rig_rules("rule a1 : ADD(a, k) -> k\nrule a2 : a + b -> b\nrule a3 : a * b -> b\n");
  up_rule_stat *s = calloc(up_rule_count(r.p), sizeof *s);
  int number;
  assert_non_null(s);
  up_ctx_stats(r.c, s);
  for (int i = 0; i < 3; i++)
    up_apply_first(r.c, set_of(&r, "symbolic"), graph(&r, "x + y"), &number);
  up_apply_first(r.c, set_of(&r, "symbolic"), graph(&r, "x + 3"), &number);
  assert_int_equal(s[0].tried, 1); /* x + y has no constant: rejected before it is tried */
  assert_int_equal(s[0].matched, 1);
  assert_int_equal(s[1].tried, 3);
  assert_int_equal(s[1].matched, 3);
  assert_int_equal(s[2].tried, 0);
  free(s);
  rig_free(&r);
}

/* A node with very many sources needs no more C stack than one with two. */
static void test_wide_node(void **state) {
  (void)state;
  rig r = rig_rules("rule all : SINK((a // k)...) -> a\nrule some : SINK(a, ..) -> a\n");
  enum { WIDE = 60000 };
  up_node *src = malloc(WIDE * sizeof *src);
  int number;
  assert_non_null(src);
  for (uint32_t i = 0; i < WIDE; i++) src[i] = graph(&r, "x // 3");
  up_node sink = up_new(r.c, UP_SINK, up_dt(UP_VOID), src, WIDE, up_arg_none());
  expect_node(&r, "all", up_apply_first(r.c, set_of(&r, "symbolic"), sink, &number),
              graph(&r, "x"));
  assert_int_equal(number, 0);
  src[WIDE - 1] = graph(&r, "y // 3");
  sink = up_new(r.c, UP_SINK, up_dt(UP_VOID), src, WIDE, up_arg_none());
  expect_node(&r, "some", up_apply_first(r.c, set_of(&r, "symbolic"), sink, &number), src[0]);
  assert_int_equal(number, 1);
  free(src);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_plain),
      cmocka_unit_test(test_first_rule_wins),
      cmocka_unit_test(test_order_of_permutations),
      cmocka_unit_test(test_no_change_is_a_match),
      cmocka_unit_test(test_rule_sets),
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_wide_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
