/* Bytes -> graph -> vmin/vmax of every node against its values. A claim that fails must fail at its
 * witness by the reference evaluator too, and bounds do not depend on which node is asked first. */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The reference evaluator's value of the node at the witness is outside of the claim. */
static void require_failure(up_ctx *c, const or_answer *a, or_frame f) {
  or_values v = {0};
  mpz_t lo, hi;
  bool outside = false;
  up_bounds b = up_minmax(c, a->node);
  if (b.lo.is_float || b.hi.is_float) return;
  mpz_inits(lo, hi, NULL);
  up_int_to_mpz(c, b.lo.i, lo);
  up_int_to_mpz(c, b.hi.i, hi);
  fz_require(or_eval(c, a->node, f, &a->witness, &v), "memory");
  for (uint32_t i = 0; i < v.n; i++)
    outside |= up_same(v.node[i], a->node) && v.def[i] == OR_VALUE_OK &&
               (mpz_cmp(v.value[i], lo) < 0 || mpz_cmp(v.value[i], hi) > 0);
  fz_require(outside, "at the witness the value is outside of the bounds");
  or_values_clear(&v);
  mpz_clears(lo, hi, NULL);
}

static void put_bounds(up_ctx *c, up_node n, up_buf *out) {
  up_bounds b = up_minmax(c, n);
  up_val_put(c, b.lo, out);
  up_buf_puts(out, " ");
  up_val_put(c, b.hi, out);
  fz_require(!out->no_memory, "memory");
}

/* Asked from the root down in another context: the same bounds by the same rules. */
static void require_any_order(fz_harness *h, up_node root) {
  up_ctx *c = fz_harness_ctx(h), *d = fz_harness_other(h);
  up_list topo = {0}, copies = {0};
  up_buf x = {0}, y = {0};
  up_node copy = up_copy(d, c, root);
  fz_require(up_toposort(c, root, &topo) && up_toposort(d, copy, &copies), "memory");
  fz_require(topo.n == copies.n, "a copy has as many nodes");
  for (uint32_t i = topo.n; i-- > 0;) up_minmax(d, copies.p[i]);
  for (uint32_t i = 0; i < topo.n; i++) {
    x.len = y.len = 0;
    put_bounds(c, topo.p[i], &x);
    put_bounds(d, copies.p[i], &y);
    bool raised = up_ctx_status(c) != UP_OK || up_ctx_status(d) != UP_OK;
    if (raised) break; /* what raises ends the analysis where it is met first */
    fz_require(strcmp(x.p, y.p) == 0, "bounds do not depend on the order of questions");
    fz_require(up_minmax_rule(c, topo.p[i]) == up_minmax_rule(d, copies.p[i]),
               "nor do the rules that gave them");
  }
  up_ctx_clear_status(c);
  up_ctx_clear_status(d);
  up_list_free(&topo);
  up_list_free(&copies);
  up_buf_free(&x);
  up_buf_free(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  up_ctx_hits(k.c, fz_counters(k.profile));
  or_answer a = or_bounds(fz_harness_checker(k.h), k.c, k.root, k.frame);
  if (a.verdict == OR_ERROR) fz_require(false, a.reason);
  if (a.verdict == OR_DIFFERS) require_failure(k.c, &a, k.frame);
  or_answer_clear(&a);
  up_ctx_clear_status(k.c);
  require_any_order(k.h, k.root);
  return 0;
}
