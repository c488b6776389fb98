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

bool cl_variables(up_ctx *c, up_node root, or_witness *out) {
  up_list topo = {0};
  char name[64];
  up_int lo, hi;
  memset(out, 0, sizeof *out);
  bool ok = up_toposort(c, root, &topo);
  for (uint32_t i = 0; ok && i < topo.n; i++) {
    if (!up_var_domain(c, topo.p[i], name, &lo, &hi)) continue;
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

/* The value given for the name, the last one if there are several; NULL: none. */
static const char *given(const cl_texts *sets, const char *name) {
  size_t n = strlen(name);
  for (unsigned i = sets->n; i-- > 0;) {
    if (strncmp(sets->p[i], name, n) == 0 && sets->p[i][n] == '=') return sets->p[i] + n + 1;
  }
  return NULL;
}

static bool assign(up_ctx *c, const or_witness *w, uint32_t i, const cl_texts *sets, mpz_t out) {
  char name[80];
  up_int lo, hi, v;
  up_node var = w->var[i];
  up_var_domain(c, var, name, &lo, &hi);
  or_entry_name(c, w, i, name);
  const char *text = given(sets, name);
  if (!text) return cl_usage("eval: no value for %s (--set %s=N)", name, name);
  if (up_dt_is_bool(up_dtype_of(c, var)) &&
      (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    text = text[0] == 't' ? "1" : "0";
  }
  if (!up_int_parse(c, text, strlen(text), &v)) {
    return cl_usage("eval: --set %s=%s: not an integer", name, text);
  }
  if (up_int_cmp(c, v, lo) < 0 || up_int_cmp(c, v, hi) > 0) {
    up_buf b = {0};
    cl_put_bounds(c, (up_bounds){up_val_int(lo), up_val_int(hi)}, &b);
    cl_usage("eval: --set %s=%s: outside its range %s", name, text, b.p ? b.p : "");
    up_buf_free(&b);
    return false;
  }
  up_int_to_mpz(c, v, out);
  return true;
}

bool cl_assign(up_ctx *c, const cl_texts *sets, or_witness *w) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (!assign(c, w, i, sets, w->value[i])) return false;
  }
  return true;
}
