/* What a row asks of the oracle: the simplification of its graph, or one under or of a valid. */
#include "cli/cli.h"

/* Bugs have a `mode`, recorded calls a `call`, both with a `valid`. */
or_valid_mode cl_item_mode(const fm_item *it) {
  const json_t *mode = json_object_get(it->row, "mode");
  const char *name = json_string_value(mode ? mode : json_object_get(it->row, "call"));
  or_valid_mode m;
  return name && or_valid_mode_parse(name, &m) ? m : OR_NO_VALID;
}

void cl_check_item(or_checker *oracle, up_ctx *c, const fm_item *it, or_frame f, or_report *out) {
  const json_t *nodes = json_object_get(it->row, "valid");
  up_node valid = it->root;
  or_valid_mode mode = cl_item_mode(it);
  up_error e = {0};
  if (mode != OR_NO_VALID && up_profile_is_external(up_ctx_profile(c))) {
    *out = (or_report){.verdict = OR_UNSUPPORTED};
    snprintf(out->reason, sizeof out->reason, "adapters are not asked about valids");
  } else if (mode == OR_NO_VALID) {
    or_check(oracle, c, it->root, f, out);
  } else if ((nodes || mode == OR_GIVEN_VALID) &&
             !(nodes && fm_nodes_from_json(c, nodes, &valid, &e))) {
    *out = (or_report){.verdict = OR_ERROR};
    snprintf(out->reason, sizeof out->reason, "valid: %.140s", nodes ? e.msg : "none");
  } else {
    or_check_valid(oracle, c, valid, it->root, mode, f, out);
  }
}
