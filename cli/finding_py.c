/* A finding as a test in Python, for the modelled engine's own suite. */
#include "cli/cli.h"

static void put_point(up_ctx *c, const or_finding *f, up_buf *out) {
  up_buf w = {0};
  or_witness_put(c, &f->witness, &w);
  up_buf_printf(out, "  point = %s\n", w.p ? w.p : "{}");
  up_buf_free(&w);
}

static void put_value_test(up_ctx *c, const or_finding *f, up_buf *out) {
  put_point(c, f, out);
  up_buf_puts(out,
              up_profile_is_external(up_ctx_profile(c))
                  ? "  at = {u: u.const_like(int(point[name])) for name, u in variables.items()}\n"
                  : "  at = {u: u.const_like(int(point[u.arg[0]])) for u in nodes"
                    " if u.op is Ops.DEFINE_VAR}\n");
  up_buf_printf(out,
                "  got = root.simplify().substitute(at).simplify()\n"
                "  assert got.op is Ops.CONST and got.arg == %s, f\"{got.render()} is not %s\"\n",
                f->expected, f->expected);
}

static void put_bounds_test(up_ctx *c, const or_finding *f, up_buf *out) {
  put_point(c, f, out);
  up_buf_printf(out,
                "  assert root.vmin <= %s <= root.vmax, f\"%s at {point}, but not in"
                " [{root.vmin}, {root.vmax}]\"\n",
                f->expected, f->expected);
}

static void put_body(up_ctx *c, const or_finding *f, up_buf *out) {
  switch (f->kind) {
  case OR_VALUE: put_value_test(c, f, out); return;
  case OR_BOUNDS: put_bounds_test(c, f, out); return;
  case OR_DTYPE: up_buf_puts(out, "  assert root.simplify().dtype == root.dtype\n"); return;
  case OR_SPEC: up_buf_puts(out, "  type_verify(nodes_of(root.simplify()))\n"); return;
  case OR_IDEMPOTENCE:
    up_buf_puts(out, "  assert root.simplify().simplify() is root.simplify()\n");
    return;
  case OR_NONTERMINATION:
  case OR_CRASH: up_buf_puts(out, "  root.simplify()  # returns\n"); return;
  }
}

/* `test_KIND_RULE`; an adapter's names of rules may hold anything. */
static void put_name(const or_finding *f, const char *rule, up_buf *out) {
  up_buf_printf(out, "test_%s_", or_kind_name(f->kind));
  for (const char *s = rule ? rule : "unknown"; *s; s++) {
    bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
    up_buf_put(out, plain ? s : "_", 1);
  }
}

void cl_put_finding_py(up_ctx *c, const or_finding *f, up_buf *out) {
  const char *rule = cl_rule_name(up_ctx_profile(c), f->rule);
  /* long numbers are cut in `expected` */
  bool cut = false;
  for (const char *s = f->expected; *s; s++) cut = cut || *s == '.' || *s == 'u';
  bool by_value = f->kind == OR_VALUE || f->kind == OR_BOUNDS;
  if (f->frame != OR_IDEAL || f->mode != OR_NO_VALID || (by_value && cut)) return;
  /* rules alone are no thing that the engine has a name for */
  if (up_ruleset_name(up_ctx_rules(c))[0] == '=') return;
  up_node root = f->kind == OR_BOUNDS && !up_is_none(f->before) ? f->before : f->graph;
  up_print_tinygrad(c, root, out);
  up_buf_puts(out, "def nodes_of(u):\n"
                   "  if hasattr(u, \"sparents\"): return list(u.sparents)\n"
                   "  return list(u.toposort() if callable(u.toposort) else u.toposort)\n\n"
                   "nodes = nodes_of(root)\n");
  if (f->kind == OR_SPEC)
    up_buf_puts(out, "try: from tinygrad.uop.spec import type_verify\n"
                     "except ImportError: from tinygrad.ops import type_verify\n");
  up_buf_puts(out, "\n");
  up_buf_printf(out, "# found by uproof: %s, blamed on %s of profile %s\n", or_kind_name(f->kind),
                rule ? rule : "no rule", up_profile_name(up_ctx_profile(c)));
  up_buf_puts(out, "def ");
  put_name(f, rule, out);
  up_buf_puts(out, "():\n");
  put_body(c, f, out);
  up_buf_puts(out, "\nif __name__ == \"__main__\":\n  ");
  put_name(f, rule, out);
  up_buf_puts(out, "()\n");
}
