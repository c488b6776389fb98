/* uproof report: a campaign's folder, and the ledger of proofs, as one HTML page that needs nothing
 * else. It reads files only: a campaign may be running in the folder. */
#include "cli/campaign.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_args {
  cl_common common;
  const char *ledger;
} report_args;

#define AT(field) offsetof(report_args, field)
static const cl_option options[] = {
    {"--ledger", "FILE", CL_TEXT, AT(ledger), NULL,
     "rows of `uproof prove --each --json`, to be shown beside the causes"},
};
#undef AT

/* ---- HTML ------------------------------------------------------------------------------------ */

static void put_html(up_buf *out, const char *s) {
  for (; *s; s++) {
    switch (*s) {
    case '<': up_buf_puts(out, "&lt;"); break;
    case '>': up_buf_puts(out, "&gt;"); break;
    case '&': up_buf_puts(out, "&amp;"); break;
    case '"': up_buf_puts(out, "&quot;"); break;
    default: up_buf_put(out, s, 1);
    }
  }
}

/* A JSON value as it would be read by a person; "-" for null. */
static void put_value(up_buf *out, const json_t *j) {
  if (json_is_string(j)) {
    put_html(out, json_string_value(j));
    return;
  }
  char *s = json_is_null(j) || !j ? NULL : json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT);
  put_html(out, s ? s : "-");
  free(s);
}

static void put_cell(up_buf *out, const char *tag, const char *class, const json_t *j) {
  up_buf_printf(out, "<%s class=\"%s\">", tag, class);
  put_value(out, j);
  up_buf_printf(out, "</%s>", tag);
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>uproof campaign</title>\n"
    "<style>\n"
    "body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\n"
    "table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.3em .6em;border-bottom:1px solid #8884;vertical-align:top}\n"
    "th{position:sticky;top:0;background:Canvas}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "code,pre,.c{font-family:ui-monospace,monospace;font-size:.9em;white-space:pre-wrap;"
    "overflow-wrap:anywhere}\n"
    ".new{font-weight:bold}\n:root{color-scheme:light dark}\n</style>\n";

/* ---- the campaign ---------------------------------------------------------------------------- */

static json_t *load(const char *dir, const char *name) {
  char path[CL_PATH + 300];
  json_error_t e;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  json_t *j = json_load_file(path, 0, &e);
  if (!j && e.line > 0)
    cl_error("%s:%d:%d: %s", path, e.line, e.column, e.text);
  else if (!j)
    cl_error("%s: can't be read", path);
  return j;
}

static void put_pairs(up_buf *out, json_t *object) {
  const char *key;
  json_t *value;
  up_buf_puts(out, "<table>");
  json_object_foreach(object, key, value) {
    up_buf_puts(out, "<tr><th>");
    put_html(out, key);
    up_buf_puts(out, "</th>");
    put_cell(out, "td", "c", value);
    up_buf_puts(out, "</tr>\n");
  }
  up_buf_puts(out, "</table>\n");
}

static int by_count(const void *a, const void *b) {
  json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "count"));
  json_int_t y = json_integer_value(json_object_get(*(json_t *const *)b, "count"));
  return x > y ? -1 : x < y;
}

/* The finding of a cause, out of its line in findings.jsonl. */
static const json_t *finding_of(const json_t *findings, const char *cause) {
  return json_object_get(findings, cause);
}

static void put_cause(up_buf *out, const json_t *k, const json_t *f) {
  bool known = json_is_true(json_object_get(k, "known"));
  up_buf_printf(out, "<tr class=\"%s\">", known ? "known" : "new");
  put_cell(out, "td", "n", json_object_get(k, "count"));
  put_cell(out, "td", "c", json_object_get(k, "cause"));
  up_buf_printf(out, "<td>%s</td>", known ? "known" : "new");
  put_cell(out, "td", "n", json_object_get(k, "first_case"));
  put_cell(out, "td", "c", json_object_get(f, "reduced"));
  put_cell(out, "td", "c", json_object_get(f, "witness"));
  put_cell(out, "td", "c", json_object_get(f, "expected"));
  put_cell(out, "td", "c", json_object_get(f, "actual"));
  up_buf_puts(out, "<td class=\"c\">");
  put_value(out, json_object_get(f, "before"));
  up_buf_puts(out, " &rarr; ");
  put_value(out, json_object_get(f, "after"));
  up_buf_puts(out, "</td></tr>\n");
}

static void put_causes(up_buf *out, const json_t *state, const json_t *findings) {
  json_t *causes = json_object_get(state, "causes");
  size_t n = json_array_size(causes);
  const json_t **k = calloc(n + 1, sizeof *k);
  if (!k) out->no_memory = true;
  for (size_t i = 0; i < n && k; i++) k[i] = json_array_get(causes, i);
  if (k) qsort(k, n, sizeof *k, by_count);
  up_buf_printf(out, "<h2>%zu causes</h2>\n<table><tr>", n);
  static const char *const title[] = {"count",   "cause",    "",       "first case", "graph",
                                      "witness", "expected", "actual", "blamed step"};
  for (unsigned i = 0; i < sizeof title / sizeof title[0]; i++)
    up_buf_printf(out, "<th>%s</th>", title[i]);
  up_buf_puts(out, "</tr>\n");
  for (size_t i = 0; i < n && k; i++) {
    const char *name = json_string_value(json_object_get(k[i], "cause"));
    put_cause(out, k[i], finding_of(findings, name ? name : ""));
  }
  up_buf_puts(out, "</table>\n");
  free(k);
}

/* JSON lines of a file, each by the value of a member; half a line at the end is not there yet. */
static json_t *load_lines(const char *path, const char *key) {
  FILE *f = fopen(path, "r");
  json_t *all = json_object();
  char *line = NULL;
  size_t room = 0;
  for (unsigned row = 1; f && all && getline(&line, &room, f) >= 0; row++) {
    json_error_t e;
    json_t *j = strchr(line, '\n') ? json_loads(line, 0, &e) : NULL;
    const char *name = json_string_value(json_object_get(j, key));
    char number[16];
    snprintf(number, sizeof number, "%u", row);
    if (j) json_object_set_new(all, name ? name : number, j);
  }
  bool whole = f && feof(f);
  if (!whole) cl_error("%s: %s", path, strerror(errno));
  free(line);
  if (f) fclose(f);
  if (whole) return all;
  json_decref(all);
  return NULL;
}

/* ---- the ledger ------------------------------------------------------------------------------ */

/* All rows, with the columns that the first one has. */
static bool put_ledger(up_buf *out, const char *path) {
  json_t *rows = load_lines(path, ""), *row, *value;
  const char *key, *column;
  if (!rows) return false;
  const json_t *first = json_object_iter_value(json_object_iter(rows));
  up_buf_printf(out, "<h2>Ledger: %zu rows</h2>\n<table><tr>", json_object_size(rows));
  json_object_foreach((json_t *)(uintptr_t)first, column, value) {
    up_buf_puts(out, "<th>");
    put_html(out, column);
    up_buf_puts(out, "</th>");
  }
  up_buf_puts(out, "</tr>\n");
  json_object_foreach(rows, key, row) {
    up_buf_puts(out, "<tr>");
    json_object_foreach((json_t *)(uintptr_t)first, column, value) {
      put_cell(out, "td", "c", json_object_get(row, column));
    }
    up_buf_puts(out, "</tr>\n");
  }
  up_buf_puts(out, "</table>\n");
  json_decref(rows);
  return true;
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool put_page(const report_args *a, const json_t *state, json_t *status, up_buf *out) {
  char path[CL_PATH + 32];
  const char *dir = a->common.operands.p[0];
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  FILE *f = fopen(path, "r"); /* a campaign that found nothing has none */
  json_t *findings = f ? load_lines(path, "cause") : json_object();
  if (f) fclose(f);
  if (!findings) return false;
  up_buf_puts(out, head);
  up_buf_puts(out, "<h1>uproof campaign ");
  put_html(out, dir);
  up_buf_puts(out, "</h1>\n<h2>Status</h2>\n");
  put_pairs(out, status);
  up_buf_puts(out, "<h2>Verdicts</h2>\n");
  put_pairs(out, json_object_get(state, "verdicts"));
  up_buf_puts(out, "<h2>Graphs by the stage that decided</h2>\n");
  put_pairs(out, json_object_get(state, "stages"));
  put_causes(out, state, findings);
  up_buf_puts(out, "<h2>Options</h2>\n");
  put_pairs(out, json_object_get(state, "options"));
  json_decref(findings);
  bool ok = !a->ledger || put_ledger(out, a->ledger);
  up_buf_puts(out, "</html>\n");
  return ok;
}

static int run(void *args) {
  const report_args *a = args;
  const char *dir = a->common.operands.p[0];
  if (strlen(dir) + 32 > CL_PATH) {
    cl_usage("%s: path too long", dir);
    return CL_USAGE;
  }
  json_t *state = load(dir, "state.json");
  json_t *status = state ? load(dir, "status.json") : NULL;
  up_buf out = {0};
  int result = CL_USAGE;
  if (status && put_page(a, state, status, &out)) result = cl_flush(&out) ? CL_SOUND : CL_HARNESS;
  up_buf_free(&out);
  json_decref(state);
  json_decref(status);
  return result;
}

const cl_command cl_report = {
    .name = "report",
    .operands = "DIR",
    .summary = "an HTML page of a campaign and the ledger",
    .about =
        "Prints one HTML page about the campaign in DIR (`fuzz --out DIR`), which may be running:\n"
        "its status, verdicts, causes with counts and reduced graphs, options, and the rows of\n"
        "a ledger. The page needs no other file.",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(report_args),
    .run = run,
};
