/* Bytes -> graph and a bool part of it as its valid -> up_given_valid, up_simplify_valid -> values
 * where the valid holds. A report that can't be aborts; findings are saved as those of fuzz_simplify. */
#include "fuzz/harness.h"
#include "fuzz/hooks/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_scalar_bool(up_ctx *c, up_node n) { return up_dtype_of(c, n) == up_dt(UP_BOOL); }

/* The condition of a WHERE at the root, else the latest bool node, else a comparison of the first
 * integer variable. UP_NONE: nothing of the sort. */
static up_node pick_valid(up_ctx *c, up_node *root, int64_t bound) {
  up_list topo = {0};
  up_node valid = UP_NONE, var = UP_NONE;
  fz_require(up_toposort(c, *root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n; i++) {
    up_node t = topo.p[i];
    if (is_scalar_bool(c, t) && !up_same(t, *root)) valid = t;
    if (up_is_none(var) && up_op_of(c, t) == UP_DEFINE_VAR && up_dtype_of(c, t) == up_dt(UP_INT))
      var = t;
  }
  up_list_free(&topo);
  if (up_op_of(c, *root) == UP_WHERE && is_scalar_bool(c, up_src(c, *root, 0))) {
    valid = up_src(c, *root, 0);
    *root = up_src(c, *root, 1);
  }
  if (up_is_none(valid) && !up_is_none(var))
    valid = up_binary(c, UP_CMPLT, var, up_const_int(c, up_dt(UP_INT), bound));
  return valid;
}

static void check(const fz_case *k, up_node valid, up_node root, or_valid_mode mode) {
  or_report r = {0};
  or_check_valid(fz_harness_checker(k->h), k->c, valid, root, mode, k->frame, &r);
  fz_require_report(k->h, root, &r);
  for (uint32_t i = 0; i < r.nfindings; i++)
    fz_require(r.finding[i].mode == mode, "a finding tells which call it is about");
  fz_case_tell(k, &r, fz_counters(k->profile));
  or_report_clear(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_case k = fz_case_begin(&all, data, n);
  up_ctx_hits(k.c, fz_counters(k.profile));
  up_node root = k.root, valid = pick_valid(k.c, &root, (int64_t)(k.seed % 17) - 4);
  if (up_is_none(valid)) return 0;
  check(&k, valid, root, OR_GIVEN_VALID);
  check(&k, valid, valid, OR_SIMPLIFY_VALID);
  return 0;
}
