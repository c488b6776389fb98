/* Assignments of variables: from NAME=VALUE words, and point by point. */
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

static bool push_lane(or_witness *w, up_node var, uint32_t lane) {
  up_node *v = realloc(w->var, (w->n + 1) * sizeof *v);
  if (!v) return false;
  w->var = v;
  mpz_t *m = realloc(w->value, (w->n + 1) * sizeof *m);
  if (!m) return false;
  w->value = m;
  uint32_t *l = realloc(w->lane, (w->n + 1) * sizeof *l);
  if (!l) return false;
  w->lane = l;
  w->lane[w->n] = lane;
  w->var[w->n] = var;
  mpz_init(w->value[w->n++]);
  return true;
}

/* A RANGE whose end is no constant: from 0 to what is known when all others have a value. */
static bool is_open(const up_ctx *c, up_node n) {
  return up_op_of(c, n) == UP_RANGE && up_nsrc(c, n) == 1 && !up_is_const(c, up_src(c, n, 0));
}

bool cl_variables(up_ctx *c, up_node root, or_witness *out) {
  up_list topo = {0};
  char name[64];
  up_int lo, hi;
  memset(out, 0, sizeof *out);
  bool ok = up_toposort(c, root, &topo);
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    if (is_open(c, topo.p[i]))
      lo = up_int_of(0);
    else if (!up_var_domain(c, topo.p[i], name, &lo, &hi))
      continue;
    for (uint32_t l = 0; ok && l < up_dt_count(up_dtype_of(c, topo.p[i])); l++) {
      ok = push_lane(out, topo.p[i], l);
      if (ok) up_int_to_mpz(c, lo, out->value[out->n - 1]);
    }
  }
  up_list_free(&topo);
  /* witnesses are in order of node id */
  for (uint32_t i = 1; i < out->n; i++) {
    for (uint32_t j = i; j > 0 && out->var[j].id < out->var[j - 1].id; j--) {
      up_node v = out->var[j];
      out->var[j] = out->var[j - 1];
      out->var[j - 1] = v;
      uint32_t lane = out->lane[j];
      out->lane[j] = out->lane[j - 1];
      out->lane[j - 1] = lane;
      mpz_swap(out->value[j], out->value[j - 1]);
    }
  }
  return ok;
}

/* The value given for the name, the last one if there are several; NULL: none. All of them are
 * marked as used. */
static const char *given(const cl_texts *sets, const char *name, bool *used) {
  const char *value = NULL;
  size_t n = strlen(name);
  for (unsigned i = 0; i < sets->n; i++) {
    if (strncmp(sets->p[i], name, n) != 0 || sets->p[i][n] != '=') continue;
    value = sets->p[i] + n + 1;
    used[i] = true;
  }
  return value;
}

static bool is_in_range(up_ctx *c, up_node var, up_int v) {
  char name[64];
  up_int lo, hi;
  if (is_open(c, var)) return up_int_cmp(c, v, up_int_of(0)) >= 0;
  up_var_domain(c, var, name, &lo, &hi);
  return up_int_cmp(c, v, lo) >= 0 && up_int_cmp(c, v, hi) <= 0;
}

static bool outside(up_ctx *c, up_node var, const char *name, const char *text) {
  char of[64];
  up_int lo, hi;
  up_buf b = {0};
  if (is_open(c, var)) return cl_usage("eval: --set %s=%s: a range begins at 0", name, text);
  up_var_domain(c, var, of, &lo, &hi);
  cl_put_bounds(c, (up_bounds){up_val_int(lo), up_val_int(hi)}, &b);
  cl_usage("eval: --set %s=%s: outside its range %s", name, text, b.p ? b.p : "");
  up_buf_free(&b);
  return false;
}

static bool assign(up_ctx *c, const or_witness *w, uint32_t i, const cl_texts *sets, bool *used) {
  char name[80];
  up_int v;
  up_node var = w->var[i];
  or_entry_name(c, w, i, name);
  const char *text = given(sets, name, used);
  if (!text) return cl_usage("eval: no value for %s (--set %s=N)", name, name);
  if (up_dt_is_bool(up_dtype_of(c, var)) &&
      (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    text = text[0] == 't' ? "1" : "0";
  }
  if (!up_int_parse(c, text, strlen(text), &v)) {
    return cl_usage("eval: --set %s=%s: not an integer", name, text);
  }
  if (!is_in_range(c, var, v)) return outside(c, var, name, text);
  up_int_to_mpz(c, v, w->value[i]);
  return true;
}

bool cl_assign(up_ctx *c, const cl_texts *sets, or_witness *w, bool *used) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (!assign(c, w, i, sets, used)) return false;
  }
  return true;
}

bool cl_below_ends(up_ctx *c, const or_witness *w, const or_values *v) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (!is_open(c, w->var[i])) continue;
    up_node end = up_src(c, w->var[i], 0);
    uint32_t e = 0;
    while (e < v->n && !up_same(v->node[e], end)) e++;
    if (e == v->n || v->def[e] != OR_VALUE_OK || mpz_cmp(w->value[i], v->value[e]) < 0) continue;
    char name[80], *is = mpz_get_str(NULL, 10, w->value[i]),
                   *to = mpz_get_str(NULL, 10, v->value[e]);
    or_entry_name(c, w, i, name);
    cl_usage("eval: --set %s=%s: not below its end, %s there", name, is ? is : "?", to ? to : "?");
    free(is);
    free(to);
    return false;
  }
  return true;
}
