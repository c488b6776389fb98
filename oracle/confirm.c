/* A point that a stage found is not believed before the reference evaluator sees the failure too
 * and exec_alu computes the same values on the way to it.
 */
#include "checker.h"
#include "findings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference evaluator ----------------------------------------------------------------- */

static uint64_t limbs(const or_point *p) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->values.n; i++) n += mpz_size(p->values.value[i]);
  return n;
}

static bool point_again(const or_task *t, up_node root, const or_witness *w, or_point *p) {
  if (p->values.n == 0) return or_point_eval(t->c, root, t->frame, w, p);
  or_eval_again(t->c, t->frame, w, &p->values);
  return true;
}

static bool points_eval(const or_task *t, const or_witness *w, or_points *at) {
  bool ok =
      point_again(t, t->a, w, &at->a) && (up_is_none(t->b) || point_again(t, t->b, w, &at->b));
  t->k->limbs += limbs(&at->a) + limbs(&at->b);
  return ok;
}

void or_points_clear(or_points *p) {
  or_point_clear(&p->a);
  or_point_clear(&p->b);
}

/* A value at the point: what def says, and the number. */
typedef struct seen {
  or_defined def;
  mpz_srcptr value;
} seen;

static seen see_in(const or_point *p, const pr_ins *d) {
  uint32_t i = or_point_find(p, d->node);
  if (i == UINT32_MAX) return (seen){OR_VALUE_UNSUPPORTED, NULL};
  return (seen){p->values.def[i + d->lane], p->values.value[i + d->lane]};
}

static seen see(const or_points *p, const pr_ins *d) {
  seen s = see_in(&p->a, d);
  return s.value ? s : see_in(&p->b, d);
}

/* Are all open RANGEs below their ends? */
static bool counts(const or_task *t, const or_points *at) {
  for (uint32_t i = 0; i < t->p->nassume; i++) {
    const pr_ins *lt = &t->p->ins[t->p->assume[i]];
    seen v = see(at, &t->p->ins[lt->src[0]]), end = see(at, &t->p->ins[lt->src[1]]);
    if (v.def != OR_VALUE_OK || end.def != OR_VALUE_OK || mpz_cmp(v.value, end.value) >= 0)
      return false;
  }
  return true;
}

static void print_seen(seen s, char *out) {
  if (!out) return;
  if (s.def != OR_VALUE_OK) {
    snprintf(out, 80, s.def == OR_VALUE_UNDEFINED ? "undefined" : "unsupported");
    return;
  }
  size_t n = mpz_sizeinbase(s.value, 10) + 2; /* with its sign and end */
  if (n <= 80) {
    mpz_get_str(out, 10, s.value);
    return;
  }
  char *text = malloc(n);
  if (!text) {
    snprintf(out, 80, "?");
    return;
  }
  mpz_get_str(text, 10, s.value);
  if (strlen(text) < 80)
    memcpy(out, text, strlen(text) + 1);
  else
    snprintf(out, 80, "%.76s...", text);
  free(text);
}

static bool outside(mpz_srcptr v, pr_range claim) {
  or_i128 x;
  if (or_i128_from_mpz(v, &x)) return x < claim.lo || x > claim.hi;
  return mpz_sgn(v) < 0 ? claim.lo != OR_I128_MIN : claim.hi != OR_I128_MAX;
}

static bool root_fails(const or_task *t, const or_points *at, uint32_t i, seen *a, seen *b) {
  const pr_pair *r = &t->p->root[i];
  *a = see_in(&at->a, &t->p->ins[r->a]);
  if (a->def != OR_VALUE_OK) return false;
  if (t->claim) return outside(a->value, t->claim[i]);
  *b = see_in(&at->b, &t->p->ins[r->b]);
  if (!b->value) *b = see_in(&at->a, &t->p->ins[r->b]); /* a RANGE goes by the first graph's node */
  if (b->def == OR_VALUE_UNSUPPORTED) return false;
  return b->def == OR_VALUE_UNDEFINED || mpz_cmp(a->value, b->value) != 0;
}

static or_found refute(const or_task *t, const or_witness *w, or_points *at, uint32_t *root,
                       char *expected, char *actual) {
  if (!points_eval(t, w, at)) return OR_BROKEN;
  or_found found = OR_CLEAN;
  seen a = {0}, b = {0};
  bool open = counts(t, at);
  for (uint32_t i = 0; open && i < t->root_limit && found == OR_CLEAN; i++) {
    if (!root_fails(t, at, i, &a, &b)) continue;
    found = OR_FOUND;
    *root = i;
    print_seen(a, expected);
    if (actual && t->claim)
      or_claim_print(t->c, t->p->root[i].node, actual);
    else
      print_seen(b, actual);
  }
  return found;
}

or_found or_refute(const or_task *t, const or_witness *w, uint32_t *root, char *expected,
                   char *actual) {
  or_points at = {0};
  or_found found = refute(t, w, &at, root, expected, actual);
  or_points_clear(&at);
  return found;
}

or_found or_refute_next(const or_task *t, const or_witness *w, or_points *at, uint32_t *root) {
  return refute(t, w, at, root, NULL, NULL);
}

/* ---- exec_alu -------------------------------------------------------------------------------- */

typedef struct executed {
  bool ok;      /* false: undefined, or out of exec_alu's reach */
  bool unknown; /* out of reach: a limit of the engine's integers; then nothing is compared */
  up_int v;
} executed;

static executed executed_as(bool ok, int64_t v) { return (executed){.ok = ok, .v = up_int_of(v)}; }

static bool in_dtype(up_ctx *c, up_int v, up_dtype d) {
  return up_int_cmp(c, v, up_dt_min(c, d)) >= 0 && up_int_cmp(c, v, up_dt_max(c, d)) <= 0;
}

static executed exec_leaf(const or_task *t, const pr_ins *d, const or_witness *w, up_dtype dt) {
  executed r = executed_as(true, 0);
  if (d->op == UP_CONST) {
    r.v = (up_op_of(t->c, d->node) == UP_CONST ? up_const_val(t->c, d->node)
                                               : up_vconst_at(t->c, d->node, d->lane))
              .i;
  } else {
    assert(d->var < w->n && up_same(w->var[d->var], d->node) &&
           or_witness_lane(w, d->var) == d->lane);
    r.v = up_int_from_mpz(t->c, w->value[d->var]);
  }
  if (t->frame == OR_REFINE && !d->type.is_bool && !in_dtype(t->c, r.v, dt)) r.ok = false;
  if (t->frame == OR_WRAP || d->type.is_bool) r.v = up_int_wrap(t->c, r.v, dt);
  return r;
}

/* What exec_alu raises on or has another meaning for than the frame: *r is the answer then. */
static bool exec_special(const or_task *t, const pr_ins *d, const up_val *v, executed *r) {
  if (up_op_divides((up_op)d->op) && up_int_is(v[1].i, 0) && t->frame != OR_WRAP) {
    *r = executed_as(false, 0);
    return true;
  }
  if (d->op != UP_SHL && d->op != UP_SHR) return false;
  bool negative = up_int_sign(t->c, v[1].i) < 0;
  bool wide = up_int_cmp(t->c, v[1].i, up_int_of((int64_t)d->type.bits)) >= 0;
  if (!negative && !(wide && t->frame == OR_REFINE)) return false;
  *r = executed_as(t->frame == OR_WRAP, 0);
  return true;
}

static executed exec_alu(const or_task *t, const pr_ins *d, const up_val *v, up_dtype dt) {
  executed r = executed_as(true, 0);
  if (exec_special(t, d, v, &r)) return r;
  if (d->op == UP_CAST || d->op == UP_BITCAST) {
    r.v = up_int_wrap(t->c, v[0].i, dt);
    return r;
  }
  /* 64 places shift out all bits of every dtype, and exec_alu can still compute that */
  up_val w[3] = {v[0], d->nsrc > 1 ? v[1] : v[0], d->nsrc > 2 ? v[2] : v[0]};
  bool cut_amount = d->op == UP_SHL && t->frame != OR_IDEAL;
  if (cut_amount && up_int_cmp(t->c, w[1].i, up_int_of(64)) > 0) w[1] = up_val_int(up_int_of(64));
  up_val exact = up_alu(t->c, UP_ALU_0_11, (up_op)d->op, dt, w, d->nsrc, d->type.is_bool);
  r.v = exact.i;
  if (t->frame == OR_REFINE && d->type.is_signed && fr_overflow_undefined((up_op)d->op))
    r.ok = in_dtype(t->c, r.v, dt);
  if (t->frame != OR_IDEAL) {
    up_val cut = up_alu(t->c, UP_ALU_0_11, (up_op)d->op, dt, w, d->nsrc, true);
    r.v = cut.i;
  }
  return r;
}

static executed exec_ins(const or_task *t, const pr_ins *d, const executed *done,
                         const or_witness *w) {
  up_dtype dt = up_dt(up_dt_scalar(up_dtype_of(t->c, d->node)));
  if (d->nsrc == 0) return exec_leaf(t, d, w, dt);
  up_val v[3];
  for (unsigned i = 0; i < d->nsrc; i++) {
    executed s = done[d->src[i]];
    bool skipped = d->op == UP_WHERE && i > 0 && done[d->src[0]].ok &&
                   up_int_is(done[d->src[0]].v, 0) == (i == 1);
    if (!s.ok && !skipped) return (executed){.ok = false, .unknown = s.unknown};
    v[i] = up_val_int(skipped ? up_int_of(0) : s.v);
  }
  executed r = exec_alu(t, d, v, dt);
  if (up_ctx_status(t->c) == UP_OK) return r;
  up_ctx_clear_status(t->c);
  return (executed){.ok = false, .unknown = true};
}

static bool agrees(const or_task *t, const or_points *at, const pr_ins *d, executed r, char *why) {
  seen s = see(at, d);
  if (s.value == NULL || s.def != OR_VALUE_OK || r.unknown) return true;
  mpz_t v;
  mpz_init(v);
  if (r.ok) up_int_to_mpz(t->c, r.v, v);
  bool same = r.ok && mpz_cmp(v, s.value) == 0;
  mpz_clear(v);
  if (!same)
    snprintf(why, 80, "exec_alu and the reference evaluator disagree on node %u, %s", d->node.id,
             up_op_name((up_op)d->op));
  return same;
}

bool or_exec_agrees(const or_task *t, const or_witness *w, char *why) {
  or_points at = {0};
  snprintf(why, 80, "no memory");
  executed *done = malloc((t->p->n + 1) * sizeof *done);
  if (!done || !points_eval(t, w, &at)) {
    free(done);
    or_points_clear(&at);
    return false;
  }
  bool ok = up_ctx_status(t->c) == UP_OK;
  if (!ok) snprintf(why, 80, "the context failed before: %s", up_status_name(up_ctx_status(t->c)));
  /* assumptions come last and have no node: they were looked at by or_refute */
  for (uint32_t i = 0; ok && i < t->p->n - t->p->nassume; i++) {
    const pr_ins *d = &t->p->ins[i];
    done[i] = exec_ins(t, d, done, w);
    ok = agrees(t, &at, d, done[i], why);
  }
  or_points_clear(&at);
  free(done);
  return ok;
}
