/* Wrong rewrites that really happened differ, with a confirmed witness, in the frames they are
 * wrong in; what is wrong by overflow alone is right in ideal.
 */
#include "rig.h"

#include "bugs.h"
#include "formats/formats.h"

static up_node graph_of(rig *r, const char *text) {
  json_error_t bad;
  up_error err = {0};
  up_node root = UP_NONE;
  json_t *j = json_loads(text, 0, &bad);
  if (!j) fail_msg("%s: %s", text, bad.text);
  if (!fm_nodes_from_json(r->c, j, &root, &err)) fail_msg("%s: %s", text, err.msg);
  json_decref(j);
  return root;
}

static void bugs_differ(void **state) {
  (void)state;
  rig r = rig_new();
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof bugs / sizeof *bugs; i++) {
    up_node a = graph_of(&r, bugs[i].graph), b = graph_of(&r, bugs[i].got);
    for (or_frame f = OR_IDEAL; f <= OR_WRAP; f++) {
      or_answer v = or_equiv(r.k, r.c, a, b, f, NULL);
      bool wrong = f == OR_WRAP || bugs[i].ideal;
      bool differs = v.verdict == OR_DIFFERS;
      bool right = v.verdict == OR_PROVED || v.verdict == OR_EXHAUSTED;
      if (wrong ? !differs : !right)
        fail_msg("%s in %s: %s by %s %s", bugs[i].id, or_frame_name(f), or_verdict_name(v.verdict),
                 v.stage, v.reason);
      n += differs;
      or_answer_clear(&v);
    }
  }
  print_message("%u differences\n", n);
  rig_free(&r);
}

/* Claims of the 0.10.0 bounds that are wrong, and the node that is named. */
static void wrong_claims_are_found(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", -5, 5, UP_INT), m = op2(&r, UP_MOD, x, num(&r, 3, UP_INT));
  up_node sum = op2(&r, UP_ADD, m, num(&r, 7, UP_INT));
  or_answer v = or_bounds(r.k, r.c, op2(&r, UP_MUL, sum, sum), OR_IDEAL);
  assert_verdict(v, OR_DIFFERS);
  assert_int_equal(v.node.id, m.id);
  assert_string_equal(v.actual, "[0, 2]");
  or_answer_clear(&v);
  /* the failing node comes after others, and its witness is rare */
  up_node y = var(&r, "y", -2000000000, 9, UP_INT), big = op2(&r, UP_IDIV, y, num(&r, 4, UP_INT));
  up_node rest = op2(&r, UP_SUB, y, op2(&r, UP_MUL, big, num(&r, 4, UP_INT)));
  v = or_bounds(r.k, r.c, rest, OR_IDEAL);
  assert_verdict(v, OR_PROVED);
  rig_free(&r);
}

static void right_claims_hold(void **state) {
  (void)state;
  rig r = rig_new();
  up_node x = var(&r, "x", 0, 100, UP_INT), y = var(&r, "y", 0, 7, UP_INT);
  up_node i = op2(&r, UP_ADD, op2(&r, UP_MUL, x, num(&r, 8, UP_INT)), y);
  up_node d = op2(&r, UP_IDIV, i, num(&r, 8, UP_INT)), m = op2(&r, UP_MOD, i, num(&r, 8, UP_INT));
  or_answer v = or_bounds(r.k, r.c, op2(&r, UP_CMPLT, m, d), OR_IDEAL);
  assert_verdict(v, OR_PROVED);
  assert_string_equal(v.stage, "interval");
  /* wrapping makes the same claims wrong */
  up_node z = var(&r, "z", 0, 255, UP_UCHAR);
  v = or_bounds(r.k, r.c, op2(&r, UP_ADD, z, num(&r, 1, UP_UCHAR)), OR_WRAP);
  assert_verdict(v, OR_DIFFERS);
  assert_string_equal(v.expected, "0");
  or_answer_clear(&v);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bugs_differ),
      cmocka_unit_test(wrong_claims_are_found),
      cmocka_unit_test(right_claims_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
