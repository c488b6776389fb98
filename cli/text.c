/* Results as text: expressions, JSON, dot. */
#include "cli/cli.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define EXPR_LIMIT 2000u

/* Infix of any op; its range lines and line ends are dropped. */
static void put_infix_expr(up_ctx *c, up_node n, up_buf *out) {
  up_buf b = {.limit = 1u << 20};
  up_print_infix(c, n, &b);
  const char *line = b.p ? b.p : "?";
  size_t len = strlen(line);
  while (len > 0 && line[len - 1] == '\n') len--;
  size_t from = len;
  while (from > 0 && line[from - 1] != '\n') from--;
  size_t shown = len - from > EXPR_LIMIT ? EXPR_LIMIT : len - from;
  up_buf_put(out, line + from, shown);
  if (b.overflow || shown < len - from) up_buf_puts(out, "...");
  up_buf_free(&b);
}

void cl_put_expr(up_ctx *c, up_node n, up_buf *out) {
  up_buf b = {.limit = EXPR_LIMIT};
  if (!up_render(c, n, &b)) {
    put_infix_expr(c, n, out);
  } else {
    up_buf_put(out, b.p ? b.p : "", b.len);
    if (b.overflow) up_buf_puts(out, "...");
  }
  up_buf_free(&b);
}

void cl_put_bounds(const up_ctx *c, up_bounds b, up_buf *out) {
  up_buf_puts(out, "[");
  up_val_put(c, b.lo, out);
  up_buf_puts(out, ", ");
  up_val_put(c, b.hi, out);
  up_buf_puts(out, "]");
}

/* Label of a node in dot: the op, and what tells it from others of that op. */
static void put_dot_label(up_ctx *c, up_node n, up_buf *out) {
  char name[64];
  up_int lo, hi;
  up_buf_puts(out, up_op_name(up_op_of(c, n)));
  if (up_var_domain(c, n, name, &lo, &hi)) {
    up_buf_puts(out, " ");
    for (const char *s = name; *s; s++)
      up_buf_printf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    up_buf_puts(out, " ");
    cl_put_bounds(c, (up_bounds){up_val_int(lo), up_val_int(hi)}, out);
  } else if (up_is_const(c, n)) {
    up_buf_puts(out, " ");
    up_val_put(c, up_const_val(c, n), out);
  }
  char dt[32];
  up_dt_print(up_dtype_of(c, n), dt);
  up_buf_printf(out, "\\n%s", dt);
}

void cl_put_dot(up_ctx *c, up_node root, up_buf *out) {
  up_list topo = {0};
  if (!up_toposort(c, root, &topo)) {
    out->no_memory = true;
    return;
  }
  up_buf_puts(out, "digraph uproof {\n  rankdir=BT;\n  node [shape=box];\n");
  for (uint32_t i = 0; i < topo.n; i++) {
    up_buf_printf(out, "  n%u [label=\"", topo.p[i].id);
    put_dot_label(c, topo.p[i], out);
    up_buf_puts(out, "\"];\n");
    for (uint32_t j = 0; j < up_nsrc(c, topo.p[i]); j++) {
      up_buf_printf(out, "  n%u -> n%u [label=\"%u\"];\n", up_src(c, topo.p[i], j).id, topo.p[i].id,
                    j);
    }
  }
  up_buf_puts(out, "}\n");
  up_list_free(&topo);
}

const char *cl_rule_name(const up_profile *p, int rule) {
  return rule < 0 ? NULL : up_rule_at(p, (uint32_t)rule).name;
}

void cl_put_failure(const up_profile *p, const up_result *r, up_buf *out) {
  assert(r->status != UP_OK);
  const char *raise = up_status_raise(r->status), *rule = cl_rule_name(p, r->rule);
  if (raise) up_buf_printf(out, "%s (%s)", raise, up_status_name(r->status));
  if (!raise) up_buf_puts(out, up_status_name(r->status));
  if (rule) up_buf_printf(out, " in %s", rule);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

json_t *cl_json_text(const char *s) {
  json_t *j = json_string(s);
  if (j) return j;
  /* not UTF-8: each byte stands for the code point of its number */
  up_buf b = {0};
  for (; *s; s++) {
    unsigned char ch = (unsigned char)*s;
    if (ch < 0x80) up_buf_put(&b, s, 1);
    if (ch >= 0x80) up_buf_printf(&b, "%c%c", 0xc0 | ch >> 6, 0x80 | (ch & 0x3f));
  }
  j = json_string(b.p ? b.p : "");
  up_buf_free(&b);
  return j;
}

/* A decimal: a number when it fits in 64 bits, else a text. */
static json_t *json_decimal(const char *s, size_t n) {
  char text[96];
  if (n == 0 || n >= sizeof text) return NULL;
  memcpy(text, s, n);
  text[n] = 0;
  size_t digits = strspn(text + (text[0] == '-'), "0123456789");
  if (digits == 0 || digits + (text[0] == '-') != n) return NULL;
  json_error_t e;
  json_t *j = json_loads(text, JSON_DECODE_ANY, &e);
  return json_is_integer(j) ? j : (json_decref(j), json_string(text));
}

json_t *cl_json_value(const char *s) {
  size_t n = strlen(s);
  const char *comma = strstr(s, ", ");
  if (s[0] == '[' && n > 2 && s[n - 1] == ']' && comma) {
    json_t *lo = json_decimal(s + 1, (size_t)(comma - s) - 1);
    json_t *hi = json_decimal(comma + 2, (size_t)(s + n - 1 - comma) - 2);
    if (lo && hi) return json_pack("[oo]", lo, hi);
    json_decref(lo);
    json_decref(hi);
  }
  json_t *j = json_decimal(s, n);
  return j ? j : cl_json_text(s);
}

void cl_put_json(up_buf *out, json_t *j) {
  char *s = j ? json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  if (!s) out->no_memory = true;
  if (s) {
    up_buf_puts(out, s);
    up_buf_puts(out, "\n");
  }
  free(s);
  json_decref(j);
}

void cl_print_json(json_t *j) {
  up_buf b = {0};
  cl_put_json(&b, j);
  cl_flush(&b);
}
