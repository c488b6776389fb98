/* The rule language: the input is a rule file of a user's. It is refused with a place inside of the
 * text, or becomes a profile whose rules rewrite a few graphs within their limits. */
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
  if (up_profile_ruleset(p, "symbolic")) require_rewrites_end(p);
  up_profile_free(p);
  return 0;
}
