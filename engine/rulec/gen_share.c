/* Values that a bounds rule uses several times are computed once. */
#include "gen.h"

#include <string.h>

static bool same_expr(const exprbook *x, expr_id i, expr_id k) {
  const expr *a = expr_at(x, i), *b = expr_at(x, k);
  if (i == k) return true;
  if (a->op != b->op || a->a != b->a || a->b != b->b) return false;
  if (a->op == EX_INT) return a->ival == b->ival;
  if (expr_kids(a) == 0) return a->op == EX_VMIN || a->op == EX_VMAX;
  for (unsigned n = 0; n < expr_kids(a); n++)
    if (!same_expr(x, a->kid[n], b->kid[n])) return false;
  return true;
}

const char *gen_known_as(const gen *g, expr_id id) {
  for (unsigned i = 0; i < g->nknown; i++)
    if (same_expr(&g->b->exprs, g->known[i].expr, id)) return g->known[i].name.s;
  return NULL;
}

/* Arithmetic that is done in any case and can meet nothing but the limit of bits: then it does not
 * matter what is computed first. */
static bool is_plain(const exprbook *x, expr_id id) {
  const expr *e = expr_at(x, id);
  switch ((ex_op)e->op) {
  case EX_INT:
  case EX_VMIN:
  case EX_VMAX: return true;
  case EX_NEG: return is_plain(x, e->kid[0]);
  case EX_ADD:
  case EX_SUB:
  case EX_MUL:
  case EX_MIN:
  case EX_MAX: return is_plain(x, e->kid[0]) && is_plain(x, e->kid[1]);
  default: return false;
  }
}

static unsigned count_in(const exprbook *x, expr_id in, expr_id id) {
  const expr *e = expr_at(x, in);
  if (same_expr(x, in, id)) return 1;
  unsigned n = 0;
  for (unsigned i = 0; i < expr_kids(e); i++) n += count_in(x, e->kid[i], id);
  return n;
}

static void keep(gen *g, expr_id id, const gen_name *name) {
  up_buf code = {0};
  gen_value(g, id, &code);
  gen_line(g, "const %s %s = %s;", g->quick ? "int64_t" : "up_val", name->s, code.p ? code.p : "");
  up_buf_free(&code);
  g->known[g->nknown].expr = id;
  g->known[g->nknown++].name = *name;
}

/* Both bounds of a node at once; where they are not known the long way is asked. */
static void look_at_bounds(gen *g, expr_id id, const gen_name *name) {
  const expr *e = expr_at(&g->b->exprs, id);
  const char *at = g->slot[e->a].s;
  bool first = true;
  for (unsigned i = 0; i < g->nknown; i++)
    first = first && expr_at(&g->b->exprs, g->known[i].expr)->a != e->a;
  if (first) {
    gen_line(g, "const bound_small *of_%s = node_bound_small(c, %s);", at, at);
    gen_line(g, "if (!of_%s) return -1;", at);
  }
  gen_line(g, "const int64_t %s = of_%s->%s;", name->s, at, e->op == EX_VMIN ? "lo" : "hi");
  g->known[g->nknown].expr = id;
  g->known[g->nknown++].name = *name;
}

/* vmin(x) and vmax(x), wherever they stand: they are known and cost nothing to look at. */
static void share_bounds(gen *g, expr_id id) {
  const expr *e = expr_at(&g->b->exprs, id);
  gen_name name;
  for (unsigned i = 0; i < expr_kids(e); i++) share_bounds(g, e->kid[i]);
  if ((e->op != EX_VMIN && e->op != EX_VMAX) || g->nknown == GEN_MAX_KNOWN) return;
  if (gen_known_as(g, id)) return;
  const token *t = &g->r->names.name[e->a];
  int length = (int)(t->n < 60 ? t->n : 60);
  snprintf(name.s, sizeof name.s, "%s_%.*s", e->op == EX_VMIN ? "min" : "max", length, t->p);
  if (g->quick)
    look_at_bounds(g, id, &name);
  else
    keep(g, id, &name);
}

static void share_arithmetic(gen *g, expr_id id, const expr_id *side, unsigned n) {
  const exprbook *x = &g->b->exprs;
  const expr *e = expr_at(x, id);
  unsigned uses = 0;
  gen_name name;
  for (unsigned i = 0; i < expr_kids(e); i++) share_arithmetic(g, e->kid[i], side, n);
  if (expr_kids(e) == 0 || g->nknown == GEN_MAX_KNOWN || gen_known_as(g, id)) return;
  for (unsigned i = 0; i < n; i++) uses += count_in(x, side[i], id);
  if (uses < 2) return;
  snprintf(name.s, sizeof name.s, "t%u", g->numbered++);
  keep(g, id, &name);
}

void gen_share(gen *g, const expr_id *side, unsigned n) {
  bool plain = true;
  for (unsigned i = 0; i < n; i++) {
    share_bounds(g, side[i]);
    plain = plain && is_plain(&g->b->exprs, side[i]);
  }
  for (unsigned i = 0; i < n && plain; i++) share_arithmetic(g, side[i], side, n);
}
