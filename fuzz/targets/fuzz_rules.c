/* The rule language: the input is a rule file of a user's. It is refused with a place inside of the
 * text, or becomes a profile whose rules rewrite a few graphs within their limits; where each rule is
 * said to be able to apply or one not to be, that is so. */
#include "fuzz/harness.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static up_node sample(up_ctx *c, unsigned which) {
  static const char *const text[] = {
      "x in [0,255]\n((x//4*4 + x%4)*3 + 1)//3\n", "x in [-5,9]\ny in [0,1]\nmax(x*2 + y, x) < 7\n",
      "x in [0,9] : uchar\n((x & 3) ^ 5) if (x < 4) else (x << 1)\n"};
  up_error err = {0};
  up_node n = UP_NONE;
  if (!up_parse_infix(c, text[which % 3], strlen(text[which % 3]), &n, &err))
    fz_require(false, err.msg);
  return n;
}

/* The rule that `why` names ("rule 'a' ..."), where it names one first. */
static int named(const up_profile *p, const char *why) {
  const char *from = strchr(why, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
  char name[sizeof((up_error *)0)->msg];
  if (!to) return -1;
  snprintf(name, sizeof name, "%.*s", (int)(to - from - 1), from + 1);
  return up_rule_find(p, name);
}

static void require_can_apply(const up_profile *p, const char *text, size_t n) {
  up_error why = {0};
  if (up_rules_can_apply(text, n, &why)) return;
  fz_require(why.msg[0] != 0, "there is a reason why a rule can't apply");
  int dead = named(p, why.msg);
  const up_ruleset *set = dead < 0 ? NULL : up_profile_set_of(p, (uint32_t)dead);
  up_ctx *c = up_ctx_new(p);
  fz_require(c != NULL, "memory");
  for (uint64_t seed = 0; set && seed < 8; seed++) {
    int first = -1;
    up_ctx_reset(c);
    up_node root = up_rule_instance(c, (uint32_t)dead, NULL, 0, up_dt(UP_VOID), seed);
    if (!up_is_none(root)) up_apply_first(c, set, root, &first);
    bool applied = up_ctx_status(c) == UP_OK && first == dead; /* its condition may raise */
    fz_require(!applied, "a rule that can't apply does not");
  }
  up_ctx_free(c);
}

/* Every second rule alone, as `PROFILE/=RULE,...` asks: those are in the set, or one is of bounds. */
static void require_chosen(const up_profile *p, const char *text, size_t n) {
  up_buf name = {0};
  bool bound = false;
  up_error err = {0};
  for (uint32_t i = 0; i < up_rule_count(p); i += 2) {
    up_buf_printf(&name, "%s%s", i ? "," : "v0.11.0/=", up_rule_at(p, i).name);
    bound = bound || up_rule_at(p, i).kind == UP_RULE_BOUND;
    if (i == 32) break;
  }
  fz_require(name.len > 0 && !name.no_memory, "memory");
  up_profile *q = up_profile_parse(name.p, text, n, &err);
  fz_require((q == NULL) == bound, "rules of bounds are in every set, others can be chosen");
  fz_require(q || err.msg[0] != 0, "an error says what is wrong");
  for (uint32_t i = 0; q && i < up_rule_count(q); i++)
    fz_require(up_ruleset_has(up_profile_chosen(q), i) == (i % 2 == 0 && i <= 32),
               "what is chosen is in the set, and nothing else");
  up_profile_free(q);
  up_buf_free(&name);
}

static void require_rewrites_end(const up_profile *p) {
  up_ctx *c = up_ctx_new(p);
  fz_require(c != NULL, "memory");
  up_ctx_set_node_limit(c, 200000);
  for (unsigned i = 0; i < 3; i++) {
    up_ctx_reset(c);
    up_node root = sample(c, i);
    up_result r = up_rewrite(c, root, up_profile_ruleset(p, "symbolic"), 300, NULL, NULL);
    fz_require((r.status == UP_OK) == !up_is_none(r.node), "a node, or why there is none");
    fz_require(up_ctx_status(c) == UP_OK, "a rewrite leaves the context's status clean");
    up_minmax(c, root);
    up_ctx_clear_status(c);
  }
  up_ctx_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  up_error err = {0};
  unsigned lines = 1;
  fz_run_begin(&all);
  for (size_t i = 0; i < n; i++) lines += data[i] == '\n';
  up_profile *p = up_profile_parse("v0.11.0", n ? (const char *)data : "", n, &err);
  if (!p) {
    fz_require(err.msg[0] != 0, "an error says what is wrong");
    fz_require(err.line <= lines + 1, "an error is inside of the text");
    return 0;
  }
  for (uint32_t i = 0; i < up_rule_count(p); i++)
    fz_require(up_rule_find(p, up_rule_at(p, i).name) == (int)i, "a rule is found by its name");
  require_can_apply(p, n ? (const char *)data : "", n);
  require_chosen(p, n ? (const char *)data : "", n);
  if (up_profile_ruleset(p, "symbolic")) require_rewrites_end(p);
  up_profile_free(p);
  return 0;
}
