/* Concrete graphs for an instance and a point.
 *
 * What a name stands for is open: any node with that value and, if the rule reads them, those bounds.
 * So for each name several nodes are tried, from the plainest on; a way is one choice for each.
 */
#include "concrete.h"
#include "confirm.h"

#include "oracle/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
  up_ctx *c;
  const pf_instance *i;
  const pf_point *at;
  or_frame frame;
  uint32_t way;
  up_node *node; /* by pf_id; UP_NONE: not made */
  cf_graph *out;
  unsigned extra; /* variables that no name stands for */
} builder;

void cf_graph_clear(cf_graph *g) { or_witness_clear(&g->at); }

static const pf_value *value_of(const pf_point *p, pf_id t) {
  for (uint32_t k = 0; k < p->n; k++)
    if (p->p[k].term == t) return &p->p[k];
  return NULL;
}

/* ---- lanes -------------------------------------------------------------------------------------- */

static up_dtype dtype_of(const builder *b, pf_id t) {
  return up_dt_vec(up_dt(b->i->term[t].type), cc_lanes(b->i));
}

/* The node in every lane. */
static up_node in_lanes(builder *b, up_node n) {
  if (!b->i->lanes || up_is_none(n) || up_dt_count(up_dtype_of(b->c, n)) != 1) return n;
  up_node src[CC_MAX_LANES];
  uint32_t count = cc_lanes(b->i);
  for (uint32_t k = 0; k < count; k++) src[k] = n;
  up_dtype d = up_dt_vec(up_dtype_of(b->c, n), count);
  return up_new(b->c, UP_VECTORIZE, d, src, count, up_arg_none());
}

/* ---- variables ---------------------------------------------------------------------------------- */

static bool assign(builder *b, up_node var, const mpz_t value) {
  or_witness *w = &b->out->at;
  if (up_is_none(var)) return false;
  for (uint32_t k = 0; k < w->n; k++)
    if (up_same(w->var[k], var)) return mpz_cmp(w->value[k], value) == 0;
  up_node *v = realloc(w->var, (w->n + 1) * sizeof *v);
  if (v) w->var = v;
  mpz_t *m = realloc(w->value, (w->n + 1) * sizeof *m);
  if (m) w->value = m;
  if (!v || !m) return false;
  w->var[w->n] = var;
  mpz_init_set(w->value[w->n++], value);
  return true;
}

/* The name as the rule's text has it. */
static void name_of(builder *b, pf_id t, char out[40]) {
  const patnames *names = &b->i->book->rule[b->i->rule].names;
  int slot = b->i->term[t].slot;
  if (slot >= 0 && (uint32_t)slot < names->n && names->name[slot].n < 32)
    snprintf(out, 40, "%.*s", (int)names->name[slot].n, names->name[slot].p);
  else
    snprintf(out, 40, "v%u", t);
}

static up_node variable(builder *b, const char *name, up_dtype d, const mpz_t lo, const mpz_t hi,
                        const mpz_t value) {
  if (mpz_cmp(lo, value) > 0 || mpz_cmp(value, hi) > 0) return UP_NONE;
  up_node n = up_var(b->c, name, up_int_from_mpz(b->c, lo), up_int_from_mpz(b->c, hi), d);
  return assign(b, n, value) ? n : UP_NONE;
}

static up_node fixed(builder *b, up_dtype d, int64_t v) {
  char name[40];
  mpz_t m;
  snprintf(name, sizeof name, "u%u", b->extra++);
  mpz_init_set_si(m, v);
  up_node n = variable(b, name, d, m, m, m);
  mpz_clear(m);
  return n;
}

/* ---- one node for a name ------------------------------------------------------------------------- */

static void dtype_range(up_ctx *c, up_dtype d, mpz_t lo, mpz_t hi) {
  up_int_to_mpz(c, up_dt_min(c, d), lo);
  up_int_to_mpz(c, up_dt_max(c, d), hi);
}

static void cut(mpz_t lo, mpz_t hi, const mpz_t min, const mpz_t max) {
  if (mpz_cmp(lo, min) < 0) mpz_set(lo, min);
  if (mpz_cmp(hi, max) > 0) mpz_set(hi, max);
}

/* v as x + y with x in [lo, 0 or v]: the bounds of the sum are those of the point, as its parts' are. */
static up_node composite(builder *b, const char *name, up_dtype d, const pf_value *v) {
  char second[44];
  snprintf(second, sizeof second, "%s_", name);
  mpz_t lo, hi, zero, min, max;
  mpz_inits(lo, hi, zero, min, max, (mpz_ptr)0);
  dtype_range(b->c, d, min, max);
  up_node n;
  if (up_dt_is_bool(d)) { /* p - q of bools: the engine's bounds are [-1, 1] */
    mpz_set_ui(hi, 1);
    up_node p = variable(b, name, d, lo, hi, v->value), q = variable(b, second, d, lo, hi, zero);
    n = up_is_none(p) || up_is_none(q) ? UP_NONE : up_binary(b->c, UP_SUB, p, q);
  } else {
    mpz_tdiv_q_2exp(lo, v->lo, 1);
    mpz_tdiv_q_2exp(hi, v->hi, 1);
    mpz_t x, y;
    mpz_inits(x, y, (mpz_ptr)0);
    mpz_tdiv_q_2exp(x, v->value, 1);
    mpz_sub(y, v->value, x);
    up_node p = variable(b, name, d, lo, hi, x);
    mpz_sub(lo, v->lo, lo);
    mpz_sub(hi, v->hi, hi);
    up_node q = variable(b, second, d, lo, hi, y);
    mpz_clears(x, y, (mpz_ptr)0);
    n = up_is_none(p) || up_is_none(q) ? UP_NONE : up_binary(b->c, UP_ADD, p, q);
  }
  mpz_clears(lo, hi, zero, min, max, (mpz_ptr)0);
  return n;
}

static up_node defined_node(builder *b, pf_id t, const pf_value *v, cf_way how) {
  up_dtype d = up_dt(b->i->term[t].type);
  char name[40];
  name_of(b, t, name);
  if (how == CF_CONST)
    return up_const(b->c, dtype_of(b, t), up_val_int(up_int_from_mpz(b->c, v->value)));
  if (!v->has_bounds && how != CF_POINT && how != CF_DTYPE) return UP_NONE;
  if (how == CF_COMPOSITE) return composite(b, name, d, v);
  if (how == CF_WIDE && up_dt_is_bool(d)) return UP_NONE;
  mpz_t lo, hi, min, max;
  mpz_inits(lo, hi, min, max, (mpz_ptr)0);
  dtype_range(b->c, d, min, max);
  if (b->frame == OR_IDEAL && how != CF_DTYPE) { /* values need not be in the dtype */
    if (mpz_cmp(v->value, min) < 0) mpz_set(min, v->value);
    if (mpz_cmp(v->value, max) > 0) mpz_set(max, v->value);
  }
  mpz_set(lo, how == CF_POINT ? v->value : how == CF_DTYPE ? min : v->lo);
  mpz_set(hi, how == CF_POINT ? v->value : how == CF_DTYPE ? max : v->hi);
  if (how == CF_BOUNDS && b->frame != OR_IDEAL) cut(lo, hi, min, max);
  up_node n = variable(b, name, d, lo, hi, v->value);
  mpz_clears(lo, hi, min, max, (mpz_ptr)0);
  return n;
}

/* Nodes without a value: a division by 0; in refine also a sum that leaves its dtype, whose bounds
 * are narrow. */
static up_node undefined_node(builder *b, pf_id t, cf_way how) {
  up_dtype d = up_dt(b->i->term[t].type), i = up_dt_is_bool(d) ? up_dt(UP_INT) : d;
  up_node n = UP_NONE;
  if (how == CF_DTYPE) {
    n = up_binary(b->c, UP_IDIV, up_const_int(b->c, i, 1), fixed(b, i, 0));
  } else if (how == CF_POINT && b->frame == OR_REFINE && up_dt_is_signed(i)) {
    up_node top = up_const(b->c, i, up_val_int(up_dt_max(b->c, i)));
    n = up_binary(b->c, UP_ADD, top, fixed(b, i, 1));
  }
  if (up_is_none(n) || !up_dt_is_bool(d)) return n;
  return up_binary(b->c, UP_CMPLT, n, up_const_int(b->c, i, 1));
}

/* SPECIAL: named, from 0 to a size. Anything else with a name of its own is a variable. */
static up_node special(builder *b, pf_id t, const pf_value *v) {
  up_dtype d = up_dt(b->i->term[t].type);
  up_arg part[2] = {up_arg_str(b->c, "gidx0", 5)};
  up_int size = up_int_from_mpz(b->c, v->value);
  if (v->has_bounds) size = up_int_from_mpz(b->c, v->hi);
  bool inside = mpz_sgn(v->value) >= 0 && (!v->has_bounds || mpz_cmp(v->value, v->hi) <= 0);
  if (!inside) return UP_NONE;
  part[1] = up_arg_int(b->c, up_int_add(b->c, size, up_int_of(1)));
  up_node n = up_new(b->c, UP_SPECIAL, d, NULL, 0, up_arg_list(b->c, part, 2));
  return assign(b, n, v->value) ? n : UP_NONE;
}

/* Lanes that are all one node. */
static up_node lanes(builder *b, pf_id t, const pf_value *v) {
  up_node x = defined_node(b, t, v, CF_BOUNDS), src[2] = {x, x};
  if (b->i->lanes || up_is_none(x)) return in_lanes(b, x);
  return up_new(b->c, UP_VECTORIZE, up_dt_vec(up_dtype_of(b->c, x), 2), src, 2, up_arg_none());
}

static up_node any_node(builder *b, pf_id t) {
  cf_way how = (cf_way)(b->way % CF_WAYS);
  b->way /= CF_WAYS;
  const pf_value *v = value_of(b->at, t);
  up_op op = b->i->term[t].op;
  if (!v) return UP_NONE;
  if ((op == UP_SPECIAL || op == UP_DEFINE_VAR) && b->i->lanes) return UP_NONE;
  if (op == UP_SPECIAL) return how == CF_BOUNDS ? special(b, t, v) : UP_NONE;
  if (op == UP_VECTORIZE) return how == CF_BOUNDS && v->defined ? lanes(b, t, v) : UP_NONE;
  if (op == UP_DEFINE_VAR && how == CF_CONST) return UP_NONE;
  return in_lanes(b, v->defined ? defined_node(b, t, v, how) : undefined_node(b, t, how));
}

/* A whole left side that is a name: the node itself, or as n ^ 0, whose value is that of n and whose
 * bounds no operand gives. */
static up_node root_node(builder *b, pf_id t) {
  bool hidden = b->way % 2 != 0;
  b->way /= 2;
  up_node n = any_node(b, t);
  if (up_is_none(n) || !hidden) return n;
  return up_binary(b->c, UP_XOR, n, in_lanes(b, fixed(b, up_dt(b->i->term[t].type), 0)));
}

/* ---- the left side --------------------------------------------------------------------------------- */

/* A list's values in the lanes: the last one is judged, the first one decides comparisons. */
static up_node list(builder *b, pf_id t, const pf_value *v) {
  bool descends = b->way % CF_ORDERS != 0;
  up_val value = up_val_int(up_int_from_mpz(b->c, v->value)), lo = value, hi = value;
  b->way /= CF_ORDERS;
  if (v->has_bounds) {
    lo = up_val_int(up_int_from_mpz(b->c, v->lo));
    hi = up_val_int(up_int_from_mpz(b->c, v->hi));
  }
  up_val lane[CC_MAX_LANES] = {descends ? hi : lo, descends ? lo : hi, value};
  return up_vconst(b->c, dtype_of(b, t), lane, CC_MAX_LANES);
}

static up_node constant(builder *b, pf_id t) {
  const pf_term *d = &b->i->term[t];
  up_dtype dt = dtype_of(b, t);
  const pf_value *v = value_of(b->at, t);
  if (v && d->list) return list(b, t, v);
  if (d->literal) return up_const(b->c, dt, up_val_int(up_int_of(d->number)));
  return v ? up_const(b->c, dt, up_val_int(up_int_from_mpz(b->c, v->value))) : UP_NONE;
}

static up_node range(builder *b, pf_id t, up_node end) {
  const pf_value *v = value_of(b->at, t);
  if (!v || b->i->lanes) return UP_NONE;
  up_node n =
      up_new(b->c, UP_RANGE, up_dtype_of(b->c, end), &end, 1, up_arg_int(b->c, up_int_of(0)));
  return assign(b, n, v->value) ? n : UP_NONE;
}

static up_node left_node(builder *b, pf_id t) {
  const pf_term *d = &b->i->term[t];
  up_node src[3];
  if (d->kind == PF_ANY) return t == b->i->left ? root_node(b, t) : any_node(b, t);
  if (d->kind == PF_CONST) return constant(b, t);
  if (d->op == UP_VECTORIZE) return UP_NONE; /* it stands for one of several values */
  for (unsigned k = 0; k < d->nkid; k++) {
    src[k] = b->node[d->kid[k]];
    if (up_is_none(src[k])) return UP_NONE;
  }
  if (d->op == UP_RANGE) return range(b, t, src[0]);
  return up_new(b->c, d->op, dtype_of(b, t), src, d->nkid, up_arg_none());
}

static void mark(const pf_instance *i, bool *used) {
  used[i->left] = true;
  for (pf_id t = i->left + 1; t-- > 0;)
    for (unsigned k = 0; used[t] && i->term[t].kind == PF_OP && k < i->term[t].nkid; k++)
      used[i->term[t].kid[k]] = true;
}

bool cf_build(up_ctx *c, const pf_instance *i, const pf_point *at, or_frame f, uint32_t way,
              cf_graph *out) {
  *out = (cf_graph){0};
  builder b = {.c = c, .i = i, .at = at, .frame = f, .way = way, .out = out};
  bool *used = calloc(i->nterm + 1, sizeof *used);
  b.node = calloc(i->nterm + 1, sizeof *b.node);
  bool ok = used && b.node;
  if (ok) mark(i, used);
  for (pf_id t = 0; ok && t <= i->left; t++) {
    if (!used[t]) continue;
    b.node[t] = left_node(&b, t);
    ok = !up_is_none(b.node[t]) && up_ctx_status(c) == UP_OK;
  }
  if (ok) out->root = b.node[i->left];
  free(used);
  free(b.node);
  if (!ok) cf_graph_clear(out);
  return ok;
}

uint32_t cf_ways(const pf_instance *i) {
  uint32_t n = i->term[i->left].kind == PF_ANY ? 2 : 1;
  for (pf_id t = 0; t <= i->left && n < CF_MAX_WAYS; t++)
    n *= i->term[t].kind == PF_ANY ? CF_WAYS : i->term[t].list ? CF_ORDERS : 1;
  return n < CF_MAX_WAYS ? n : CF_MAX_WAYS;
}
