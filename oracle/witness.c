/* Witnesses: copying, clearing, and the JSON object that findings print. */
#include "witness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void or_witness_clear(or_witness *w) {
  for (uint32_t i = 0; i < w->n; i++) mpz_clear(w->value[i]);
  free(w->var);
  free(w->value);
  free(w->lane);
  *w = (or_witness){0};
}

bool or_witness_init(or_witness *w, uint32_t n) {
  *w = (or_witness){0};
  if (n == 0) return true;
  w->var = calloc(n, sizeof *w->var);
  w->value = calloc(n, sizeof *w->value);
  w->lane = calloc(n, sizeof *w->lane);
  if (!w->var || !w->value || !w->lane) {
    or_witness_clear(w);
    return false;
  }
  for (uint32_t i = 0; i < n; i++) mpz_init(w->value[i]);
  w->n = n;
  return true;
}

bool or_witness_copy(or_witness *dst, const or_witness *src) {
  if (!or_witness_init(dst, src->n)) return false;
  for (uint32_t i = 0; i < src->n; i++) {
    dst->var[i] = src->var[i];
    dst->lane[i] = or_witness_lane(src, i);
    mpz_set(dst->value[i], src->value[i]);
  }
  return true;
}

void or_var_name(up_ctx *c, up_node n, char name[64]) {
  up_arg a = up_arg_of(c, n);
  up_arg first = up_arg_kind_of(c, a) == UP_A_LIST && up_arg_len(c, a) > 0 ? up_arg_at(c, a, 0) : a;
  if (up_op_of(c, n) == UP_RANGE && up_arg_kind_of(c, first) == UP_A_INT) {
    snprintf(name, 64, "ridx%lld", (long long)up_arg_val(c, first).i.lo);
  } else if (up_arg_kind_of(c, first) == UP_A_STR) {
    snprintf(name, 64, "%.63s", up_arg_text(c, first));
  } else {
    snprintf(name, 64, "node%u", n.id);
  }
}

/* A JSON string: quotes, backslashes and control characters escaped. */
static void put_string(const char *s, up_buf *out) {
  up_buf_puts(out, "\"");
  for (; *s; s++) {
    unsigned char ch = (unsigned char)*s;
    if (ch == '"' || ch == '\\')
      up_buf_printf(out, "\\%c", ch);
    else if (ch < 0x20)
      up_buf_printf(out, "\\u%04x", ch);
    else
      up_buf_put(out, s, 1);
  }
  up_buf_puts(out, "\"");
}

static void put_number(const mpz_t v, up_buf *out) {
  char *text = mpz_get_str(NULL, 10, v);
  /* int64 is the limit of JSON numbers in the interchange format */
  bool inside = mpz_fits_slong_p(v) != 0;
  up_buf_printf(out, inside ? "%s" : "\"%s\"", text);
  void (*release)(void *, size_t);
  mp_get_memory_functions(NULL, NULL, &release);
  release(text, strlen(text) + 1);
}

void or_entry_name(up_ctx *c, const or_witness *w, uint32_t i, char name[80]) {
  char var[64];
  or_var_name(c, w->var[i], var);
  if (up_dt_count(up_dtype_of(c, w->var[i])) > 1)
    snprintf(name, 80, "%s.%u", var, or_witness_lane(w, i));
  else
    snprintf(name, 80, "%s", var);
}

/* Two variables are two nodes, even if they share a name: the later one's node is told then. */
static void put_name(up_ctx *c, const or_witness *w, uint32_t i, up_buf *out) {
  char name[80], other[80], full[96];
  bool taken = false;
  or_entry_name(c, w, i, name);
  for (uint32_t k = 0; k < i && !taken; k++) {
    or_entry_name(c, w, k, other);
    taken = strcmp(name, other) == 0;
  }
  snprintf(full, sizeof full, taken ? "%s#%u" : "%s", name, w->var[i].id);
  put_string(full, out);
}

void or_witness_put(up_ctx *c, const or_witness *w, up_buf *out) {
  _Static_assert(sizeof(long) == sizeof(int64_t), "mpz_fits_slong_p tests for int64");
  up_buf_puts(out, "{");
  for (uint32_t i = 0; i < w->n; i++) {
    if (i > 0) up_buf_puts(out, ",");
    put_name(c, w, i, out);
    up_buf_puts(out, ":");
    put_number(w->value[i], out);
  }
  up_buf_puts(out, "}");
}
