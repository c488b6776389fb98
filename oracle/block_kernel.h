/* The lanes of block.c for one width. Included once a width with
 *   LANE, ULANE  the signed and unsigned lane types
 *   LANE_BITS    their width
 *   K(name)      the name of a function for this width
 *   K(quotients) K(quotients_by)
 *                truncating quotients by lanes, by one number; no divisor is 0 or -1; `bits`: width of
 *                dividend and divisor where they are known to fit in it, else 128
 *   LANES        marks the loops that are worth compiling for wider vectors
 *
 * Arithmetic is done on ULANE: modulo the lane's width, which is at least the width that the
 * program's `bits` asks for. Lanes whose value is undefined hold any number.
 */

LANES static void K(arith)(up_op op, LANE *restrict d, const LANE *a, const LANE *b, const LANE *c,
                           unsigned n) {
  switch (op) {
  case UP_ADD:
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)a[i] + (ULANE)b[i]);
    break;
  case UP_SUB:
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)a[i] - (ULANE)b[i]);
    break;
  case UP_MUL:
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)a[i] * (ULANE)b[i]);
    break;
  case UP_MULACC:
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)a[i] * (ULANE)b[i] + (ULANE)c[i]);
    break;
  case UP_NEG:
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)0 - (ULANE)a[i]);
    break;
  case UP_MAX:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] > b[i] ? a[i] : b[i];
    break;
  default: memcpy(d, a, n * sizeof *d); /* CAST, BITCAST, TRUNC: the finish does the rest */
  }
}

LANES static void K(logic)(up_op op, LANE *restrict d, const LANE *a, const LANE *b, const LANE *c,
                           unsigned n) {
  switch (op) {
  case UP_AND:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] & b[i];
    break;
  case UP_OR:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] | b[i];
    break;
  case UP_XOR:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] ^ b[i];
    break;
  case UP_CMPLT:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] < b[i];
    break;
  case UP_CMPNE:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] != b[i];
    break;
  case UP_CMPEQ:
    for (unsigned i = 0; i < n; i++) d[i] = a[i] == b[i];
    break;
  default:
    assert(op == UP_WHERE);
    for (unsigned i = 0; i < n; i++) d[i] = a[i] != 0 ? b[i] : c[i];
  }
}

/* FLOORDIV and FLOORMOD from a truncated quotient: one less where a remainder is left and its sign is not
 * the divisor's. */
static inline LANE K(floored)(up_op op, LANE q, LANE a, LANE k) {
  LANE r = (LANE)((ULANE)a - (ULANE)q * (ULANE)k);
  bool less = r != 0 && (r ^ k) < 0;
  return op == UP_FLOORDIV ? (LANE)(q - less) : less ? (LANE)(r + k) : r;
}

/* One divisor for all lanes, neither 0 nor -1. */
LANES static void K(divide_by)(up_op op, LANE *restrict d, const LANE *restrict a, LANE k,
                               unsigned bits, unsigned n) {
  K(quotients_by)(d, a, k, bits, n);
  if (op == UP_IDIV) return;
  if (op == UP_MOD) {
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)a[i] - (ULANE)d[i] * (ULANE)k);
    return;
  }
  for (unsigned i = 0; i < n; i++) d[i] = K(floored)(op, d[i], a[i], k);
}

/* x//0 = 0 and x%0 = x, which is right in wrap and does no harm elsewhere. -1 is apart because
 * the least lane over -1 overflows. */
LANES static void K(divide)(up_op op, LANE *restrict d, const LANE *restrict a,
                            const LANE *restrict b, unsigned bits, unsigned n) {
  LANE k[BL_LANES];
  k[0] = 1; /* n is never 0, which gcc does not know */
  for (unsigned i = 0; i < n; i++) k[i] = b[i] == 0 || b[i] == -1 ? 1 : b[i];
  K(quotients)(d, a, k, bits, n);
  if (op == UP_IDIV || op == UP_FLOORDIV) {
    if (op == UP_FLOORDIV)
      for (unsigned i = 0; i < n; i++) d[i] = K(floored)(op, d[i], a[i], k[i]);
    for (unsigned i = 0; i < n; i++) {
      LANE q = b[i] == -1 ? (LANE)((ULANE)0 - (ULANE)a[i]) : d[i];
      d[i] = b[i] == 0 ? 0 : q;
    }
  } else {
    for (unsigned i = 0; i < n; i++) {
      LANE r = (LANE)((ULANE)a[i] - (ULANE)d[i] * (ULANE)k[i]);
      if (op == UP_FLOORMOD) r = K(floored)(op, d[i], a[i], k[i]);
      d[i] = b[i] == 0 ? a[i] : r;
    }
  }
}

static void K(shift)(up_op op, bool is_bool, LANE *restrict d, const LANE *a, const LANE *b,
                     unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned s = b[i] < 0 || b[i] >= LANE_BITS ? LANE_BITS - 1 : (unsigned)b[i];
    LANE left = b[i] >= LANE_BITS ? 0 : (LANE)((ULANE)a[i] << s);
    LANE r = op == UP_SHR ? (LANE)(a[i] >> s) : is_bool ? a[i] : left;
    d[i] = b[i] < 0 ? 0 : r;
  }
}

LANES static void K(reduce)(fr_type t, LANE *d, unsigned n) {
  if (t.is_bool) {
    for (unsigned i = 0; i < n; i++) d[i] = d[i] != 0;
  } else if (t.is_signed) {
    unsigned s = t.bits >= LANE_BITS ? 0 : LANE_BITS - t.bits;
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((LANE)((ULANE)d[i] << s) >> s);
  } else {
    ULANE mask = t.bits >= LANE_BITS ? (ULANE) ~(ULANE)0 : (ULANE)(((ULANE)1 << t.bits) - 1);
    for (unsigned i = 0; i < n; i++) d[i] = (LANE)((ULANE)d[i] & mask);
  }
}

static LANE *K(lanes)(const bl_machine *m, uint32_t slot) {
  return (LANE *)(void *)m->file + (size_t)m->reg[slot] * m->lanes;
}

static LANE K(clip)(or_i128 v) {
  or_i128 most = (or_i128)(((ULANE)1 << (LANE_BITS - 1)) - 1);
  return (LANE)(v > most ? most : v < -most - 1 ? -most - 1 : v);
}

/* Definedness that comes from the operands. */
static void K(inherit)(const bl_machine *m, const pr_ins *o, uint8_t *restrict def, unsigned n) {
  if (o->op == UP_WHERE) {
    const LANE *cond = K(lanes)(m, o->src[0]);
    const uint8_t *dc = defined_of(m, o->src[0]);
    const uint8_t *dt = defined_of(m, o->src[1]), *de = defined_of(m, o->src[2]);
    for (unsigned i = 0; i < n; i++) def[i] = dc[i] & (cond[i] != 0 ? dt[i] : de[i]);
    return;
  }
  memset(def, 1, n);
  for (unsigned s = 0; s < o->nsrc; s++) {
    if (!(m->p->ins[o->src[s]].flags & PR_UNDEF)) continue;
    const uint8_t *ds = defined_of(m, o->src[s]);
    for (unsigned i = 0; i < n; i++) def[i] &= ds[i];
  }
}

/* Definedness of the instruction, whose exact result is in d. */
static void K(define)(const bl_machine *m, const pr_ins *o, uint8_t *restrict def, const LANE *d,
                      unsigned n) {
  if (o->flags & PR_ZERO) {
    const LANE *b = K(lanes)(m, o->src[1]);
    for (unsigned i = 0; i < n; i++) def[i] &= b[i] != 0;
  }
  if (o->flags & PR_SHIFT) {
    const LANE *b = K(lanes)(m, o->src[1]);
    LANE end = m->p->frame == OR_REFINE ? (LANE)o->type.bits : K(clip)(OR_I128_MAX);
    bool all = m->p->frame != OR_REFINE;
    for (unsigned i = 0; i < n; i++) def[i] &= (uint8_t)(b[i] >= 0 && (all || b[i] < end));
  }
  if (o->flags & PR_CHECK) {
    /* a lane narrower than the type holds nothing that leaves it */
    LANE lo = K(clip)(fr_min(o->type)), hi = K(clip)(fr_max(o->type));
    for (unsigned i = 0; i < n; i++) def[i] &= (uint8_t)(d[i] >= lo && d[i] <= hi);
  }
}

static void K(compute)(const bl_machine *m, const pr_ins *o, LANE *d, unsigned n) {
  const LANE *a = K(lanes)(m, o->src[0]);
  const LANE *b = o->nsrc > 1 ? K(lanes)(m, o->src[1]) : a;
  const LANE *c = o->nsrc > 2 ? K(lanes)(m, o->src[2]) : a;
  switch ((up_op)o->op) {
  case UP_IDIV:
  case UP_MOD:
  case UP_FLOORDIV:
  case UP_FLOORMOD: {
    const pr_ins *divisor = &m->p->ins[o->src[1]];
    const pr_ins *dividend = &m->p->ins[o->src[0]];
    unsigned bits = divisor->bits > dividend->bits ? divisor->bits : dividend->bits;
    /* lanes of undefined values hold any number */
    if (((divisor->flags | dividend->flags) & PR_UNDEF) != 0) bits = 128;
    if (divisor->op == UP_CONST && b[0] != 0 && b[0] != -1)
      K(divide_by)((up_op)o->op, d, a, b[0], bits, n);
    else
      K(divide)((up_op)o->op, d, a, b, bits, n);
    break;
  }
  case UP_SHL:
  case UP_SHR: K(shift)((up_op)o->op, o->type.is_bool, d, a, b, n); break;
  case UP_AND:
  case UP_OR:
  case UP_XOR:
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ:
  case UP_WHERE: K(logic)((up_op)o->op, d, a, b, c, n); break;
  default: K(arith)((up_op)o->op, d, a, b, c, n);
  }
}

static void K(step)(const bl_machine *m, uint32_t slot, unsigned n) {
  const pr_ins *o = &m->p->ins[slot];
  LANE *d = K(lanes)(m, slot);
  bool leaf = o->nsrc == 0;
  if (!leaf) K(compute)(m, o, d, n);
  if (o->flags & PR_UNDEF) {
    K(inherit)(m, o, defined_reg(m, slot), n);
    K(define)(m, o, defined_reg(m, slot), d, n);
  }
  bool plain_bool = o->type.is_bool && !leaf && !up_op_in((up_op)o->op, UP_G_COMPARE);
  /* leaves are stored reduced: by bl_fill and by bl_prepare */
  if (!leaf && ((o->flags & PR_REDUCE) || plain_bool)) K(reduce)(o->type, d, n);
}

/* Does the root fail in any lane? bad[i] tells where. */
static bool K(look)(const bl_machine *m, uint32_t root, uint8_t *restrict bad, unsigned n) {
  const pr_pair *r = &m->p->root[root];
  const LANE *a = K(lanes)(m, r->a), *b = K(lanes)(m, r->b);
  if (m->claim) {
    pr_range c = m->claim[root];
    LANE lo = K(clip)(c.lo), hi = K(clip)(c.hi);
    uint8_t never = c.lo > (or_i128)lo || c.hi < (or_i128)hi; /* the claim has no lane value */
    for (unsigned i = 0; i < n; i++) bad[i] = (uint8_t)(never | (a[i] < lo) | (a[i] > hi));
  } else {
    for (unsigned i = 0; i < n; i++) bad[i] = a[i] != b[i];
  }
  return combine_defined(m, r, bad, n);
}

/* The root's range is widened by its values in the lanes that count. */
LANES static void K(widen)(const bl_machine *m, uint32_t root, unsigned n) {
  const pr_pair *r = &m->p->root[root];
  const LANE *a = K(lanes)(m, r->a);
  const uint8_t *def = defined_of(m, r->a);
  LANE lo = K(clip)(OR_I128_MAX), hi = K(clip)(OR_I128_MIN);
  uint8_t any = 0;
  for (unsigned i = 0; i < n; i++) {
    uint8_t ok = def[i] & m->counts[i];
    lo = ok && a[i] < lo ? a[i] : lo;
    hi = ok && a[i] > hi ? a[i] : hi;
    any |= ok;
  }
  pr_range *seen = &m->seen[root];
  if (any && lo < seen->lo) seen->lo = lo;
  if (any && hi > seen->hi) seen->hi = hi;
}

static void K(slots)(bl_machine *m, unsigned n) {
  uint8_t bad[BL_LANES];
  for (uint32_t slot = 0; slot < m->p->n; slot++) {
    K(step)(m, slot, n);
    for (uint32_t e = m->event_at[slot]; e < m->event_at[slot + 1]; e++) {
      uint32_t root = m->event[e];
      if (root >= m->root_limit) continue;
      if (m->seen)
        K(widen)(m, root, n);
      else if (K(look)(m, root, bad, n))
        record(m, root, bad, n);
    }
  }
}

/* Lanes at which an assumption does not hold. */
static void K(forgive)(const bl_machine *m, uint8_t *restrict counts, unsigned n) {
  memset(counts, 1, n);
  for (uint32_t i = 0; i < m->p->nassume; i++) {
    uint32_t s = m->p->assume[i];
    const LANE *v = K(lanes)(m, s);
    const uint8_t *def = defined_of(m, s);
    for (unsigned j = 0; j < n; j++) counts[j] &= (uint8_t)(def[j] && v[j] != 0);
  }
}

/* Assumptions come last, so that ranges take a second turn where there are any. */
static void K(run)(bl_machine *m, unsigned n) {
  uint8_t counts[BL_LANES];
  uint32_t limit = m->root_limit;
  m->counts = m->ones;
  if (m->seen && m->p->nassume > 0) m->root_limit = 0;
  K(slots)(m, n);
  m->root_limit = limit;
  if (m->p->nassume == 0) return;
  K(forgive)(m, counts, n);
  m->counts = counts;
  if (m->seen) K(slots)(m, n);
  m->counts = NULL;
  for (unsigned j = 0; j < n; j++) {
    if (!counts[j]) m->fail[j] = BL_NONE;
  }
}

static void K(fill)(bl_machine *m, uint32_t slot, uint32_t from, uint32_t count, or_i128 v,
                    uint32_t run) {
  const pr_ins *o = &m->p->ins[slot];
  LANE *d = K(lanes)(m, slot) + from;
  ULANE x = (ULANE)(or_u128)v;
  for (uint32_t i = 0; i < count; x++) {
    uint32_t end = count - i < run ? count : i + run;
    for (; i < end; i++) d[i] = (LANE)x;
  }
  bool reduced = o->type.is_bool || ((o->flags & PR_REDUCE) && !(o->flags & PR_CHECK));
  if (reduced) K(reduce)(o->type, d, count);
}

#undef LANE
#undef ULANE
#undef LANE_BITS
#undef K
