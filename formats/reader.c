/* A file of graphs, read item by item; the form is recognised by content. */
#include "internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef enum form { FORM_UOP, FORM_INFIX, FORM_JSONL, FORM_TREE } form;

/* How much of a text is looked at to recognise it. */
#define HEAD 256u

struct fm_reader {
  fm_input *in;
  form form;
  unsigned line; /* lines taken so far */
  size_t at;     /* of a text with several trees: where the next begins */
  bool any_tree; /* one was read */
  bool done;
};

void fm_item_clear(fm_item *it) {
  free(it->id);
  up_metas_free(&it->meta);
  json_decref(it->row);
  free(it->note);
  *it = (fm_item){0};
}

/* ---- recognition ---------------------------------------------------------------- */

static bool is_blank(char ch) { return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n'; }

/* Offset of the first character that is not blank, the whole length when all are. */
static bool find_start(fm_reader *r, size_t *start, up_error *err) {
  size_t n, at = 0;
  const char *p;
  do {
    size_t before = at;
    if (!fm_input_fill(r->in, at + 1, err)) return false;
    p = fm_input_at(r->in, &n);
    while (at < n && is_blank(p[at])) at++;
    if (at == before) break;
  } while (at == n);
  *start = at;
  return true;
}

static bool begins_with(const char *p, size_t n, const char *word) {
  size_t k = strlen(word);
  return n >= k && memcmp(p, word, k) == 0;
}

/* `uop` and a version; an infix text may begin with a variable of that name. */
static bool is_uop(const char *p, size_t n) {
  if (!begins_with(p, n, "uop")) return false;
  size_t at = 3;
  while (at < n && (p[at] == ' ' || p[at] == '\t')) at++;
  return at > 3 && at < n && p[at] >= '0' && p[at] <= '9';
}

/* The mark that some editors put in front of a text is no part of it; columns are counted behind it. */
static bool pass_mark(fm_reader *r, up_error *err) {
  size_t n;
  if (!fm_input_fill(r->in, 3, err)) return false;
  const char *p = fm_input_at(r->in, &n);
  if (begins_with(p, n, "\xff\xfe") || begins_with(p, n, "\xfe\xff"))
    return up_fail(err, 1, 1, "a text in UTF-16: it has to be in UTF-8");
  if (begins_with(p, n, "\xef\xbb\xbf")) fm_input_skip(r->in, 3);
  return true;
}

static bool recognise(fm_reader *r, up_error *err) {
  size_t start, n;
  if (!pass_mark(r, err)) return false;
  if (!find_start(r, &start, err) || !fm_input_fill(r->in, start + HEAD, err)) return false;
  const char *p = fm_input_at(r->in, &n);
  if (start == n) return up_fail(err, 1, 1, "the input is empty");
  if (p[start] == '{')
    r->form = FORM_JSONL;
  else if (up_begins_tree(p + start, n - start))
    r->form = FORM_TREE;
  else if (is_uop(p, n))
    r->form = FORM_UOP;
  else
    r->form = FORM_INFIX;
  return true;
}

/* A position for an error that has none: reading the bytes failed. */
static void at_least(up_error *err, unsigned line, unsigned col) {
  if (err && err->line == 0) err->line = line, err->col = col;
}

fm_reader *fm_open(const char *path, up_error *err) {
  fm_reader *r = calloc(1, sizeof *r);
  if (!r) {
    up_fail(err, 0, 0, "no memory");
    return NULL;
  }
  r->in = fm_input_open(path, err);
  if (r->in && recognise(r, err)) return r;
  if (r->in) at_least(err, 1, 1);
  fm_close(r);
  return NULL;
}

void fm_close(fm_reader *r) {
  if (!r) return;
  fm_input_close(r->in);
  free(r);
}

const char *fm_form(const fm_reader *r) {
  static const char *const names[] = {
      [FORM_UOP] = "uop", [FORM_INFIX] = "infix", [FORM_JSONL] = "jsonl", [FORM_TREE] = "tinygrad"};
  return names[r->form];
}

/* ---- one graph a file ----------------------------------------------------------- */

static int next_text(fm_reader *r, up_ctx *c, fm_item *out, up_error *err) {
  size_t n;
  r->done = true;
  if (!fm_input_fill(r->in, SIZE_MAX, err)) {
    at_least(err, 1, 1);
    return -1;
  }
  const char *p = fm_input_at(r->in, &n);
  out->line = 1;
  bool ok = r->form == FORM_UOP ? up_parse_uop(c, p, n, &out->root, &out->meta, err)
                                : up_parse_infix(c, p, n, &out->root, err);
  return ok ? 1 : -1;
}

/* ---- printed trees -------------------------------------------------------------- */

/* Moves r->at to `to` and counts lines. */
static void pass(fm_reader *r, const char *text, size_t to) {
  for (; r->at < to; r->at++)
    if (text[r->at] == '\n') r->line++;
}

static int next_tree(fm_reader *r, up_ctx *c, fm_item *out, up_error *err) {
  size_t n, end = r->at;
  if (!fm_input_fill(r->in, SIZE_MAX, err)) {
    at_least(err, 1, 1);
    return -1;
  }
  const char *text = fm_input_at(r->in, &n);
  if (r->at == 0) pass(r, text, up_tree_start(text, n, 0));
  if (r->at == n && n > 0 && r->any_tree) return 0;
  out->line = r->line + 1;
  up_buf note = {0};
  r->done = true; /* unless all goes well */
  if (!up_parse_tree(c, text, n, &end, &out->root, err)) return -1;
  bool ok = fm_replace_opaque(c, out->root, &out->root, &note, err);
  if (!ok || note.no_memory) {
    at_least(err, out->line, 1);
    up_buf_free(&note);
    return ok ? (up_fail(err, out->line, 1, "no memory"), -1) : -1;
  }
  out->note = note.p;
  pass(r, text, end);
  r->any_tree = true;
  r->done = false;
  return 1;
}

/* ---- rows ----------------------------------------------------------------------- */

/* The error of the first try stands when the second fails too: its column is that of the row. */
static json_t *load_json(const char *text, size_t n, json_error_t *e) {
  json_t *row = json_loadb(text, n, JSON_REJECT_DUPLICATES, e);
  if (row || json_error_code(e) != json_error_numeric_overflow) return row;
  up_buf quoted = {0};
  fm_quote_wide(text, n, &quoted);
  if (!quoted.no_memory)
    row = json_loadb(quoted.p, quoted.len, JSON_REJECT_DUPLICATES, NULL);
  else
    e->text[0] = 0;
  up_buf_free(&quoted);
  return row;
}

static json_t *load_row(fm_reader *r, const char *text, size_t n, up_error *err) {
  json_error_t e;
  json_t *row = load_json(text, n, &e);
  if (row && json_is_object(row)) return row;
  if (row)
    up_fail(err, r->line, 1, "a row must be a JSON object");
  else
    up_fail(err, r->line, e.column > 0 ? (unsigned)e.column : 1, "JSON: %s",
            e.text[0] ? e.text : "no memory");
  json_decref(row);
  return NULL;
}

/* The graph of the row: `nodes`; in rows about a condition alone, `valid`. */
static bool decode_row(fm_reader *r, up_ctx *c, const char *text, size_t n, fm_item *out,
                       up_error *err) {
  fm_place place = {.field = "nodes"};
  const json_t *nodes = json_object_get(out->row, place.field);
  if (!nodes) {
    place.field = "valid";
    nodes = json_object_get(out->row, place.field);
  }
  if (!nodes) return up_fail(err, r->line, 1, "the row has no \"nodes\"");
  fm_graph g;
  up_error why = {0};
  if (!fm_decode(c, nodes, &g, &why, &place))
    return up_fail(err, r->line, fm_place_column(text, n, &place), "%s", why.msg);
  out->root = g.all[g.n - 1];
  free(g.all);
  return true;
}

static int next_row(fm_reader *r, up_ctx *c, fm_item *out, up_error *err) {
  const char *text;
  size_t n;
  do {
    int got = fm_input_line(r->in, &text, &n, err);
    if (got <= 0) {
      r->done = true;
      if (got < 0) at_least(err, r->line + 1, 1);
      return got;
    }
    r->line++;
    while (n > 0 && is_blank(text[n - 1])) n--;
  } while (n == 0);
  out->line = r->line;
  out->row = load_row(r, text, n, err);
  if (!out->row || !decode_row(r, c, text, n, out, err)) return -1;
  const json_t *id = json_object_get(out->row, "id");
  if (!id) return 1;
  out->id = json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT);
  return out->id ? 1 : (up_fail(err, r->line, 1, "no memory"), -1);
}

int fm_next(fm_reader *r, up_ctx *c, fm_item *out, up_error *err) {
  *out = (fm_item){0};
  if (r->done) return 0;
  int got = r->form == FORM_JSONL  ? next_row(r, c, out, err)
            : r->form == FORM_TREE ? next_tree(r, c, out, err)
                                   : next_text(r, c, out, err);
  if (got < 0) fm_item_clear(out);
  return got;
}
