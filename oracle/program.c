/* Graphs to programs: emit every lane of every node, drop what no root needs, analyse. */
#include "program.h"
#include "witness.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Slot that does not exist; an op without a meaning is a NOOP until it turns out to be needed. */
#define NO_SLOT UINT32_MAX

static bool grow(void *array, uint32_t *cap, uint32_t need, size_t size) {
  void **p = array;
  if (need <= *cap) return true;
  uint64_t next = *cap < 32 ? 64 : (uint64_t)*cap * 2;
  if (next < need) next = need;
  if (next > UINT32_MAX) return false;
  void *q = realloc(*p, (size_t)next * size);
  if (!q) return false;
  *p = q;
  *cap = (uint32_t)next;
  return true;
}

static void drop_huge(pr_program *p) {
  while (p->nhuge > 0) free(p->huge[--p->nhuge]);
}

void pr_free(pr_program *p) {
  free(p->ins);
  free(p->var);
  free(p->root);
  free(p->assume);
  drop_huge(p);
  free(p->huge);
  pr_wide_clear(p);
  free(p->base);
  free(p->lane);
  free(p->to);
  up_list_free(&p->seen);
  up_list_free(&p->topo);
  *p = (pr_program){0};
}

static pr_status unsupported(pr_program *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(p->reason, sizeof p->reason, fmt, ap);
  va_end(ap);
  return PR_UNSUPPORTED;
}

/* ---- emitting -------------------------------------------------------------------------------- */

static unsigned count_of(const pr_program *p, up_node n) {
  return up_dt_count(up_dtype_of(p->ctx, n));
}

/* Slot of a lane of a node that was emitted; a scalar stands for all lanes. */
static uint32_t slot_of(const pr_program *p, up_node n, uint32_t lane) {
  assert(n.id < p->base_cap && p->base[n.id] != 0);
  return p->lane[p->base[n.id] - 1 + (lane == 0 || count_of(p, n) == 1 ? 0 : lane)];
}

static uint32_t emit(pr_program *p, const pr_ins *ins) {
  if (!grow(&p->ins, &p->cap, p->n + 1, sizeof *p->ins)) return NO_SLOT;
  p->ins[p->n] = *ins;
  return p->n++;
}

/* False when it has more than 125 bits. */
static bool small_int(const pr_program *p, up_int i, or_i128 *out) {
  *out = i.lo;
  if (up_int_fits(i)) return true;
  mpz_t v;
  mpz_init(v);
  up_int_to_mpz(p->ctx, i, v);
  bool ok = mpz_sizeinbase(v, 2) <= 125 && or_i128_from_mpz(v, out);
  mpz_clear(v);
  return ok;
}

/* The number as a text of the program: in base 16, which costs no division of long numbers. Failure
 * shows at the end of building. */
static void keep_huge(pr_program *p, pr_ins *d, up_int i) {
  mpz_t v;
  mpz_init(v);
  up_int_to_mpz(p->ctx, i, v);
  char *text = malloc(mpz_sizeinbase(v, 16) + 2);
  if (text && grow(&p->huge, &p->huge_cap, p->nhuge + 1, sizeof *p->huge)) {
    mpz_get_str(text, 16, v);
    d->var = p->nhuge;
    p->huge[p->nhuge++] = text;
  } else {
    free(text);
    p->starved = true;
  }
  mpz_clear(v);
}

static void set_number(pr_program *p, pr_ins *d, up_int i) {
  if (small_int(p, i, &d->number)) {
    if (p->frame == OR_WRAP) d->number = pr_reduce(d->type, d->number);
  } else if (d->type.is_bool) {
    d->number = 1;
  } else if (p->frame == OR_WRAP) {
    mpz_t v;
    mpz_init(v);
    up_int_to_mpz(p->ctx, i, v);
    mpz_fdiv_r_2exp(v, v, 64);
    or_i128_from_mpz(v, &d->number);
    d->number = pr_reduce(d->type, d->number);
    mpz_clear(v);
  } else {
    d->flags |= PR_HUGE;
    keep_huge(p, d, i);
  }
}

static void set_const(pr_program *p, pr_ins *d, const up_view *v) {
  up_val k =
      v->op == UP_CONST ? up_const_val(p->ctx, d->node) : up_vconst_at(p->ctx, d->node, d->lane);
  if (k.is_float) return;
  d->op = UP_CONST;
  set_number(p, d, k.i);
  d->value =
      d->flags & PR_HUGE ? (pr_range){OR_I128_MIN, OR_I128_MAX} : (pr_range){d->number, d->number};
}

/* Of any declared range a bool takes 0 and 1, as far as they are in it. */
static void keep_bool(pr_range *r) {
  if (r->lo < 0) r->lo = 0;
  if (r->hi > 1) r->hi = 1;
}

static void set_variable(pr_program *p, pr_ins *d, const up_view *v) {
  up_int lo, hi;
  /* the lanes of a vector DEFINE_VAR are variables of their own */
  if (up_dt_count(v->dtype) != 1 && v->op != UP_DEFINE_VAR) return;
  if (up_var_domain(p->ctx, d->node, NULL, &lo, &hi)) {
    if (!small_int(p, lo, &d->value.lo) || !small_int(p, hi, &d->value.hi)) return;
    d->op = (uint8_t)v->op;
    if (up_dt_is_bool(v->dtype)) keep_bool(&d->value);
  } else if (v->op == UP_RANGE && v->nsrc == 1 && count_of(p, v->src[0]) == 1) {
    d->op = UP_RANGE;
    d->flags |= PR_OPEN;
    d->src[0] = slot_of(p, v->src[0], 0);
  }
}

/* n is a RANGE of the second graph: the instruction of its counterpart, or NO_SLOT; *several when
 * more than one could be meant. */
static uint32_t counterpart(const pr_program *p, up_node n, bool *several) {
  uint32_t found = NO_SLOT;
  for (uint32_t i = 0; i < p->first; i++) {
    up_node m = p->ins[i].node;
    if (up_op_of(p->ctx, m) != UP_RANGE || p->ins[i].op != UP_RANGE) continue;
    if (up_arg_of(p->ctx, m).id != up_arg_of(p->ctx, n).id ||
        up_dtype_of(p->ctx, m) != up_dtype_of(p->ctx, n))
      continue;
    *several = found != NO_SLOT;
    found = i;
  }
  return found;
}

static pr_status add_root(pr_program *p, uint32_t a, uint32_t b, up_node n);

/* PR_OK and *slot: its counterpart, whose end is asked to be equal; or NO_SLOT: it has none. */
static pr_status join_range(pr_program *p, up_node n, uint32_t *slot) {
  bool several = false;
  *slot = up_nsrc(p->ctx, n) == 1 ? counterpart(p, n, &several) : NO_SLOT;
  if (*slot == NO_SLOT) return PR_OK;
  if (several) return unsupported(p, "RANGEs with one id and different ends");
  up_node first = p->ins[*slot].node, end = up_src(p->ctx, first, 0);
  if (count_of(p, end) != 1 || count_of(p, up_src(p->ctx, n, 0)) != 1) {
    *slot = NO_SLOT;
    return PR_OK;
  }
  return add_root(p, slot_of(p, end, 0), slot_of(p, up_src(p->ctx, n, 0), 0), end);
}

static bool lanes_match(const pr_program *p, const up_view *v) {
  unsigned count = up_dt_count(v->dtype);
  for (uint32_t i = 0; i < v->nsrc; i++) {
    unsigned k = count_of(p, v->src[i]);
    if (k != 1 && k != count) return false;
  }
  return true;
}

static void set_alu(pr_program *p, pr_ins *d, const up_view *v) {
  if (!fr_is_alu(v->op) || (int)v->nsrc != up_op_arity(v->op) || !lanes_match(p, v)) return;
  if (v->op == UP_BITCAST) {
    fr_type from;
    bool known = fr_type_of(up_dtype_of(p->ctx, v->src[0]), &from);
    if (!known || from.bits != d->type.bits) return;
  }
  assert(v->nsrc >= 1 && v->nsrc <= 3);
  d->op = (uint8_t)v->op;
  d->nsrc = (uint8_t)v->nsrc;
  for (uint32_t i = 0; i < v->nsrc; i++) d->src[i] = slot_of(p, v->src[i], d->lane);
}

/* Ops that only rename lanes: the slot that lane `lane` of the node stands for, or NO_SLOT. */
static uint32_t alias_of(const pr_program *p, const up_view *v, uint32_t lane) {
  if (v->op == UP_BIND && v->nsrc >= 1 && lanes_match(p, v)) return slot_of(p, v->src[0], lane);
  if (v->op == UP_VECTORIZE && lane < v->nsrc && count_of(p, v->src[lane]) == 1)
    return slot_of(p, v->src[lane], 0);
  if (v->op != UP_GEP || v->nsrc != 1) return NO_SLOT;
  up_arg a = v->arg;
  if (up_arg_kind_of(p->ctx, a) == UP_A_LIST)
    a = lane < up_arg_len(p->ctx, a) ? up_arg_at(p->ctx, a, lane) : up_arg_none();
  if (up_arg_kind_of(p->ctx, a) != UP_A_INT) return NO_SLOT;
  int64_t pick = up_arg_val(p->ctx, a).i.lo;
  up_node src = v->src[0];
  return pick >= 0 && pick < (int64_t)count_of(p, src) ? slot_of(p, src, (uint32_t)pick) : NO_SLOT;
}

static uint32_t emit_lane(pr_program *p, up_node n, const up_view *v, uint32_t lane) {
  pr_ins d = {.node = n, .lane = lane, .op = UP_NOOP};
  if (fr_type_of(v->dtype, &d.type)) {
    uint32_t same = alias_of(p, v, lane);
    if (same != NO_SLOT) return same;
    if (fr_is_variable(v->op))
      set_variable(p, &d, v);
    else if (v->op == UP_CONST || v->op == UP_VCONST)
      set_const(p, &d, v);
    else
      set_alu(p, &d, v);
  }
  return emit(p, &d);
}

static pr_status emit_node(pr_program *p, up_node n) {
  up_view v = up_view_of(p->ctx, n);
  uint32_t lanes = up_dt_count(v.dtype), start = p->nlane;
  if (!grow(&p->lane, &p->lane_cap, start + lanes, sizeof *p->lane)) return PR_NO_MEMORY;
  for (uint32_t i = 0; i < lanes; i++) {
    uint32_t s = NO_SLOT;
    if (p->first > 0 && lanes == 1 && v.op == UP_RANGE) {
      pr_status joined = join_range(p, n, &s);
      if (joined != PR_OK) return joined;
    }
    if (s == NO_SLOT) s = emit_lane(p, n, &v, i);
    if (s == NO_SLOT) return PR_NO_MEMORY;
    p->lane[start + i] = s;
  }
  p->nlane = start + lanes;
  p->base[n.id] = start + 1;
  return up_list_push(&p->seen, n) ? PR_OK : PR_NO_MEMORY;
}

static bool grow_base(pr_program *p) {
  uint32_t old = p->base_cap, need = up_ctx_node_count(p->ctx) + 1;
  if (!grow(&p->base, &p->base_cap, need, sizeof *p->base)) return false;
  if (p->base_cap > old) memset(p->base + old, 0, (p->base_cap - old) * sizeof *p->base);
  return true;
}

static pr_status emit_graph(pr_program *p, up_node root) {
  pr_status s = up_toposort(p->ctx, root, &p->topo) && grow_base(p) ? PR_OK : PR_NO_MEMORY;
  for (uint32_t i = 0; s == PR_OK && i < p->topo.n; i++) {
    if (p->base[p->topo.p[i].id] == 0) s = emit_node(p, p->topo.p[i]);
  }
  return s;
}

static void begin(pr_program *p, up_ctx *c, or_frame f) {
  p->ctx = c;
  p->frame = f;
  p->n = p->nvar = p->nroot = p->nassume = p->nlane = p->first = 0;
  p->seen.n = 0;
  p->starved = false;
  drop_huge(p);
  pr_wide_clear(p);
  p->vacuous = false;
  p->reason[0] = 0;
}

/* ---- roots ----------------------------------------------------------------------------------- */

static pr_status add_root(pr_program *p, uint32_t a, uint32_t b, up_node n) {
  if (!grow(&p->root, &p->root_cap, p->nroot + 1, sizeof *p->root)) return PR_NO_MEMORY;
  p->root[p->nroot++] = (pr_pair){a, b, n};
  return PR_OK;
}

static pr_status pair_lanes(pr_program *p, up_node a, up_node b) {
  unsigned n = count_of(p, a);
  if (n != count_of(p, b)) return unsupported(p, "vectors of %u and %u lanes", n, count_of(p, b));
  pr_status s = PR_OK;
  for (uint32_t i = 0; s == PR_OK && i < n; i++)
    s = add_root(p, slot_of(p, a, i), slot_of(p, b, i), a);
  return s;
}

static pr_status pair_roots(pr_program *p, up_node a, up_node b) {
  bool sink = up_op_of(p->ctx, a) == UP_SINK;
  if (sink != (up_op_of(p->ctx, b) == UP_SINK)) return unsupported(p, "a SINK against a value");
  if (!sink) return pair_lanes(p, a, b);
  uint32_t n = up_nsrc(p->ctx, a);
  if (n != up_nsrc(p->ctx, b))
    return unsupported(p, "SINKs of %u and %u sources", n, up_nsrc(p->ctx, b));
  pr_status s = PR_OK;
  for (uint32_t i = 0; s == PR_OK && i < n; i++)
    s = pair_lanes(p, up_src(p->ctx, a, i), up_src(p->ctx, b, i));
  return s;
}

/* ---- pruning --------------------------------------------------------------------------------- */

static unsigned needs(const pr_ins *d) { return d->flags & PR_OPEN ? 1 : d->nsrc; }

/* Keeps what the roots reach; slots move down, sources stay before their users. */
static bool prune(pr_program *p) {
  if (!grow(&p->to, &p->to_cap, p->n + 1, sizeof *p->to)) return false;
  uint32_t *to = p->to;
  memset(to, 0, p->n * sizeof *to);
  for (uint32_t i = 0; i < p->nroot; i++) to[p->root[i].a] = to[p->root[i].b] = 1;
  uint32_t kept = 0;
  for (uint32_t i = p->n; i-- > 0;) {
    kept += to[i];
    for (unsigned s = 0; to[i] && s < needs(&p->ins[i]); s++) to[p->ins[i].src[s]] = 1;
  }
  if (kept == p->n) return true;
  kept = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    if (!to[i]) continue;
    pr_ins d = p->ins[i];
    for (unsigned s = 0; s < needs(&d); s++) d.src[s] = to[d.src[s]];
    p->ins[kept] = d;
    to[i] = kept++;
  }
  for (uint32_t i = 0; i < p->nroot; i++)
    p->root[i] = (pr_pair){to[p->root[i].a], to[p->root[i].b], p->root[i].node};
  p->n = kept;
  return true;
}

/* ---- finishing ------------------------------------------------------------------------------- */

static pr_status refuse(pr_program *p, const pr_ins *d) {
  char dtype[32];
  up_op op = up_op_of(p->ctx, d->node);
  up_dt_print(up_dtype_of(p->ctx, d->node), dtype);
  if (fr_is_variable(op) && d->type.bits != 0)
    return unsupported(p, "%s node %u without a constant range of at most 125 bits", up_op_name(op),
                       d->node.id);
  return unsupported(p, "op %s of dtype %s", up_op_name(op), dtype);
}

static pr_status add_variable(pr_program *p, uint32_t slot) {
  if (!grow(&p->var, &p->var_cap, p->nvar + 1, sizeof *p->var)) return PR_NO_MEMORY;
  pr_ins *d = &p->ins[slot];
  if (d->flags & PR_OPEN) {
    pr_range end = p->ins[d->src[0]].value;
    if (!pr_range_finite(end))
      return unsupported(p, "RANGE node %u without a finite end", d->node.id);
    d->value = (pr_range){0, end.hi - 1};
  }
  d->var = p->nvar;
  p->var[p->nvar++] = (pr_var){d->node, d->value, slot};
  if (d->value.lo > d->value.hi) {
    p->vacuous = true;
    d->value.hi = d->value.lo; /* no assignment: any interval is sound */
  }
  return PR_OK;
}

/* Assignments at which a RANGE is not below its end do not count: one CMPLT each. */
static pr_status add_assumptions(pr_program *p) {
  for (uint32_t i = 0; i < p->nvar; i++) {
    const pr_ins *v = &p->ins[p->var[i].slot];
    if (!(v->flags & PR_OPEN)) continue;
    pr_ins lt = {.node = v->node, .op = UP_CMPLT, .nsrc = 2, .src = {p->var[i].slot, v->src[0], 0}};
    lt.type = (fr_type){1, false, true};
    uint32_t s = emit(p, &lt);
    if (s == NO_SLOT || !grow(&p->assume, &p->assume_cap, p->nassume + 1, sizeof *p->assume))
      return PR_NO_MEMORY;
    pr_analyse(p, s);
    p->assume[p->nassume++] = s;
  }
  return PR_OK;
}

static void summarise(pr_program *p) {
  p->bits = 1;
  p->exact = true;
  for (uint32_t i = 0; i < p->n; i++) {
    const pr_ins *d = &p->ins[i];
    bool convert = d->op == UP_CAST || d->op == UP_BITCAST;
    if (d->bits > p->bits) p->bits = d->bits;
    if ((d->flags & (PR_ZERO | PR_SHIFT)) || ((d->flags & PR_REDUCE) && !convert)) p->exact = false;
  }
}

static pr_status finish(pr_program *p) {
  pr_status s = p->starved ? PR_NO_MEMORY : PR_OK;
  for (uint32_t i = 0; s == PR_OK && i < p->n; i++) {
    if (p->ins[i].op == UP_NOOP) return refuse(p, &p->ins[i]);
    if (fr_is_variable((up_op)p->ins[i].op)) s = add_variable(p, i);
    if (s == PR_OK) pr_analyse(p, i);
  }
  if (s == PR_OK) s = add_assumptions(p);
  if (s == PR_OK) summarise(p);
  if (s == PR_OK && p->bits == PR_NO_BITS) {
    if (!pr_widen(p)) return PR_NO_MEMORY;
    summarise(p);
  }
  return s;
}

/* Forgets where the lanes of nodes are, so that the program can be built into again. */
static pr_status end(pr_program *p, pr_status s) {
  for (uint32_t i = 0; i < p->seen.n; i++) p->base[p->seen.p[i].id] = 0;
  return s;
}

pr_status pr_build_pair(pr_program *p, up_ctx *c, up_node a, up_node b, or_frame f) {
  begin(p, c, f);
  pr_status s = emit_graph(p, a);
  p->first = p->n;
  if (s == PR_OK) s = emit_graph(p, b);
  if (s == PR_OK) s = pair_roots(p, a, b);
  if (s == PR_OK) s = prune(p) ? finish(p) : PR_NO_MEMORY;
  return end(p, s);
}

bool pr_both_ways(pr_program *p) {
  uint32_t n = p->nroot;
  bool ok = true;
  for (uint32_t i = 0; ok && i < n; i++)
    ok = add_root(p, p->root[i].b, p->root[i].a, p->root[i].node) == PR_OK;
  return ok;
}

pr_status pr_build_all(pr_program *p, up_ctx *c, up_node root, or_frame f) {
  begin(p, c, f);
  pr_status s = emit_graph(p, root);
  for (uint32_t i = 0; s == PR_OK && i < p->seen.n; i++) {
    fr_type t;
    up_node n = p->seen.p[i];
    up_dtype dtype = up_dtype_of(c, n);
    if (!fr_type_of(dtype, &t)) continue;
    for (uint32_t l = 0; s == PR_OK && l < up_dt_count(dtype); l++)
      s = add_root(p, slot_of(p, n, l), slot_of(p, n, l), n);
  }
  if (s == PR_OK) s = prune(p) ? finish(p) : PR_NO_MEMORY;
  return end(p, s);
}

uint64_t pr_points(const pr_program *p) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < p->nvar; i++) {
    or_i128 size = p->var[i].domain.hi - p->var[i].domain.lo + 1;
    if (size <= 0) return 0;
    if (size > (or_i128)UINT64_MAX || __builtin_mul_overflow(n, (uint64_t)size, &n))
      return UINT64_MAX;
  }
  return n;
}

bool pr_witness_init(const pr_program *p, or_witness *w) {
  if (!or_witness_init(w, p->nvar)) return false;
  for (uint32_t i = 0; i < p->nvar; i++) {
    w->var[i] = p->var[i].node;
    w->lane[i] = p->ins[p->var[i].slot].lane;
  }
  return true;
}

/* Of an interval that 126 bits do not hold, by its exact ends. */
static bool settled_far(const pr_program *p, uint32_t slot, pr_range claim) {
  pr_range v = p->ins[slot].value;
  mpz_t lo, hi, end;
  mpz_inits(lo, hi, end, NULL);
  bool known = pr_wide_ends(p, slot, lo, hi);
  or_i128_to_mpz(claim.lo, end);
  bool below = claim.lo <= v.lo || (known && mpz_cmp(end, lo) <= 0);
  or_i128_to_mpz(claim.hi, end);
  bool above = v.hi <= claim.hi || (known && mpz_cmp(hi, end) <= 0);
  mpz_clears(lo, hi, end, NULL);
  return below && above;
}

bool pr_settled(const pr_program *p, const pr_range *claim, uint32_t i) {
  const pr_pair *r = &p->root[i];
  if (!claim) return r->a == r->b;
  pr_range v = p->ins[r->a].value;
  if (claim[i].lo <= v.lo && v.hi <= claim[i].hi) return true;
  return p->nwide > 0 && !pr_range_finite(v) && settled_far(p, r->a, claim[i]);
}
