/* The ledger as text and as JSON lines. */
#include "cli/ledger_out.h"
#include "cli/cli.h"
#include <string.h>

static bool marked(const pf_row *r) {
  static const unsigned bit[OR_FRAME_COUNT] = {UP_RULE_IDEAL, UP_RULE_WRAP, UP_RULE_REFINE};
  return (r->wrong_in & bit[r->frame]) != 0;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *s) { return s && s[0] ? cl_json_text(s) : json_null(); }

static json_t *json_of(const pf_row *r, const cl_ledger_out *o) {
  static const char *const second[PF_SECOND_COUNT] = {NULL, "agrees", "undecided", "disagrees"};
  return json_pack(
      "{s:o, s:s, s:o, s:s, s:i, s:s, s:s, s:s, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:b, s:b, s:o}",
      "profile", cl_json_text(o->profile), "rule", r->rule, "lemma", text_or_null(r->lemma), "file",
      r->file, "line", (int)r->line, "kind", r->kind == UP_RULE_BOUND ? "bound" : "rule", "frame",
      or_frame_name(r->frame), "dtype", r->label, "verdict", pf_verdict_name(r->verdict), "by",
      text_or_null(r->by), "resource", (json_int_t)r->resource, "witness", text_or_null(r->witness),
      "counterexample", text_or_null(r->counterexample), "reason", text_or_null(r->reason),
      "holds_while", text_or_null(pf_while_name(r->holds_while)), "while_by",
      text_or_null(r->while_by), "left_in_range",
      r->counterexample[0] ? json_boolean(r->left_stays) : json_null(), "second_opinion",
      text_or_null(second[r->second]), "known_wrong", marked(r), "cached", r->cached, "hash",
      text_or_null(r->key));
}

/* ---- text ------------------------------------------------------------------------------------------ */

static void put_name(const pf_row *r, up_buf *out) {
  char name[96];
  snprintf(name, sizeof name, "%s%s%s", r->rule, r->lemma ? "/" : "", r->lemma ? r->lemma : "");
  up_buf_printf(out, "%-11s %-30s %-6s", pf_verdict_name(r->verdict), name,
                or_frame_name(r->frame));
}

static void put_row(const pf_row *r, up_buf *out) {
  put_name(r, out);
  if (r->label[0]) up_buf_printf(out, "  %s", r->label);
  if (r->verdict == PF_PROVED) up_buf_printf(out, "  (%s%s)", r->by, r->cached ? ", cached" : "");
  if (r->verdict == PF_REFUTED && marked(r)) up_buf_puts(out, "  (known to be wrong)");
  if (r->reason[0]) up_buf_printf(out, "  (%s)", r->reason);
  if (r->holds_while)
    up_buf_printf(out, "  (holds %s: %s)", pf_while_name(r->holds_while), r->while_by);
  up_buf_puts(out, "\n");
  if (r->counterexample[0])
    up_buf_printf(out, "    %s%s\n", r->left_stays ? "left in range: " : "", r->counterexample);
}

static bool one_group(const pf_row *a, const pf_row *b) {
  return a->rule == b->rule && a->lemma == b->lemma && a->frame == b->frame &&
         a->verdict == b->verdict;
}

/* Rows from `from` on that one line can stand for: proved ones of a rule in a frame. */
static uint32_t group_end(const pf_ledger *l, uint32_t from) {
  uint32_t to = from + 1;
  while (to < pf_ledger_count(l) && one_group(pf_ledger_row(l, from), pf_ledger_row(l, to))) to++;
  return to;
}

static void put_group(const pf_ledger *l, uint32_t from, uint32_t to, up_buf *out) {
  const pf_row *r = pf_ledger_row(l, from);
  put_name(r, out);
  for (uint32_t i = from; i < to && i < from + 4; i++)
    up_buf_printf(out, "%s%s", i == from ? "  " : "; ", pf_ledger_row(l, i)->label);
  if (to - from > 4) up_buf_printf(out, "; and %u more", to - from - 4);
  up_buf_printf(out, "  (%s)\n", r->by);
}

static bool put_text(const pf_ledger *l, const cl_ledger_out *o) {
  up_buf out = {0};
  uint32_t n = pf_ledger_count(l);
  for (uint32_t i = 0; i < n;) {
    const pf_row *r = pf_ledger_row(l, i);
    uint32_t end = !o->each && r->verdict == PF_PROVED ? group_end(l, i) : i + 1;
    if (end > i + 1)
      put_group(l, i, end, &out);
    else
      put_row(r, &out);
    i = end;
  }
  return cl_flush(&out);
}

static bool put_json(const pf_ledger *l, const cl_ledger_out *o) {
  up_buf out = {0};
  for (uint32_t i = 0; i < pf_ledger_count(l); i++)
    cl_put_json(&out, json_of(pf_ledger_row(l, i), o));
  return cl_flush(&out);
}

bool cl_put_loop(const char *name, const char *why, const cl_ledger_out *o) {
  up_buf out = {0};
  if (o->json)
    cl_put_json(&out,
                json_pack("{s:o, s:s, s:s, s:s, s:o}", "profile", cl_json_text(o->profile), "rule",
                          name, "kind", "rule", "verdict", "loops", "reason", cl_json_text(why)));
  else
    up_buf_printf(&out, "%-11s %-30s %s\n", "loops", name, why);
  return cl_flush(&out);
}

/* ---- what it comes to ---------------------------------------------------------------------------------- */

static void put_summary(const uint32_t count[PF_VERDICT_COUNT],
                        const uint32_t second[PF_SECOND_COUNT], uint32_t rows, uint32_t cached) {
  fprintf(stderr,
          "prove: %u obligations, %u proved, %u refuted, %u unknown, %u vacuous, %u unsupported",
          rows, count[PF_PROVED], count[PF_REFUTED], count[PF_UNKNOWN], count[PF_VACUOUS],
          count[PF_UNSUPPORTED]);
  if (count[PF_ERROR]) fprintf(stderr, ", %u errors", count[PF_ERROR]);
  if (cached) fprintf(stderr, ", %u of them cached", cached);
  if (second[PF_AGREES] + second[PF_UNDECIDED] + second[PF_DISAGREES])
    fprintf(stderr, "; second opinion: %u agree, %u undecided, %u disagree", second[PF_AGREES],
            second[PF_UNDECIDED], second[PF_DISAGREES]);
  fprintf(stderr, "\n");
}

int cl_put_ledger(const pf_ledger *l, const cl_ledger_out *o) {
  uint32_t count[PF_VERDICT_COUNT] = {0}, second[PF_SECOND_COUNT] = {0}, cached = 0;
  uint32_t rows = pf_ledger_count(l);
  for (uint32_t i = 0; i < rows; i++) {
    const pf_row *r = pf_ledger_row(l, i);
    count[r->verdict]++;
    second[r->second]++;
    cached += r->cached;
  }
  bool printed = o->json ? put_json(l, o) : put_text(l, o);
  if (!o->quiet) put_summary(count, second, rows, cached);
  if (!printed || count[PF_ERROR]) return CL_HARNESS;
  if (count[PF_REFUTED] + count[PF_VACUOUS]) return CL_FINDINGS;
  return count[PF_UNKNOWN] ? CL_UNDECIDED : CL_SOUND;
}
