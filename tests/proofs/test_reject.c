/* corpus/rules-bad: wrong rules are refuted in the frames that they are marked with and proved in the
 * others, vacuous ones are told, true ones that loop are found to loop. */
#include "common.h"

#include "proofs/loop.h"

typedef struct survey {
  pf_prover *prover;
  or_frame frame;
  unsigned n[PF_VERDICT_COUNT], all;
  char told[400];
} survey;

static bool each(pf_instance *i, void *arg) {
  survey *s = arg;
  pf_answer a = pf_prove_bits(s->prover, i, s->frame);
  up_buf line = {0};
  char why[120] = "";
  s->all++;
  if (a.verdict == PF_REFUTED && a.counterexample.len == 0 &&
      !pf_confirm(i->book->bounds.profile, i, &a.point, s->frame, &line, why))
    a.verdict = PF_UNKNOWN;
  s->n[a.verdict]++;
  snprintf(s->told, sizeof s->told, "%s: %s %s", i->label, a.reason, why);
  up_buf_free(&line);
  pf_answer_clear(&a);
  return true;
}

static up_profile *profile_of_file(const char *name) {
  char path[400];
  snprintf(path, sizeof path, "%s/corpus/rules-bad/%s", getenv("SRC"), name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is not there", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  size_t n = fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  assert_true(n > 0 && n < (1 << 20) - 1);
  up_profile *p = profile_of(text);
  free(text);
  return p;
}

/* char, and what else the rule names. */
static unsigned types_of_rule(const rule *r) {
  unsigned mask = types_of("char");
  if (strstr(r->text, "@bool")) mask |= types_of("bool");
  if (strstr(r->text, "@uchar")) mask |= types_of("uchar");
  return mask;
}

/* All instances of the rule have this verdict. */
static void expect(const up_profile *p, uint32_t k, or_frame f, pf_verdict want) {
  pf_limits l = {.rlimit = 4000000};
  survey s = {.prover = pf_prover_new(&l), .frame = f};
  const rule *r = &p->book.rule[k];
  pf_left_out out = {0};
  assert_non_null(s.prover);
  pf_instances(&p->book, k, types_of_rule(r), false, each, &s, &out);
  if (out.choices) fail_msg("%s: left out: %s", r->name, out.reason);
  if (s.all == 0 || s.n[want] != s.all)
    fail_msg("%s in %s: %u of %u %s (%s)", r->name, or_frame_name(f), s.n[want], s.all,
             pf_verdict_name(want), s.told);
  pf_prover_free(s.prover);
}

/* The rules that the file itself brings: those of the base profile, its bounds, come with it. */
static bool is_own(const rule *r) { return r->file && strstr(r->file, "v0.1") == NULL; }

static void wrong_rules_are_refuted_where_they_are_wrong(void **state) {
  (void)state;
  up_profile *p = profile_of_file("wrong.rules");
  unsigned n = 0;
  for (uint32_t k = 0; k < p->book.nrule; k++) {
    const rule *r = &p->book.rule[k];
    if (!is_own(r)) continue;
    assert_true(r->wrong_in != 0);
    expect(p, k, OR_WRAP, r->wrong_in & UP_RULE_WRAP ? PF_REFUTED : PF_PROVED);
    expect(p, k, OR_REFINE, r->wrong_in & UP_RULE_REFINE ? PF_REFUTED : PF_PROVED);
    n++;
  }
  assert_int_equal(n, 32);
  up_profile_free(p);
}

static void vacuous_rules_are_told(void **state) {
  (void)state;
  up_profile *p = profile_of_file("vacuous.rules");
  unsigned n = 0;
  for (uint32_t k = 0; k < p->book.nrule; k++) {
    if (!is_own(&p->book.rule[k])) continue;
    expect(p, k, OR_WRAP, PF_VACUOUS);
    expect(p, k, OR_REFINE, PF_VACUOUS);
    n++;
  }
  assert_int_equal(n, 8);
  up_profile_free(p);
}

static void true_rules_that_loop_are_found(void **state) {
  (void)state;
  up_profile *p = profile_of_file("loops.rules");
  unsigned n = 0;
  for (uint32_t k = 0; k < p->book.nrule; k++) {
    const rule *r = &p->book.rule[k];
    up_buf line = {0};
    if (!is_own(r)) continue;
    expect(p, k, OR_WRAP, PF_PROVED);
    if (pf_loops("v0.11.0", &p->book, k, &line) != 1) fail_msg("%s: no loop found", r->name);
    assert_true(line.len > 0);
    up_buf_free(&line);
    n++;
  }
  assert_int_equal(n, 9);
  up_profile_free(p);
}

/* Rules that end, though they look like one that does not. */
static void rules_that_end_do_not_loop(void **state) {
  (void)state;
  static const char *const text[] = {
      "rule r : r:(x + y) -> r(y, x) when before(y, x)",
      "rule r : x + 0 -> x",
      "rule r : (x + c0) + c1 -> x + [c0 + c1]",
      "rule r : (x * c0) + (x * c1) -> x * (c0 + c1)",
      "rule r : where(!p@bool, x, y) -> where(p, y, x)",
  };
  for (unsigned k = 0; k < sizeof text / sizeof *text; k++) {
    up_buf line = {0};
    up_profile *p = profile_of(text[k]);
    if (pf_loops("v0.11.0", &p->book, rule_of(p, "r"), &line) != 0)
      fail_msg("%s: %s", text[k], line.len ? line.p : "not judged");
    up_buf_free(&line);
    up_profile_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_rules_are_refuted_where_they_are_wrong),
      cmocka_unit_test(vacuous_rules_are_told),
      cmocka_unit_test(true_rules_that_loop_are_found),
      cmocka_unit_test(rules_that_end_do_not_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
