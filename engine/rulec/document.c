/* The documentation of the rules: one table a file, and the native functions with their reasons. */
#include "rulec.h"

#include <string.h>

/* Text of a table cell: '|' would end it. */
static void put_cell(up_buf *out, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '|') up_buf_puts(out, "\\");
    up_buf_put(out, &s[i], 1);
  }
}

/* The statement between its name and its attributes. */
static void put_statement(up_buf *out, const rule *r) {
  const char *from = strchr(r->text, ':'), *end = r->text + strlen(r->text);
  assert(from);
  from++;
  while (*from == ' ') from++;
  const char *wrong = r->known_wrong ? strstr(from, " known-wrong") : NULL;
  const char *origin = r->from ? strstr(from, " from \"") : NULL;
  if (wrong) end = wrong;
  if (origin && origin < end) end = origin;
  up_buf_puts(out, "`");
  put_cell(out, from, (size_t)(end - from));
  up_buf_puts(out, "`");
}

static void put_frames(up_buf *out, unsigned frames) {
  static const struct {
    unsigned frame;
    const char *name;
  } known[] = {{RULE_IDEAL, "ideal"}, {RULE_WRAP, "wrap"}, {RULE_REFINE, "refine"}};
  const char *comma = "";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!(frames & known[i].frame)) continue;
    up_buf_printf(out, "%s%s", comma, known[i].name);
    comma = ", ";
  }
  if (!frames) up_buf_puts(out, "none");
}

static void put_row(up_buf *out, const rulebook *b, const rule *r) {
  unsigned wrong = r->known_wrong ? r->wrong_in : 0;
  const up_native *f = r->native ? build_native(&b->builds, r->rhs) : NULL;
  up_buf_printf(out, "| %u | `%s` | ", r->line, r->name);
  put_statement(out, r);
  up_buf_puts(out, " | ");
  put_frames(out, RULE_ALL_FRAMES & ~wrong);
  up_buf_puts(out, " | ");
  if (wrong) {
    put_frames(out, wrong);
    up_buf_puts(out, ": ");
    put_cell(out, r->known_wrong, strlen(r->known_wrong));
  }
  up_buf_printf(out, " | %s%s%s%s |\n", f ? "`" : "", f ? f->name : "", f ? "`: " : "",
                f ? f->why : "");
}

static void put_counts(up_buf *out, const rulebook *b) {
  unsigned native = 0, wrong = 0, bounds = 0;
  for (uint32_t i = 0; i < b->nrule; i++) {
    native += b->rule[i].native;
    wrong += b->rule[i].known_wrong != NULL;
    bounds += b->rule[i].kind == UP_RULE_BOUND;
  }
  up_buf_printf(
      out,
      "%u rewrite rules, of which %u native; %u bounds rules; %u known to be wrong in some "
      "frame.\n\n",
      b->nrule - bounds, native, bounds, wrong);
  for (uint32_t i = 0; i < b->nset; i++)
    up_buf_printf(out, "%s`%s` (%u)", i ? ", " : "Rule sets: ", b->set[i]->name, b->set[i]->n);
  if (b->nset) up_buf_puts(out, ".\n\n");
}

void rulec_document(const rulebook *b, const char *file, up_buf *out) {
  up_buf_printf(out, "\n## %s\n\n", file);
  put_counts(out, b);
  up_buf_puts(out, "| line | name | rule | holds in | known wrong in | native |\n"
                   "| ---: | --- | --- | --- | --- | --- |\n");
  for (uint32_t i = 0; i < b->nrule; i++) put_row(out, b, &b->rule[i]);
}

void rulec_document_head(up_buf *out) {
  up_buf_puts(out, "# Rules\n\n"
                   "Made by rulec out of engine/rules/*.rules. \"Holds in\" is what a rule claims: "
                   "every frame in which it is not marked as wrong.\n\n"
                   "## Native functions\n\n"
                   "| name | arguments | looks at bounds | why it is not rule text |\n"
                   "| --- | ---: | --- | --- |\n");
  const up_native *f;
  for (unsigned i = 0; (f = up_native_at(i)) != NULL; i++)
    up_buf_printf(out, "| `%s` | %u | %s | %s |\n", f->name, f->nargs,
                  f->reads_bounds ? "yes" : "no", f->why);
}
