/* How large a graph is, for the minimizer. */
#include "oracle/shrink.h"

#include <assert.h>
#include <stdlib.h>

void size_init(size *s) {
  *s = (size){0};
  mpz_inits(s->consts, s->widths, s->ends, NULL);
}

void size_clear(size *s) { mpz_clears(s->consts, s->widths, s->ends, NULL); }

static void add_constant(up_ctx *c, up_val v, size *s, mpz_t t) {
  if (v.is_float) return;
  up_int_to_mpz(c, v.i, t);
  if (mpz_sgn(t) < 0) s->negative++;
  mpz_abs(t, t);
  mpz_add(s->consts, s->consts, t);
}

static void add_variable(up_ctx *c, up_node n, size *s, mpz_t t) {
  char name[64];
  up_int lo, hi;
  s->vars++;
  if (!up_var_domain(c, n, name, &lo, &hi)) return;
  up_int_to_mpz(c, hi, t);
  mpz_add(s->widths, s->widths, t);
  mpz_abs(t, t);
  mpz_add(s->ends, s->ends, t);
  up_int_to_mpz(c, lo, t);
  mpz_sub(s->widths, s->widths, t);
  mpz_abs(t, t);
  mpz_add(s->ends, s->ends, t);
}

/* Nodes of the graph written out as a tree. False: no memory. */
static bool tree_size(up_ctx *c, const up_list *topo, uint64_t *out) {
  uint64_t *below = calloc((size_t)up_ctx_node_count(c) + 1, sizeof *below);
  if (!below) return false;
  for (uint32_t i = 0; i < topo->n; i++) {
    uint64_t sum = 1;
    for (uint32_t k = 0; k < up_nsrc(c, topo->p[i]); k++) {
      sum += below[up_src(c, topo->p[i], k).id];
      if (sum > TREE_MOST) sum = TREE_MOST;
    }
    below[topo->p[i].id] = *out = sum;
  }
  free(below);
  return true;
}

bool size_measure(up_ctx *c, const up_list *topo, size *out) {
  mpz_t t;
  mpz_init(t);
  out->nodes = topo->n;
  out->tree = 0;
  out->vars = out->odd_types = out->negative = 0;
  mpz_set_ui(out->consts, 0);
  mpz_set_ui(out->widths, 0);
  mpz_set_ui(out->ends, 0);
  for (uint32_t i = 0; i < topo->n; i++) {
    up_node n = topo->p[i];
    up_op op = up_op_of(c, n);
    enum up_scalar d = up_dt_scalar(up_dtype_of(c, n));
    if (d != UP_INT && d != UP_BOOL) out->odd_types++;
    if (op == UP_CONST) add_constant(c, up_const_val(c, n), out, t);
    for (uint32_t k = 0; op == UP_VCONST && k < up_dt_count(up_dtype_of(c, n)); k++)
      add_constant(c, up_vconst_at(c, n, k), out, t);
    if (op == UP_DEFINE_VAR || op == UP_RANGE || op == UP_SPECIAL) add_variable(c, n, out, t);
  }
  mpz_clear(t);
  return tree_size(c, topo, &out->tree) && up_ctx_status(c) == UP_OK;
}

static int cmp_count(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int size_cmp(const size *a, const size *b) {
  int d = cmp_count(a->nodes, b->nodes);
  if (d == 0) d = cmp_count(a->vars, b->vars);
  if (d == 0) d = cmp_count(a->odd_types, b->odd_types);
  if (d == 0) d = cmp_count(a->tree, b->tree);
  if (d == 0) d = mpz_cmp(a->consts, b->consts);
  if (d == 0) d = cmp_count(a->negative, b->negative);
  if (d == 0) d = mpz_cmp(a->widths, b->widths);
  return d != 0 ? d : mpz_cmp(a->ends, b->ends);
}
