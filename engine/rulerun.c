/* Compiled rules: constants that are made lane by lane. */
#include "rulerun.h"

#define MAX_LANES 2048u

uint32_t rx_lane_count(up_ctx *c, const up_node *v, unsigned nvalue) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < nvalue; i++) {
    if (node_op(c, v[i]) != UP_VCONST) continue;
    uint32_t n = up_arg_len(c, up_arg_of(c, v[i]));
    if (lanes && n != lanes) up_ctx_set_status(c, UP_RAISE_TYPE);
    lanes = n;
  }
  return lanes;
}

up_node rx_lanes(evaluation *e, up_dtype dt, rx_lane_fn fn, const up_node *v, uint32_t lanes) {
  up_val val[MAX_LANES];
  if (lanes != up_dt_count(dt) || lanes > MAX_LANES) {
    up_ctx_set_status(e->c, UP_RAISE_TYPE);
    return UP_NONE;
  }
  for (uint32_t i = 0; i < lanes; i++) {
    e->lane = (int)i;
    val[i] = fn(e, v);
  }
  e->lane = -1;
  return rx_fine(e) ? up_vconst(e->c, dt, val, lanes) : UP_NONE;
}
