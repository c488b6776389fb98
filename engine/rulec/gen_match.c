/* Patterns -> nested tests. This is match.c with its loops unrolled: where that one goes on with a
 * goal, this one writes the code of the goal. */
#include "gen.h"

#include <string.h>

/* Match the sources of the node from number i on with the kids of p, then go on with `next`. */
typedef struct goal {
  const pat *p;
  const gen_name *at;
  uint32_t i;
  const uint8_t *order; /* kid of source i; NULL: kid i */
  const struct goal *next;
} goal;

typedef struct matcher {
  gen *g;
  int plain;
  bool ended; /* the last statement written returns whatever happens */
} matcher;

static void match_node(matcher *m, const pat *p, const gen_name *at, const goal *next);

/* ---- tests of one node ------------------------------------------------------------------ */

static const char *and_after(const up_buf *b) { return b->len ? " && " : ""; }

static void test_op(const pat *p, const char *at, up_buf *out) {
  opset all = opset_all();
  if (opset_subset(&all, &p->ops)) return;
  const char *and = and_after(out);
  if (opset_count(&p->ops) > 2) {
    up_buf_printf(out, "%srx_op_in(c, %s, UINT64_C(0x%llx), UINT64_C(0x%llx))", and, at,
                  (unsigned long long)p->ops.w[0], (unsigned long long)p->ops.w[1]);
    return;
  }
  bool two = opset_count(&p->ops) == 2;
  up_buf_printf(out, "%s%s", and, two ? "(" : "");
  const char * or = "";
  for (int k = 0; k < UP_OP_COUNT; k++) {
    if (!opset_has(&p->ops, (up_op)k)) continue;
    up_buf_printf(out, "%snode_op(c, %s) == UP_%s", or, at, up_op_name((up_op)k));
    or = " || ";
  }
  if (two) up_buf_puts(out, ")");
}

static void test_dtype(const pat *p, const char *at, up_buf *out) {
  if (p->dt.mask == 0 && p->dt.negated) return;
  up_buf_printf(out, "%srx_dtype_%s(c, %s, 0x%x)", and_after(out), p->dt.negated ? "not_in" : "in",
                at, p->dt.mask);
}

static void test_length(const pat *p, const char *at, up_buf *out) {
  if (p->src != SRC_ORDERED && p->src != SRC_PERMUTED) return;
  if (p->any_len && p->nkid == 0) return;
  up_buf_printf(out, "%srx_nsrc(c, %s) %s %u", and_after(out), at,
                p->any_len ? ">=" : "==", p->nkid);
}

static void test_value(const pat *p, const char *at, up_buf *out) {
  if (!p->has_value) return;
  if (p->value.is_float)
    up_buf_printf(out, "%srx_is_float(c, %s, %a)", and_after(out), at, p->value.f);
  else
    up_buf_printf(out, "%srx_is_int(c, %s, INT64_C(%lld))", and_after(out), at,
                  (long long)p->value.i.lo);
}

static void tests_of(const pat *p, const char *at, bool root, up_buf *out) {
  if (!root) test_op(p, at, out);
  test_length(p, at, out);
  test_dtype(p, at, out);
  test_value(p, at, out);
}

/* A name that is bound already must be this node. */
static void test_slot(const gen *g, const pat *p, const char *at, up_buf *out) {
  if (p->slot < 0 || g->slot[p->slot].s[0] == 0) return;
  const char *bound = g->slot[p->slot].s;
  if ((g->maybe_none >> p->slot) & 1)
    up_buf_printf(out, "%s(up_is_none(%s) || up_same(%s, %s))", and_after(out), bound, bound, at);
  else
    up_buf_printf(out, "%sup_same(%s, %s)", and_after(out), at, bound);
}

static bool is_wildcard(const pat *p) {
  opset all = opset_all();
  return opset_subset(&all, &p->ops) && p->dt.mask == 0 && p->dt.negated && p->slot < 0 &&
         p->src == SRC_FREE && !p->has_value;
}

/* ---- sources ---------------------------------------------------------------------------- */

static gen_name source_name(const gen_name *at, uint32_t i) {
  gen_name s;
  size_t n = strlen(at->s);
  assert(i < 16 && n + 2 < GEN_NAME);
  memcpy(s.s, at->s, n);
  s.s[n] = "0123456789abcdef"[i];
  s.s[n + 1] = 0;
  return s;
}

/* Every name is bound: what the rule does. */
static void leaf(matcher *m) {
  gen *g = m->g;
  bool bound = g->r->kind == UP_RULE_BOUND;
  bool may_decline = m->plain < 0 || ((g->maybe_none >> m->plain) & 1);
  m->ended = !may_decline;
  if (m->plain >= 0) {
    const char *s = g->slot[m->plain].s;
    if (may_decline) gen_line(g, "if (!up_is_none(%s)) return %s;", s, s);
    if (!may_decline) gen_line(g, "return %s;", s);
    return;
  }
  up_buf args = {0};
  if (bound) up_buf_puts(&args, ", out");
  if (g->uses_root) up_buf_puts(&args, ", n");
  for (uint32_t s = 0; s < g->r->names.n; s++)
    if ((g->used >> s) & 1) up_buf_printf(&args, ", %s", g->slot[s].s);
  if (g->quick) {
    gen_line(g, "q = quickly_%s(c%s);", g->r->name, args.p ? args.p : "");
    gen_line(g, "if (q != 0) return q;");
  } else if (bound) {
    gen_line(g, "if (do_%s(c%s)) return true;", g->r->name, args.p ? args.p : "");
  } else {
    gen_line(g, "r = do_%s(c%s);", g->r->name, args.p ? args.p : "");
    gen_line(g, "if (rx_applied(c, r)) return r;");
  }
  up_buf_free(&args);
}

static void run(matcher *m, const goal *g) {
  while (g && g->i == g->p->nkid) g = g->next;
  if (!g) {
    leaf(m);
    return;
  }
  goal rest = *g;
  rest.i++;
  gen_name s = source_name(g->at, g->i);
  const gen *out = m->g;
  match_node(m, pat_kid(&out->b->pats, g->p, g->order ? g->order[g->i] : g->i), &s, &rest);
}

/* The sources get names as far as the tests of them, written first, mention them. */
static void match_kids(matcher *m, const pat *p, const gen_name *at, const goal *next) {
  gen *g = m->g;
  up_buf *outer = g->out, inner = {0};
  uint8_t order[PAT_MAX_KIDS];
  for (uint8_t i = 0; i < PAT_MAX_KIDS; i++) order[i] = i;
  g->out = &inner;
  do {
    goal first = {p, at, 0, order, next};
    run(m, &first);
  } while (p->src == SRC_PERMUTED && p->nkid > 1 && pat_next_order(order, p->nkid));
  g->out = outer;
  for (uint32_t i = 0; i < p->nkid; i++) {
    gen_name s = source_name(at, i);
    if (gen_mentions(&inner, s.s))
      gen_line(g, "const up_node %s = node_src(c, %s, %u);", s.s, at->s, i);
  }
  if (inner.p) up_buf_put(outer, inner.p, inner.len);
  outer->no_memory |= inner.no_memory;
  up_buf_free(&inner);
}

/* ---- repeated patterns ------------------------------------------------------------------ */

/* Slots that the pattern binds. */
static uint32_t slots_of(const patbook *b, const pat *p) {
  uint32_t mask = p->slot >= 0 ? UINT32_C(1) << p->slot : 0;
  for (uint32_t i = 0; i < p->nkid; i++) mask |= slots_of(b, pat_kid(b, p, i));
  return mask;
}

/* One source inside of the loop: `break` where it does not fit. Such a pattern has no choice. */
static void repeat_node(matcher *m, const pat *p, const gen_name *at) {
  gen *g = m->g;
  up_buf tests = {0};
  tests_of(p, at->s, false, &tests);
  test_slot(g, p, at->s, &tests);
  if (tests.len) gen_line(g, "if (!(%s)) break;", tests.p);
  up_buf_free(&tests);
  if (p->slot >= 0 && ((g->maybe_none >> p->slot) & 1))
    gen_line(g, "%s = %s;", g->slot[p->slot].s, at->s);
  if (p->src == SRC_REPEAT) {
    gen_name i, s;
    snprintf(i.s, sizeof i.s, "i%u", g->numbered++);
    snprintf(s.s, sizeof s.s, "s%u", g->numbered++);
    gen_line(g, "uint32_t %s = 0;", i.s);
    gen_line(g, "for (; %s < rx_nsrc(c, %s); %s++) {", i.s, at->s, i.s);
    gen_open(g);
    gen_line(g, "const up_node %s = node_src(c, %s, %s);", s.s, at->s, i.s);
    repeat_node(m, pat_kid(&g->b->pats, p, 0), &s);
    gen_close(g);
    gen_line(g, "if (%s < rx_nsrc(c, %s)) break;", i.s, at->s);
    return;
  }
  assert(p->src == SRC_FREE || p->src == SRC_ORDERED);
  for (uint32_t i = 0; p->src == SRC_ORDERED && i < p->nkid; i++) {
    const pat *kid = pat_kid(&g->b->pats, p, i);
    if (is_wildcard(kid)) continue;
    gen_name s = source_name(at, i);
    gen_line(g, "const up_node %s = node_src(c, %s, %u);", s.s, at->s, i);
    repeat_node(m, kid, &s);
  }
}

/* Names that are new in the loop are variables in front of it, none until a source binds them. */
static uint32_t declare_repeated(gen *g, uint32_t mask) {
  uint32_t fresh = 0;
  for (uint32_t s = 0; s < PAT_MAX_SLOTS; s++) {
    if (!((mask >> s) & 1) || g->slot[s].s[0]) continue;
    snprintf(g->slot[s].s, sizeof g->slot[s].s, "r%u", g->numbered++);
    gen_line(g, "up_node %s = UP_NONE;", g->slot[s].s);
    fresh |= UINT32_C(1) << s;
  }
  g->maybe_none |= fresh;
  return fresh;
}

static void match_repeat(matcher *m, const pat *p, const gen_name *at, const goal *next) {
  gen *g = m->g;
  const pat *kid = pat_kid(&g->b->pats, p, 0);
  gen_name i, s;
  if (is_wildcard(kid)) {
    run(m, next);
    return;
  }
  uint32_t before = g->maybe_none, fresh = declare_repeated(g, slots_of(&g->b->pats, kid));
  snprintf(i.s, sizeof i.s, "i%u", g->numbered++);
  snprintf(s.s, sizeof s.s, "s%u", g->numbered++);
  gen_line(g, "uint32_t %s = 0;", i.s);
  gen_line(g, "for (; %s < rx_nsrc(c, %s); %s++) {", i.s, at->s, i.s);
  gen_open(g);
  gen_line(g, "const up_node %s = node_src(c, %s, %s);", s.s, at->s, i.s);
  repeat_node(m, kid, &s);
  gen_close(g);
  gen_line(g, "if (%s == rx_nsrc(c, %s)) {", i.s, at->s);
  gen_open(g);
  run(m, next);
  gen_close(g);
  m->ended = false;
  for (uint32_t k = 0; k < PAT_MAX_SLOTS; k++)
    if ((fresh >> k) & 1) g->slot[k].s[0] = 0;
  g->maybe_none = before;
}

/* ---- nodes ------------------------------------------------------------------------------ */

static void match_sources(matcher *m, const pat *p, const gen_name *at, const goal *next) {
  switch ((pat_src)p->src) {
  case SRC_FREE: run(m, next); break;
  case SRC_ORDERED:
  case SRC_PERMUTED: match_kids(m, p, at, next); break;
  case SRC_REPEAT: match_repeat(m, p, at, next); break;
  case SRC_ANY_OF:
    for (uint32_t i = 0; i < p->nkid; i++) match_node(m, pat_kid(&m->g->b->pats, p, i), at, next);
  }
}

static void match_node(matcher *m, const pat *p, const gen_name *at, const goal *next) {
  gen *g = m->g;
  up_buf tests = {0};
  uint32_t maybe_none = g->maybe_none;
  tests_of(p, at->s, strcmp(at->s, "n") == 0, &tests);
  test_slot(g, p, at->s, &tests);
  bool tested = tests.len > 0;
  if (tested) {
    gen_line(g, "if (%s) {", tests.p);
    gen_open(g);
  }
  gen_name old = {""};
  if (p->slot >= 0) {
    old = g->slot[p->slot];
    g->slot[p->slot] = *at;
    g->maybe_none &= ~(UINT32_C(1) << p->slot);
  }
  match_sources(m, p, at, next);
  if (p->slot >= 0) g->slot[p->slot] = old;
  g->maybe_none = maybe_none;
  if (tested) {
    gen_close(g);
    m->ended = false;
  }
  up_buf_free(&tests);
}

void gen_matcher(gen *g, int plain) {
  matcher m = {.g = g, .plain = plain};
  up_buf *file = g->out, body = {0};
  static const gen_name root = {"n"};
  for (uint32_t s = 0; s < PAT_MAX_SLOTS; s++) g->slot[s].s[0] = 0;
  g->maybe_none = 0;
  g->out = &body;
  g->indent = 1;
  match_node(&m, pat_at(&g->b->pats, g->r->pat), &root, NULL);
  g->out = file;
  g->indent = 0;
  bool bound = g->r->kind == UP_RULE_BOUND;
  if (g->quick)
    gen_line(g, "static int quick_%s(const up_ctx *c, up_node n, bound_small *out) {", g->r->name);
  else if (bound)
    gen_line(g, "static bool rule_%s(up_ctx *c, up_node n, up_bounds *out) {", g->r->name);
  else
    gen_line(g, "static up_node rule_%s(up_ctx *c, up_node n) {", g->r->name);
  gen_open(g);
  if (gen_mentions(&body, "r")) gen_line(g, "up_node r;");
  if (g->quick) gen_line(g, "int q;");
  if (!gen_mentions(&body, "c")) gen_line(g, "(void)c;");
  if (!gen_mentions(&body, "n")) gen_line(g, "(void)n;");
  if (body.p) up_buf_put(file, body.p, body.len);
  file->no_memory |= body.no_memory;
  up_buf_free(&body);
  if (!m.ended) gen_line(g, g->quick ? "return 0;" : bound ? "return false;" : "return UP_NONE;");
  gen_close(g);
  gen_line(g, "%s", "");
}
