/* A finding as a test in C: a cmocka program that fails as long as the engine has the bug. */
#include "cli/cli.h"
#include <string.h>

/* A C string a line; what is not plain ASCII is octal. */
static void put_literal(const char *text, size_t n, up_buf *out) {
  up_buf_puts(out, "    \"");
  for (size_t i = 0; i < n; i++) {
    unsigned char ch = (unsigned char)text[i];
    bool last = i + 1 == n;
    if (ch == '\n')
      up_buf_puts(out, last ? "\\n" : "\\n\"\n    \"");
    else if (ch == '"' || ch == '\\' || ch == '?')
      up_buf_printf(out, "\\%c", ch);
    else if (ch < 0x20 || ch > 0x7e)
      up_buf_printf(out, "\\%03o", ch);
    else
      up_buf_put(out, text + i, 1);
  }
  up_buf_puts(out, "\"");
}

static void put_text(const char *name, const char *text, size_t n, up_buf *out) {
  up_buf_printf(out, "static const char %s[] =\n", name);
  put_literal(text, n, out);
  up_buf_puts(out, ";\n");
}

static void put_graph(const char *name, up_ctx *c, up_node root, up_buf *out) {
  up_buf text = {0};
  up_print_uop(c, root, NULL, &text);
  if (text.no_memory) out->no_memory = true;
  put_text(name, text.p ? text.p : "", text.len, out);
  up_buf_free(&text);
}

/* In a comment: one line, which does not end it. */
static void put_remark(const char *before, const up_buf *text, up_buf *out) {
  up_buf_puts(out, before);
  size_t n = text->len;
  while (n > 0 && text->p[n - 1] == '\n') n--;
  for (size_t i = 0; i < n; i++) {
    char ch = text->p[i];
    if (ch == '\n') ch = ' ';
    if (ch == '/' && i > 0 && text->p[i - 1] == '*') up_buf_puts(out, " ");
    up_buf_put(out, &ch, 1);
  }
  up_buf_puts(out, "\n");
}

static void put_head(up_ctx *c, const or_finding *f, const char *profile, up_buf *out) {
  const char *rule = cl_rule_name(up_ctx_profile(c), f->rule);
  up_buf text = {.limit = 4000};
  up_buf_printf(&text, "%s in %s by %s, profile %s", or_kind_name(f->kind), or_frame_name(f->frame),
                rule ? rule : "a rule that is not known", profile);
  put_remark("/* ", &text, out);
  text.len = 0;
  up_print_infix(c, f->graph, &text);
  put_remark(" * ", &text, out);
  text.len = 0;
  if (f->witness.n > 0) {
    up_buf_puts(&text, "at ");
    or_witness_put(c, &f->witness, &text);
    up_buf_printf(&text, " it is %s", f->expected);
    if (f->actual[0]) up_buf_printf(&text, ", and not %s", f->actual);
    put_remark(" * ", &text, out);
  }
  if (text.no_memory) out->no_memory = true;
  up_buf_free(&text);
  up_buf_puts(
      out, " *\n * In uproof: tests/check/test_NAME.c. Links uproof_oracle, uproof_engine, z3, gmp,"
           " cmocka. */\n");
}

static const char *kind_constant(or_kind k) {
  switch (k) {
  case OR_VALUE: return "OR_VALUE";
  case OR_BOUNDS: return "OR_BOUNDS";
  case OR_NONTERMINATION: return "OR_NONTERMINATION";
  case OR_CRASH: return "OR_CRASH";
  case OR_DTYPE: return "OR_DTYPE";
  case OR_SPEC: return "OR_SPEC";
  case OR_IDEMPOTENCE: return "OR_IDEMPOTENCE";
  }
  return "OR_VALUE";
}

static const char *frame_constant(or_frame f) {
  return f == OR_IDEAL ? "OR_IDEAL" : f == OR_WRAP ? "OR_WRAP" : "OR_REFINE";
}

static void put_check(const or_finding *f, up_buf *out) {
  const char *frame = frame_constant(f->frame);
  if (f->mode == OR_NO_VALID) {
    up_buf_printf(out, "  or_check(oracle, c, parse(c, graph, sizeof graph - 1), %s, &r);\n",
                  frame);
    return;
  }
  bool given = f->mode == OR_GIVEN_VALID;
  up_buf_printf(out,
                "  or_check_valid(oracle, c, parse(c, valid, sizeof valid - 1), %s,\n"
                "                 %s, %s, &r);\n",
                given ? "parse(c, graph, sizeof graph - 1)" : "UP_NONE",
                given ? "OR_GIVEN_VALID" : "OR_SIMPLIFY_VALID", frame);
}

static const char *const parser =
    "static up_node parse(up_ctx *c, const char *text, size_t n) {\n"
    "  up_node root = UP_NONE;\n"
    "  up_metas meta = {0};\n"
    "  up_error e = {0};\n"
    "  if (!up_parse_uop(c, text, n, &root, &meta, &e)) fail_msg(\"%u:%u: %s\", e.line, e.col, "
    "e.msg);\n"
    "  up_metas_free(&meta);\n"
    "  return root;\n"
    "}\n\n";

static void put_test(const or_finding *f, const char *name, const char *profile, bool rules,
                     up_buf *out) {
  up_buf_printf(out,
                "static void test_%s(void **state) {\n"
                "  (void)state;\n"
                "  up_error e = {0};\n"
                "  up_profile *p = %s\"%s\"%s, &e);\n"
                "  if (!p) fail_msg(\"%%s\", e.msg);\n"
                "  up_ctx *c = up_ctx_new(p);\n"
                "  or_limits limits = or_limits_default();\n%s"
                "  or_checker *oracle = or_checker_new(&limits);\n"
                "  assert_non_null(c);\n"
                "  assert_non_null(oracle);\n"
                "  or_report r;\n",
                name, rules ? "up_profile_parse(" : "up_profile_load(", profile,
                rules ? ", rules, sizeof rules - 1" : "",
                f->kind == OR_IDEMPOTENCE ? "  limits.idempotence = true;\n" : "");
  put_check(f, out);
  up_buf_printf(
      out,
      "  for (uint32_t i = 0; i < r.nfindings; i++) {\n"
      "    char cause[OR_CAUSE_ROOM];\n"
      "    or_finding_cause(c, &r.finding[i], cause);\n"
      "    if (r.finding[i].kind == %s)\n"
      "      fail_msg(\"%%s: %%s is expected, and not %%s\", cause, r.finding[i].expected,\n"
      "               r.finding[i].actual);\n"
      "  }\n"
      "  if (r.verdict == OR_UNDECIDED || r.verdict == OR_UNSUPPORTED || r.verdict == "
      "OR_ERROR)\n"
      "    fail_msg(\"%%s: %%s\", or_verdict_name(r.verdict), r.reason);\n"
      "  or_report_clear(&r);\n"
      "  or_checker_free(oracle);\n"
      "  up_ctx_free(c);\n"
      "  up_profile_free(p);\n"
      "}\n\n"
      "int main(void) {\n"
      "  const struct CMUnitTest tests[] = {cmocka_unit_test(test_%s)};\n"
      "  return cmocka_run_group_tests(tests, NULL, NULL);\n"
      "}\n",
      kind_constant(f->kind), name);
}

void cl_put_finding_c(up_ctx *c, const or_finding *f, const char *profile, const char *rules,
                      up_buf *out) {
  char name[OR_CAUSE_ROOM];
  or_finding_cause(c, f, name);
  for (char *s = name; *s; s++) {
    if (*s == '-' || *s == '.') *s = '_';
  }
  put_head(c, f, profile, out);
  up_buf_puts(out, "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n"
                   "#include <stdint.h>\n#include <cmocka.h>\n#include \"oracle/oracle.h\"\n\n");
  if (rules) put_text("rules", rules, strlen(rules), out);
  if (f->mode != OR_SIMPLIFY_VALID) put_graph("graph", c, f->graph, out);
  if (f->mode != OR_NO_VALID) put_graph("valid", c, f->valid, out);
  up_buf_puts(out, "\n");
  up_buf_puts(out, parser);
  put_test(f, name, profile, rules != NULL, out);
}
