/* Left sides: terms -> patterns, with the shapes that mathtraits give to infix patterns. */
#include "pattern.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets ------------------------------------------------------------------------------- */

opset opset_all(void) { return (opset){{~UINT64_C(0), ~UINT64_C(0)}}; }

unsigned opset_count(const opset *s) {
  return (unsigned)(__builtin_popcountll(s->w[0]) + __builtin_popcountll(s->w[1]));
}

static const struct {
  const char *name;
  unsigned groups;
} group_info[] = {
    {"UNARY", UP_G_UNARY},
    {"BINARY", UP_G_BINARY},
    {"TERNARY", UP_G_TERNARY},
    {"ALU", UP_G_ALU},
    {"IRREDUCIBLE", UP_G_IRREDUCIBLE},
    {"COMMUTATIVE", UP_G_COMMUTATIVE},
    {"ASSOCIATIVE", UP_G_ASSOCIATIVE},
    {"IDEMPOTENT", UP_G_IDEMPOTENT},
    {"COMPARE", UP_G_COMPARE},
};

static const struct {
  rtok tok;
  up_op op;
} infix_info[] = {
    {TK_PLUS, UP_ADD},  {TK_STAR, UP_MUL}, {TK_IDIV, UP_IDIV}, {TK_MOD, UP_MOD},
    {TK_LT, UP_CMPLT},  {TK_NE, UP_CMPNE}, {TK_AMP, UP_AND},   {TK_PIPE, UP_OR},
    {TK_CARET, UP_XOR}, {TK_SHL, UP_SHL},  {TK_SHR, UP_SHR},
};

bool rule_op_of_token(rtok k, up_op *out) {
  for (size_t i = 0; i < sizeof infix_info / sizeof *infix_info; i++) {
    if (infix_info[i].tok == k) {
      *out = infix_info[i].op;
      return true;
    }
  }
  return false;
}

bool rule_is_op_name(const token *t) {
  return t->kind == TK_IDENT && t->n > 1 && isupper((unsigned char)t->p[0]) &&
         isupper((unsigned char)t->p[1]);
}

/* Ops of one member: an op, a group, an operator. */
static bool ops_of_item(const token *t, opset *out) {
  up_op op;
  *out = (opset){{0, 0}};
  if (t->kind != TK_IDENT ? rule_op_of_token(t->kind, &op) : up_op_parse(t->p, t->n, &op)) {
    opset_add(out, op);
    return true;
  }
  for (size_t i = 0; t->kind == TK_IDENT && i < sizeof group_info / sizeof *group_info; i++) {
    if (!token_is(t, group_info[i].name)) continue;
    for (int k = 0; k < UP_OP_COUNT; k++)
      if (up_op_in((up_op)k, group_info[i].groups)) opset_add(out, (up_op)k);
    return true;
  }
  return false;
}

static bool unknown_op(const token *t, up_error *err) {
  return up_fail(err, t->line, t->col, "unknown op '%.*s'", (int)t->n, t->p);
}

bool ruleset_of_ops(const ruletree *t, const term *n, opset *out, up_error *err) {
  if (n->kind != TERM_SET) return ops_of_item(&n->text, out) || unknown_op(&n->text, err);
  opset one;
  bool without = false;
  *out = (opset){{0, 0}};
  for (uint32_t i = 0; i < n->nitem; i++) {
    const token *item = &t->item[n->item + i];
    if (item->kind == TK_MINUS) {
      without = true;
      continue;
    }
    if (!ops_of_item(item, &one)) return unknown_op(item, err);
    for (int w = 0; w < 2; w++) out->w[w] = without ? out->w[w] & ~one.w[w] : out->w[w] | one.w[w];
    without = false;
  }
  if (opset_count(out) == 0) return up_fail(err, n->line, n->col, "empty set of ops");
  return true;
}

static uint16_t dtype_range(enum up_scalar from, enum up_scalar to, unsigned step) {
  uint16_t m = 0;
  for (unsigned s = from; s <= (unsigned)to; s += step) m = (uint16_t)(m | (1u << s));
  return m;
}

static bool dtypes_of_item(const token *t, uint16_t *out) {
  up_dtype d;
  *out = 0;
  if (token_is(t, "ints"))
    *out = dtype_range(UP_CHAR, UP_ULONG, 1);
  else if (token_is(t, "sints"))
    *out = dtype_range(UP_CHAR, UP_LONG, 2);
  else if (token_is(t, "uints"))
    *out = dtype_range(UP_UCHAR, UP_ULONG, 2);
  else if (token_is(t, "floats"))
    *out = dtype_range(UP_HALF, UP_DOUBLE, 1);
  else if (t->kind == TK_IDENT && up_dt_parse(t->p, t->n, &d) && up_dt_count(d) == 1 &&
           !up_dt_is_ptr(d))
    *out = (uint16_t)(1u << up_dt_scalar(d));
  return *out != 0;
}
_Static_assert(UP_CHAR + 1 == UP_UCHAR && UP_CHAR + 6 == UP_LONG && UP_UCHAR + 6 == UP_ULONG &&
                   UP_HALF + 3 == UP_DOUBLE,
               "signed and unsigned types alternate, floats stand together");

bool ruleset_of_dtypes(const token *item, uint32_t n, bool negated, dtset *out, up_error *err) {
  *out = (dtset){0, negated};
  for (uint32_t i = 0; i < n; i++) {
    uint16_t one;
    if (!dtypes_of_item(&item[i], &one))
      return up_fail(err, item[i].line, item[i].col, "unknown dtype '%.*s'", (int)item[i].n,
                     item[i].p);
    out->mask |= one;
  }
  return true;
}

/* ---- names ------------------------------------------------------------------------------ */

int patnames_find(const patnames *s, const token *name) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->name[i].n == name->n && memcmp(s->name[i].p, name->p, name->n) == 0) return (int)i;
  return -1;
}

static opset opset_of2(up_op a, up_op b) {
  opset s = {{0, 0}};
  opset_add(&s, a);
  opset_add(&s, b);
  return s;
}

bool patnames_is_const(const patnames *s, int slot) {
  opset k = opset_of2(UP_CONST, UP_VCONST);
  return opset_subset(&s->ops[slot], &k);
}

bool patnames_may_be_vconst(const patnames *s, int slot) {
  return opset_has(&s->ops[slot], UP_VCONST);
}

static const char *const reserved[] = {"when",    "native",    "in",    "not",  "known", "from",
                                       "max",     "min",       "where", "any",  "rule",  "bound",
                                       "ruleset", "or_casted", "op",    "dtype"};

/* 'c' or 'k' in front of digits only: what the name matches. Other names with these letters in
 * front would be misread by people, so they are refused. */
static bool kind_of_name(const token *t, opset *out, up_error *err) {
  *out = opset_all();
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (token_is(t, reserved[i]))
      return up_fail(err, t->line, t->col, "'%.*s' is a word of the language", (int)t->n, t->p);
  if (t->p[0] != 'c' && t->p[0] != 'k') return true;
  for (uint32_t i = 1; i < t->n; i++)
    if (!isdigit((unsigned char)t->p[i]))
      return up_fail(err, t->line, t->col,
                     "'%.*s': names in c and k are constants (c, c0, k, k1); take another letter",
                     (int)t->n, t->p);
  *out = t->p[0] == 'k' ? opset_of2(UP_CONST, UP_CONST) : opset_of2(UP_CONST, UP_VCONST);
  return true;
}

/* ---- terms ------------------------------------------------------------------------------ */

typedef struct patcompiler {
  patbook *b;
  const ruletree *t;
  patnames *names;
  up_error *err;
  uint32_t first; /* patterns of this rule start here */
} patcompiler;

void patbook_free(patbook *b) {
  free(b->pat);
  free(b->kid);
  *b = (patbook){0};
}

static bool add_pat(patcompiler *k, const term *n, pat_id *out) {
  patbook *b = k->b;
  if (b->npat - k->first >= PAT_MAX_NODES)
    return up_fail(k->err, n->line, n->col, "pattern of more than %u nodes", PAT_MAX_NODES);
  if (!rule_grow(&b->pat, &b->pat_cap, b->npat + 1, sizeof *b->pat))
    return up_fail(k->err, 0, 0, "out of memory");
  b->pat[b->npat] = (pat){.ops = opset_all(), .dt = DTSET_ANY, .slot = -1};
  *out = b->npat++;
  return true;
}

static bool set_kids(patcompiler *k, pat_id id, pat_src src, const pat_id *kid, uint32_t n) {
  patbook *b = k->b;
  if (!rule_grow(&b->kid, &b->kid_cap, b->nkid + n, sizeof *b->kid))
    return up_fail(k->err, 0, 0, "out of memory");
  b->pat[id].src = (uint8_t)src;
  b->pat[id].kid = b->nkid;
  b->pat[id].nkid = (uint16_t)n;
  for (uint32_t i = 0; i < n; i++) b->kid[b->nkid++] = kid[i];
  return true;
}

static bool set_slot(patcompiler *k, pat_id id, const token *name) {
  opset ops;
  if (!kind_of_name(name, &ops, k->err)) return false;
  pat *p = &k->b->pat[id];
  for (int w = 0; w < 2; w++) p->ops.w[w] &= ops.w[w];
  if (opset_count(&p->ops) == 0)
    return up_fail(k->err, name->line, name->col, "'%.*s' is a constant, its pattern is not",
                   (int)name->n, name->p);
  int slot = patnames_find(k->names, name);
  if (slot < 0) {
    if (k->names->n == PAT_MAX_SLOTS)
      return up_fail(k->err, name->line, name->col, "more than %u names", PAT_MAX_SLOTS);
    slot = (int)k->names->n++;
    k->names->name[slot] = *name;
    k->names->ops[slot] = p->ops;
  }
  for (int w = 0; w < 2; w++) k->names->ops[slot].w[w] &= p->ops.w[w];
  p->slot = (int8_t)slot;
  return true;
}

static bool compile(patcompiler *k, term_id id, pat_id *out);

/* A literal that takes its dtype constraint from the other operand. */
static bool is_bare(const term *n) {
  if (n->flags & TERM_AT) return false;
  return n->kind == TERM_INT || n->kind == TERM_FLOAT || n->kind == TERM_BOOL;
}

/* A CONST with this value. */
static bool compile_literal(patcompiler *k, const term *n, pat_id *out) {
  if (n->kind == TERM_FLOAT && isnan(n->fval))
    return up_fail(k->err, n->line, n->col, "nan equals nothing: no pattern matches it");
  if (!add_pat(k, n, out)) return false;
  pat *p = &k->b->pat[*out];
  p->ops = opset_of2(UP_CONST, UP_CONST);
  p->has_value = true;
  p->value = n->kind == TERM_FLOAT ? up_val_float(n->fval) : up_val_int(up_int_of(n->ival));
  return true;
}

static bool const_like(patcompiler *k, const term *n, int64_t v, dtset dt, pat_id *out) {
  term lit = {.kind = TERM_INT, .ival = v, .line = n->line, .col = n->col};
  if (!compile_literal(k, &lit, out)) return false;
  k->b->pat[*out].dt = dt;
  return true;
}

/* One pattern object of the modelled engine: both are the same plain name. */
static bool same_object(const ruletree *t, const term *a, const term *b) {
  if (a->kind != TERM_NAME || b->kind != TERM_NAME || a->label.n || b->label.n) return false;
  if (a->text.n != b->text.n || memcmp(a->text.p, b->text.p, a->text.n) != 0) return false;
  if (((a->flags ^ b->flags) & (TERM_AT | TERM_AT_NOT)) || a->nat != b->nat) return false;
  for (uint32_t i = 0; i < a->nat; i++) {
    const token *x = &t->item[a->at + i], *y = &t->item[b->at + i];
    if (x->n != y->n || memcmp(x->p, y->p, x->n) != 0) return false;
  }
  return true;
}

/* Operands of an infix pattern, left to right; a literal takes the constraint of the other one. */
static bool compile_operands(patcompiler *k, const term *n, const term_id *kid, pat_id out[2]) {
  const term *t[2] = {term_at(k->t, kid[0]), term_at(k->t, kid[1])};
  bool bare[2] = {is_bare(t[0]), is_bare(t[1])};
  int lit = bare[0] ? 0 : bare[1] ? 1 : -1;
  if (bare[0] && bare[1])
    return up_fail(k->err, n->line, n->col, "two literals: one operand must say the dtype");
  if (lit < 0) return compile(k, kid[0], &out[0]) && compile(k, kid[1], &out[1]);
  if (!compile(k, kid[1 - lit], &out[1 - lit]) || !compile(k, kid[lit], &out[lit])) return false;
  k->b->pat[out[lit]].dt = k->b->pat[out[1 - lit]].dt;
  return true;
}

/* UPat.alu: sources in any order for a commutative op, dtype of the last one but for comparisons.
 */
static bool alu(patcompiler *k, const term *n, up_op op, const pat_id *kid, uint32_t nkid, bool one,
                pat_id *out) {
  bool permuted = up_op_in(op, UP_G_COMMUTATIVE) && !one;
  pat_id id; /* *out may be one of the kids */
  if (!add_pat(k, n, &id)) return false;
  pat *p = &k->b->pat[id];
  p->ops = opset_of2(op, op);
  if (!up_op_in(op, UP_G_COMPARE)) p->dt = k->b->pat[kid[nkid - 1]].dt;
  if (!set_kids(k, id, permuted ? SRC_PERMUTED : SRC_ORDERED, kid, nkid)) return false;
  *out = id;
  return true;
}

static bool logical_not(patcompiler *k, const term *n, pat_id a, pat_id *out) {
  pat_id kid[2] = {a, 0};
  return const_like(k, n, 1, k->b->pat[a].dt, &kid[1]) && alu(k, n, UP_CMPNE, kid, 2, false, out);
}

static bool negated(patcompiler *k, const term *n, pat_id a, pat_id *out) {
  pat_id kid[2] = {a, 0};
  return const_like(k, n, -1, k->b->pat[a].dt, &kid[1]) && alu(k, n, UP_MUL, kid, 2, false, out);
}

static bool compile_compare(patcompiler *k, const term *n, pat_id a[2], bool one, pat_id *out) {
  pat_id swapped[2] = {a[1], a[0]}, cmp;
  switch (n->bin) {
  case TK_LT: return alu(k, n, UP_CMPLT, a, 2, one, out);
  case TK_GT: return alu(k, n, UP_CMPLT, swapped, 2, one, out);
  case TK_NE: return alu(k, n, UP_CMPNE, a, 2, one, out);
  case TK_GE: return alu(k, n, UP_CMPLT, a, 2, one, &cmp) && logical_not(k, n, cmp, out);
  case TK_LE: return alu(k, n, UP_CMPLT, swapped, 2, one, &cmp) && logical_not(k, n, cmp, out);
  default:
    assert(n->bin == TK_EQ);
    return alu(k, n, UP_CMPNE, a, 2, one, &cmp) && logical_not(k, n, cmp, out);
  }
}

static bool compile_infix(patcompiler *k, const term *n, pat_id *out) {
  const term_id *kid = &k->t->kid[n->kid];
  pat_id a[2];
  up_op op;
  bool one = same_object(k->t, term_at(k->t, kid[0]), term_at(k->t, kid[1]));
  if (n->bin == TK_OR || n->bin == TK_AND)
    return up_fail(k->err, n->line, n->col, "'and' and 'or' belong into the condition");
  if (!compile_operands(k, n, kid, a)) return false;
  if (n->bin >= TK_LT && n->bin <= TK_NE) return compile_compare(k, n, a, one, out);
  if (n->bin == TK_MINUS) {
    if (!negated(k, n, a[1], &a[1])) return false;
    return alu(k, n, UP_ADD, a, 2, false, out);
  }
  if (n->bin == TK_SLASH) {
    if (!alu(k, n, UP_RECIP, &a[1], 1, false, &a[1])) return false;
    return alu(k, n, UP_MUL, a, 2, false, out);
  }
  if (!rule_op_of_token((rtok)n->bin, &op))
    return up_fail(k->err, n->line, n->col, "no op is written so");
  return alu(k, n, op, a, 2, one, out);
}

static bool has_choice(const patbook *b, pat_id id) {
  const pat *p = pat_at(b, id);
  if (p->src == SRC_PERMUTED || p->src == SRC_ANY_OF) return true;
  for (uint32_t i = 0; i < p->nkid; i++)
    if (has_choice(b, b->kid[p->kid + i])) return true;
  return false;
}

/* The slots that a match of the pattern binds. */
static uint32_t bound_slots(const patbook *b, pat_id id) {
  const pat *p = pat_at(b, id);
  uint32_t mask = p->slot >= 0 ? UINT32_C(1) << p->slot : 0;
  for (uint32_t i = 0; i < p->nkid; i++) mask |= bound_slots(b, b->kid[p->kid + i]);
  return mask;
}

/* The sources that an argument list asks for. */
static bool compile_args(patcompiler *k, const term *n, pat_id id) {
  pat_id kid[PAT_MAX_KIDS];
  if (!(n->flags & TERM_ARGS)) return true;
  bool all_one = n->nkid > 0;
  for (uint32_t i = 0; i < n->nkid; i++) {
    term_id arg = term_kid(k->t, n, i);
    all_one = all_one && same_object(k->t, term_at(k->t, arg), term_at(k->t, term_kid(k->t, n, 0)));
    if (!compile(k, arg, &kid[i])) return false;
  }
  pat_src src = n->flags & TERM_REPEAT                   ? SRC_REPEAT
                : (n->flags & TERM_PERMUTED) && !all_one ? SRC_PERMUTED
                                                         : SRC_ORDERED;
  if (src == SRC_PERMUTED && (n->flags & TERM_ANY_LEN || n->nkid > 4))
    return up_fail(k->err, n->line, n->col, "sources in any order: at most 4, and no '..'");
  if (src == SRC_REPEAT && has_choice(k->b, kid[0]))
    return up_fail(k->err, n->line, n->col, "a repeated pattern that can match in two ways");
  k->b->pat[id].any_len = (n->flags & TERM_ANY_LEN) != 0;
  return set_kids(k, id, src, kid, n->nkid);
}

static bool need_args(patcompiler *k, const term *n, uint32_t want) {
  if (n->nkid == want && !(n->flags & (TERM_ANY_LEN | TERM_REPEAT | TERM_PERMUTED))) return true;
  return up_fail(k->err, n->line, n->col, "'%.*s' takes %u argument%s", (int)n->text.n, n->text.p,
                 want, want == 1 ? "" : "s");
}

static bool compile_any(patcompiler *k, const term *n, pat_id *out) {
  pat_id kid[PAT_MAX_KIDS];
  if (n->nkid < 2) return up_fail(k->err, n->line, n->col, "any() takes two patterns or more");
  if (!need_args(k, n, n->nkid)) return false;
  for (uint32_t i = 0; i < n->nkid; i++)
    if (!compile(k, term_kid(k->t, n, i), &kid[i])) return false;
  for (uint32_t i = 1; i < n->nkid; i++)
    if (bound_slots(k->b, kid[i]) != bound_slots(k->b, kid[0]))
      return up_fail(k->err, n->line, n->col, "the alternatives of any() must bind the same names");
  return add_pat(k, n, out) && set_kids(k, *out, SRC_ANY_OF, kid, n->nkid);
}

/* p, or a CAST of p. */
static bool compile_or_casted(patcompiler *k, const term *n, pat_id *out) {
  pat_id kid[2];
  if (!need_args(k, n, 1) || !compile(k, term_kid(k->t, n, 0), &kid[0])) return false;
  if (!add_pat(k, n, &kid[1])) return false;
  k->b->pat[kid[1]].ops = opset_of2(UP_CAST, UP_CAST);
  return set_kids(k, kid[1], SRC_ORDERED, kid, 1) && add_pat(k, n, out) &&
         set_kids(k, *out, SRC_ANY_OF, kid, 2);
}

static bool compile_where(patcompiler *k, const term *n, pat_id *out) {
  pat_id kid[3];
  return need_args(k, n, 3) && compile(k, term_kid(k->t, n, 0), &kid[0]) &&
         compile_operands(k, n, &k->t->kid[n->kid + 1], &kid[1]) &&
         alu(k, n, UP_WHERE, kid, 3, false, out);
}

/* min(a, b) is -max(-a, -b), as mathtraits have it. */
static bool compile_max(patcompiler *k, const term *n, bool is_min, pat_id *out) {
  pat_id a[2], m;
  if (!need_args(k, n, 2) || !compile_operands(k, n, &k->t->kid[n->kid], a)) return false;
  const term_id *kid = &k->t->kid[n->kid];
  bool one = same_object(k->t, term_at(k->t, kid[0]), term_at(k->t, kid[1]));
  if (!is_min) return alu(k, n, UP_MAX, a, 2, one, out);
  return negated(k, n, a[0], &a[0]) && negated(k, n, a[1], &a[1]) &&
         alu(k, n, UP_MAX, a, 2, false, &m) && negated(k, n, m, out);
}

static bool compile_op(patcompiler *k, const term *n, pat_id *out) {
  opset ops;
  if (!ruleset_of_ops(k->t, n, &ops, k->err) || !add_pat(k, n, out)) return false;
  k->b->pat[*out].ops = ops;
  return compile_args(k, n, *out);
}

static bool compile_call(patcompiler *k, const term *n, pat_id *out) {
  const token *h = &n->text;
  if (token_is(h, "max") || token_is(h, "min")) return compile_max(k, n, token_is(h, "min"), out);
  if (token_is(h, "where")) return compile_where(k, n, out);
  if (token_is(h, "any")) return compile_any(k, n, out);
  if (token_is(h, "or_casted")) return compile_or_casted(k, n, out);
  if (rule_is_op_name(h)) return compile_op(k, n, out);
  return up_fail(k->err, h->line, h->col, "unknown pattern function '%.*s'", (int)h->n, h->p);
}

static bool compile_name(patcompiler *k, const term *n, pat_id *out) {
  if (token_is(&n->text, "_")) return add_pat(k, n, out);
  if (rule_is_op_name(&n->text)) return compile_op(k, n, out);
  if (n->label.n) return up_fail(k->err, n->line, n->col, "a second name for one sub-pattern");
  return add_pat(k, n, out) && set_slot(k, *out, &n->text);
}

static bool compile_unary(patcompiler *k, const term *n, pat_id *out) {
  pat_id a;
  if (n->kind == TERM_NOT)
    return up_fail(k->err, n->line, n->col, "'not' belongs into the condition; '!' negates");
  if (!compile(k, term_kid(k->t, n, 0), &a)) return false;
  return n->kind == TERM_NEG ? negated(k, n, a, out) : logical_not(k, n, a, out);
}

static bool compile_kind(patcompiler *k, const term *n, pat_id *out) {
  switch ((term_kind)n->kind) {
  case TERM_NAME: return compile_name(k, n, out);
  case TERM_INT:
  case TERM_FLOAT:
  case TERM_BOOL: return compile_literal(k, n, out);
  case TERM_CALL: return compile_call(k, n, out);
  case TERM_SET: return compile_op(k, n, out);
  case TERM_NEG:
  case TERM_FLIP:
  case TERM_NOT: return compile_unary(k, n, out);
  case TERM_BIN: return compile_infix(k, n, out);
  case TERM_EXACT: return up_fail(k->err, n->line, n->col, "[...] belongs on the right side");
  case TERM_NATIVE: return up_fail(k->err, n->line, n->col, "native belongs on the right side");
  case TERM_IN: break;
  }
  return up_fail(k->err, n->line, n->col, "'in' belongs into the condition");
}

static bool compile(patcompiler *k, term_id id, pat_id *out) {
  const term *n = term_at(k->t, id);
  if (!compile_kind(k, n, out)) return false;
  if (n->flags & TERM_AT) {
    dtset dt;
    if (!ruleset_of_dtypes(&k->t->item[n->at], n->nat, (n->flags & TERM_AT_NOT) != 0, &dt, k->err))
      return false;
    k->b->pat[*out].dt = dt;
  }
  if (!n->label.n) return true;
  if (token_is(&n->label, "_"))
    return up_fail(k->err, n->label.line, n->label.col, "'_' names nothing");
  return set_slot(k, *out, &n->label);
}

bool pat_compile(patbook *b, const ruletree *t, term_id lhs, patnames *names, pat_id *out,
                 up_error *err) {
  patcompiler k = {.b = b, .t = t, .names = names, .err = err, .first = b->npat};
  *names = (patnames){0};
  if (!compile(&k, lhs, out)) return false;
  const term *n = term_at(t, lhs);
  if (pat_at(b, *out)->src == SRC_ANY_OF)
    return up_fail(err, n->line, n->col, "any() at the root: write one rule for each alternative");
  return true;
}

opset pat_needed(const patbook *b, pat_id id) {
  const pat *p = pat_at(b, id);
  opset need = {{0, 0}};
  if (p->src == SRC_REPEAT || p->src == SRC_FREE) return need;
  for (uint32_t i = 0; i < p->nkid; i++) {
    const pat *kid = pat_kid(b, p, i);
    if (opset_count(&kid->ops) != 1) continue;
    for (int w = 0; w < 2; w++) need.w[w] |= kid->ops.w[w];
  }
  return need;
}

bool pat_next_order(uint8_t *a, unsigned n) {
  unsigned i = n - 1;
  while (i > 0 && a[i - 1] >= a[i]) i--;
  if (i == 0) return false;
  unsigned j = n - 1;
  while (a[j] <= a[i - 1]) j--;
  uint8_t t = a[i - 1];
  a[i - 1] = a[j];
  a[j] = t;
  for (unsigned l = i, r = n - 1; l < r; l++, r--) {
    t = a[l];
    a[l] = a[r];
    a[r] = t;
  }
  return true;
}
