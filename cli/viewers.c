/* JUnit: a case for each finding, which failed; one for the graphs that passed; one for those that
 * were not decided, as skipped. SARIF: a result for each finding, at the line of the blamed rule. */
#include "cli/viewers.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cl_viewers_usable(const char *junit, const char *sarif) {
  bool same = junit && sarif && strcmp(junit, sarif) == 0;
  if (same) return cl_usage("--junit and --sarif: both are to be written to %s", junit);
  return (!junit || cl_can_write(junit)) && (!sarif || cl_can_write(sarif));
}

void cl_viewers_add(cl_viewers *v, const char *lines, size_t n) {
  if (!v->junit && !v->sarif) return;
  if (!v->findings) v->findings = json_array();
  while (n > 0) {
    const char *end = memchr(lines, '\n', n);
    size_t length = end ? (size_t)(end - lines) + 1 : n;
    json_error_t e;
    json_t *j = json_loadb(lines, length, 0, &e);
    if (!j || json_array_append_new(v->findings, j) != 0) v->no_memory = true;
    lines += length;
    n -= length;
  }
}

void cl_viewers_free(cl_viewers *v) {
  json_decref(v->findings);
  v->findings = NULL;
}

static const char *word(const json_t *f, const char *key) {
  const char *s = json_string_value(json_object_get(f, key));
  return s ? s : "unknown";
}

/* "wrong value by div_lt: ((a//2)<0) where a in [-1,0], at {...} it is 0, becomes 1" */
static void put_message(const json_t *f, up_buf *out) {
  char *witness = json_dumps(json_object_get(f, "witness"), JSON_ENCODE_ANY | JSON_COMPACT);
  char *expected = json_dumps(json_object_get(f, "expected"), JSON_ENCODE_ANY | JSON_COMPACT);
  char *actual = json_dumps(json_object_get(f, "actual"), JSON_ENCODE_ANY | JSON_COMPACT);
  up_buf_printf(out, "%s in %s by %s: %s; at %s expected %s, actual %s", word(f, "kind"),
                word(f, "frame"), word(f, "rule"), word(f, "reduced"), witness ? witness : "null",
                expected ? expected : "null", actual ? actual : "null");
  free(witness);
  free(expected);
  free(actual);
  for (size_t i = 0; i < out->len; i++) {
    if (out->p[i] == '\n') out->p[i] = ' ';
  }
}

static bool write_text(const char *path, const up_buf *text) {
  FILE *f = text->no_memory ? NULL : fopen(path, "wb");
  bool ok = f && fwrite(text->p, 1, text->len, f) == text->len;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) cl_error("%s: %s", path, text->no_memory ? "out of memory" : strerror(errno));
  return ok;
}

/* ---- JUnit ----------------------------------------------------------------------------------- */

static void put_xml(up_buf *out, const char *s) {
  for (; *s; s++) {
    switch (*s) {
    case '<': up_buf_puts(out, "&lt;"); break;
    case '>': up_buf_puts(out, "&gt;"); break;
    case '&': up_buf_puts(out, "&amp;"); break;
    case '"': up_buf_puts(out, "&quot;"); break;
    default:
      /* XML has no way to write the other control characters */
      up_buf_put(out, (unsigned char)*s < 32 && *s != '\t' && *s != '\n' ? "?" : s, 1);
    }
  }
}

static void put_failure(const json_t *f, up_buf *out) {
  up_buf message = {0}, name = {0};
  put_message(f, &message);
  up_buf_printf(&name, "%s", word(f, "cause"));
  if (json_is_string(json_object_get(f, "file"))) up_buf_printf(&name, " %s", word(f, "file"));
  up_buf_puts(out, "  <testcase classname=\"");
  put_xml(out, word(f, "profile"));
  up_buf_printf(out, ".%s\" name=\"", word(f, "frame"));
  put_xml(out, name.p ? name.p : "");
  up_buf_printf(out, "\">\n    <failure type=\"%s\" message=\"", word(f, "kind"));
  put_xml(out, message.p ? message.p : "");
  up_buf_puts(out, "\">");
  put_xml(out, word(f, "reduced"));
  up_buf_puts(out, "</failure>\n  </testcase>\n");
  if (message.no_memory || name.no_memory) out->no_memory = true;
  up_buf_free(&message);
  up_buf_free(&name);
}

static void put_count(const cl_viewers *v, const char *what, uint64_t n, const char *inside,
                      up_buf *out) {
  up_buf_printf(out, "  <testcase classname=\"%s\" name=\"%llu graphs %s\"", v->command,
                (unsigned long long)n, what);
  up_buf_printf(out, inside ? ">%s</testcase>\n" : "/>\n", inside);
}

static bool write_junit(const cl_viewers *v, const cl_tally *t) {
  up_buf out = {0};
  size_t failures = json_array_size(v->findings), i;
  uint64_t weak = t->verdict[OR_UNDECIDED] + t->verdict[OR_UNSUPPORTED], bad = t->verdict[OR_ERROR];
  json_t *f;
  up_buf_printf(&out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuite name=\"uproof %s\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\""
                " skipped=\"%d\">\n",
                v->command, failures + 1 + (weak > 0) + (bad > 0), failures, bad > 0, weak > 0);
  put_count(v, "tried", t->graphs, NULL, &out);
  json_array_foreach(v->findings, i, f) put_failure(f, &out);
  if (weak) put_count(v, "undecided or unsupported", weak, "<skipped/>", &out);
  if (bad) put_count(v, "whose check failed", bad, "<error type=\"harness\"/>", &out);
  up_buf_puts(&out, "</testsuite>\n");
  bool ok = write_text(v->junit, &out);
  up_buf_free(&out);
  return ok;
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

static json_t *location(const cl_viewers *v, const up_profile *p, const json_t *f) {
  int rule = up_rule_find(p, word(f, "rule"));
  up_buf uri = {0};
  unsigned line = 1;
  if (rule >= 0) {
    up_rule_info r = up_rule_at(p, (uint32_t)rule);
    /* a rule of a user's file, or of those that a profile comes with */
    bool own = v->rules && r.kind == UP_RULE_REWRITE;
    up_buf_printf(&uri, "%s%s", own ? "" : "engine/rules/", own ? v->rules : r.file);
    line = r.line ? r.line : 1;
  } else {
    const char *file = json_string_value(json_object_get(f, "file"));
    up_buf_puts(&uri, file ? file : "engine/rules/README.md");
  }
  json_t *j = json_pack("{s:{s:{s:s},s:{s:i}}}", "physicalLocation", "artifactLocation", "uri",
                        uri.p ? uri.p : "", "region", "startLine", (int)line);
  up_buf_free(&uri);
  return j;
}

static json_t *result(const cl_viewers *v, const up_profile *p, const json_t *f) {
  up_buf message = {0};
  put_message(f, &message);
  json_t *j =
      json_pack("{s:s,s:s,s:{s:o},s:[o],s:{s:s}}", "ruleId", word(f, "cause"), "level", "error",
                "message", "text", cl_json_text(message.p ? message.p : ""), "locations",
                location(v, p, f), "partialFingerprints", "cause/v1", word(f, "cause"));
  up_buf_free(&message);
  return j;
}

/* The causes, each once. */
static json_t *descriptors(const cl_viewers *v, const up_profile *p) {
  json_t *all = json_array(), *seen = json_object(), *f;
  size_t i;
  json_array_foreach(v->findings, i, f) {
    const char *cause = word(f, "cause");
    int rule = up_rule_find(p, word(f, "rule"));
    if (json_object_get(seen, cause)) continue;
    json_object_set_new(seen, cause, json_true());
    json_array_append_new(
        all, json_pack("{s:s,s:{s:o}}", "id", cause, "shortDescription", "text",
                       cl_json_text(rule >= 0 ? up_rule_at(p, (uint32_t)rule).text : cause)));
  }
  json_decref(seen);
  return all;
}

static bool write_sarif(const cl_viewers *v, const up_profile *p) {
  json_t *results = json_array(), *f;
  size_t i;
  json_array_foreach(v->findings, i, f) json_array_append_new(results, result(v, p, f));
  json_t *j = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema",
                        "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                        "tool", "driver", "name", "uproof", "version", UPROOF_VERSION, "rules",
                        descriptors(v, p), "results", results);
  up_buf out = {0};
  if (!j) out.no_memory = true;
  cl_put_json(&out, j);
  bool ok = write_text(v->sarif, &out);
  up_buf_free(&out);
  return ok;
}

bool cl_viewers_write(cl_viewers *v, const up_profile *p, const cl_tally *t) {
  if (v->no_memory) cl_error("out of memory");
  bool ok = !v->no_memory;
  if (v->junit && !write_junit(v, t)) ok = false;
  if (v->sarif && !write_sarif(v, p)) ok = false;
  return ok;
}
