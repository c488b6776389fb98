/* Reads `.uop` text; the form is described in uop_text.c. */
#include "text.h"
#include <stdlib.h>
#include <string.h>

typedef struct parser {
  text_in in;
  size_t at;
  text_names labels;
  up_node *src; /* sources of the node that is being read */
  size_t src_cap;
  up_metas *meta; /* or NULL */
  up_node root;
  bool root_given;
} parser;

/* ---- words ---------------------------------------------------------------------- */

static void skip_blanks(parser *p) {
  while (text_char(&p->in, p->at) == ' ' || text_char(&p->in, p->at) == '\t') p->at++;
}

/* A piece of the text. */
typedef struct word {
  const char *s;
  size_t n, at;
} word;

static word get_word(parser *p) {
  skip_blanks(p);
  size_t start = p->at;
  while (text_is_word(text_char(&p->in, p->at)) || text_char(&p->in, p->at) == '.') p->at++;
  return (word){p->in.text + start, p->at - start, start};
}

static bool at_line_end(const parser *p) {
  if (p->at >= p->in.n) return true;
  char ch = p->in.text[p->at];
  return ch == '\n' || (ch == '\r' && text_char(&p->in, p->at + 1) == '\n');
}

static size_t line_end(const parser *p) {
  const char *nl = memchr(p->in.text + p->at, '\n', p->in.n - p->at);
  return nl ? (size_t)(nl - p->in.text) : p->in.n;
}

/* After a statement: blanks, a comment, then the next line begins. */
static bool end_statement(parser *p) {
  skip_blanks(p);
  if (text_char(&p->in, p->at) == '#') p->at = line_end(p);
  if (!at_line_end(p)) {
    char ch = p->in.text[p->at];
    return ch == 0 ? text_fail(&p->in, p->at, "NUL byte")
                   : text_fail(&p->in, p->at, "the end of the line was expected");
  }
  p->at = line_end(p);
  if (p->at < p->in.n) p->at++;
  return true;
}

/* ---- labels --------------------------------------------------------------------- */

/* At a %: the label, without it. */
static bool get_label(parser *p, word *out) {
  size_t start = p->at;
  if (text_char(&p->in, start) != '%') return text_fail(&p->in, start, "a %%label was expected");
  p->at++;
  while (text_is_word(text_char(&p->in, p->at))) p->at++;
  *out = (word){p->in.text + start + 1, p->at - start - 1, start};
  return out->n > 0 || text_fail(&p->in, start, "a label is %% and letters, digits or _");
}

static bool get_labelled(parser *p, up_node *out) {
  word label;
  if (!get_label(p, &label)) return false;
  const text_name *e = text_names_get(&p->labels, label.s, label.n);
  if (!e)
    return text_fail(&p->in, label.at, "label %%%.*s is not defined above", text_quoted(label.n),
                     label.s);
  *out = e->node;
  return true;
}

/* ---- statements ----------------------------------------------------------------- */

static bool get_head(parser *p, up_op *op, up_dtype *dt, size_t *op_at) {
  word w = get_word(p);
  *op_at = w.at;
  if (!up_op_parse(w.s, w.n, op))
    return text_fail(&p->in, w.at, "unknown op '%.*s'", text_quoted(w.n), w.s);
  w = get_word(p);
  return up_dt_parse(w.s, w.n, dt) ||
         text_fail(&p->in, w.at, "unknown dtype '%.*s'", text_quoted(w.n), w.s);
}

static bool get_sources(parser *p, size_t *n) {
  for (*n = 0;; (*n)++) {
    skip_blanks(p);
    if (text_char(&p->in, p->at) != '%') return true;
    if (*n == UP_MAX_SRC)
      return text_fail(&p->in, p->at, "a node has at most %u sources", UP_MAX_SRC);
    if (!text_grow(&p->src, &p->src_cap, *n + 1, sizeof *p->src))
      return text_fail(&p->in, p->at, "no memory");
    if (!get_labelled(p, &p->src[*n])) return false;
  }
}

static bool expect_equals(parser *p) {
  skip_blanks(p);
  if (text_char(&p->in, p->at) != '=') return text_fail(&p->in, p->at, "'=' was expected");
  p->at++;
  return true;
}

/* %label = OP dtype %source... arg */
static bool parse_node(parser *p) {
  word label;
  if (p->root_given) return text_fail(&p->in, p->at, "a node after the root line");
  if (!get_label(p, &label)) return false;
  if (text_names_get(&p->labels, label.s, label.n))
    return text_fail(&p->in, label.at, "label %%%.*s is defined twice", text_quoted(label.n),
                     label.s);
  up_op op;
  up_dtype dt;
  size_t op_at, nsrc;
  if (!expect_equals(p) || !get_head(p, &op, &dt, &op_at) || !get_sources(p, &nsrc)) return false;
  up_arg arg = up_arg_none();
  bool has_arg = !at_line_end(p) && text_char(&p->in, p->at) != '#';
  if (has_arg && !text_get_arg(&p->in, &p->at, &arg)) return false;
  p->root = text_node(&p->in, op_at, op, dt, p->src, (uint32_t)nsrc, arg);
  if (up_is_none(p->root)) return false;
  if (!text_names_put(&p->labels, label.s, label.n, p->root))
    return text_fail(&p->in, label.at, "no memory");
  return end_statement(p);
}

static bool parse_root(parser *p, size_t at) {
  if (p->root_given) return text_fail(&p->in, at, "a second root line");
  skip_blanks(p);
  p->root_given = true;
  return get_labelled(p, &p->root) && end_statement(p);
}

/* The rest of the line without blanks at its ends; the caller frees it. */
static bool get_rest(parser *p, char **out) {
  size_t start = p->at, end = line_end(p);
  p->at = end;
  if (end > start && p->in.text[end - 1] == '\r') end--;
  while (end > start && (p->in.text[end - 1] == ' ' || p->in.text[end - 1] == '\t')) end--;
  const char *nul = memchr(p->in.text + start, 0, end - start);
  if (nul) return text_fail(&p->in, (size_t)(nul - p->in.text), "NUL byte");
  *out = malloc(end - start + 1);
  if (!*out) return text_fail(&p->in, start, "no memory");
  memcpy(*out, p->in.text + start, end - start);
  (*out)[end - start] = 0;
  return true;
}

static bool get_key(parser *p, char out[64]) {
  skip_blanks(p);
  size_t start = p->at, n;
  for (n = 0;; n++) {
    char ch = text_char(&p->in, start + n);
    if (!text_is_word(ch) && ch != '.' && ch != '-') break;
  }
  if (n == 0 || n >= 64)
    return text_fail(&p->in, start, "a key of 1 to 63 characters was expected");
  memcpy(out, p->in.text + start, n);
  out[n] = 0;
  p->at = start + n;
  if (!at_line_end(p) && text_char(&p->in, p->at) != ' ' && text_char(&p->in, p->at) != '\t')
    return text_fail(&p->in, p->at, "a key is letters, digits and _ - .");
  return true;
}

static bool parse_meta(parser *p) {
  char key[64], *value = NULL;
  size_t key_at, n;
  skip_blanks(p);
  key_at = p->at;
  if (!get_key(p, key)) return false;
  if (p->meta && up_metas_get(p->meta, key))
    return text_fail(&p->in, key_at, "key %s is given twice", key);
  skip_blanks(p);
  bool quoted = text_char(&p->in, p->at) == '"';
  if (!(quoted ? text_get_string(&p->in, &p->at, &value, &n) : get_rest(p, &value))) return false;
  bool ok = !p->meta || up_metas_set(p->meta, key, value);
  free(value);
  return ok ? end_statement(p) : text_fail(&p->in, key_at, "no memory");
}

static bool parse_statement(parser *p) {
  skip_blanks(p);
  if (at_line_end(p) || text_char(&p->in, p->at) == '#') return end_statement(p);
  if (text_char(&p->in, p->at) == '%') return parse_node(p);
  word w = get_word(p);
  if (text_word_is(w.s, w.n, "meta")) return parse_meta(p);
  if (text_word_is(w.s, w.n, "root")) return parse_root(p, w.at);
  if (w.n == 0 && text_char(&p->in, w.at) == 0) return text_fail(&p->in, w.at, "NUL byte");
  return text_fail(&p->in, w.at, "a line begins with %%label, meta, root or #");
}

static bool parse_header(parser *p) {
  word w = get_word(p);
  if (!text_word_is(w.s, w.n, "uop")) return text_fail(&p->in, 0, "the first line must be 'uop 1'");
  w = get_word(p);
  if (!text_word_is(w.s, w.n, "1"))
    return text_fail(&p->in, w.at, "version '%.*s' is not known, only 1", text_quoted(w.n), w.s);
  return end_statement(p);
}

bool up_parse_uop(up_ctx *c, const char *text, size_t n, up_node *root, up_metas *meta,
                  up_error *err) {
  parser p = {.in = {c, text ? text : "", n, err}, .meta = meta, .root = UP_NONE};
  bool ok = text_ctx_ok(&p.in, 0) && parse_header(&p);
  while (ok && p.at < n) ok = parse_statement(&p);
  if (ok && up_is_none(p.root)) ok = text_fail(&p.in, n, "no node");
  text_names_free(&p.labels);
  free(p.src);
  *root = ok ? p.root : UP_NONE;
  return ok;
}
