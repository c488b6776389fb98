/* Conditions and right sides -> do_NAME. */
#include "gen.h"

#include <string.h>

/* How the bound nodes are called as parameters. */
static void name_slots(gen *g) {
  for (uint32_t s = 0; s < PAT_MAX_SLOTS; s++) {
    const token *t = &g->r->names.name[s];
    if (s < g->r->names.n)
      snprintf(g->slot[s].s, GEN_NAME, "v_%.*s", (int)(t->n < 70 ? t->n : 70), t->p);
    else
      g->slot[s].s[0] = 0;
  }
}

static void use_slot(gen *g, int s) { g->used |= UINT32_C(1) << s; }

/* ---- constants -------------------------------------------------------------------------- */

static void put_dtype(gen *g, const build *v, const char *like, up_buf *out) {
  if (v->dtype_from == DTYPE_FIXED) {
    char word[32];
    up_dt_print(v->dtype, word);
    up_buf_printf(out, "%u /* %s */", v->dtype, word);
    return;
  }
  if (v->dtype_from == DTYPE_SLOT) {
    use_slot(g, v->dtype_slot);
    like = g->slot[v->dtype_slot].s;
  } else if (strcmp(like, "n") == 0) {
    g->uses_root = true;
  }
  up_buf_printf(out, "rx_dtype(c, %s)", like);
}

static bool may_be_vector(const gen *g, uint32_t values) {
  for (uint32_t s = 0; s < g->r->names.n; s++)
    if (((values >> s) & 1) && patnames_may_be_vconst(&g->r->names, (int)s)) return true;
  return false;
}

/* The function of one lane, over an array of bound nodes: first those whose values are taken. */
static unsigned lane_function(gen *g, const build *v, unsigned number, up_buf *array) {
  uint32_t all = gen_expr_slots(&g->b->exprs, v->expr);
  gen_name saved[PAT_MAX_SLOTS];
  unsigned at = 0, nvalue = 0;
  up_buf body = {0};
  memcpy(saved, g->slot, sizeof saved);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t s = 0; s < g->r->names.n; s++) {
      if (!((all >> s) & 1) || ((v->values >> s) & 1) == (unsigned)pass) continue;
      up_buf_printf(array, "%s%s", at ? ", " : "", saved[s].s);
      snprintf(g->slot[s].s, GEN_NAME, "v[%u]", at++);
    }
    if (pass == 0) nvalue = at;
  }
  g->lane = true;
  gen_value(g, v->expr, &body);
  g->lane = false;
  memcpy(g->slot, saved, sizeof saved);
  up_buf_printf(&g->before, "static up_val lane_%s_%u(evaluation *e, const up_node *v) {\n",
                g->r->name, number);
  up_buf_printf(&g->before, "  return %s;\n}\n\n", body.p ? body.p : "");
  up_buf_free(&body);
  return nvalue;
}

static void put_const(gen *g, const build *v, const char *like, up_buf *out) {
  g->used |= gen_expr_slots(&g->b->exprs, v->expr);
  if (!may_be_vector(g, v->values)) {
    up_buf_puts(out, "rx_number(&e, ");
    put_dtype(g, v, like, out);
    up_buf_puts(out, ", ");
    gen_value(g, v->expr, out);
    up_buf_puts(out, ")");
    return;
  }
  unsigned number = g->numbered++;
  up_buf array = {0};
  unsigned nvalue = lane_function(g, v, number, &array);
  up_buf_puts(out, "rx_const(&e, ");
  put_dtype(g, v, like, out);
  up_buf_printf(out, ", lane_%s_%u, (const up_node[]){%s}, %u)", g->r->name, number, array.p,
                nvalue);
  up_buf_free(&array);
}

/* ---- nodes ------------------------------------------------------------------------------ */

static void put_node(gen *g, build_id id, const char *like, up_buf *out);

/* The kid as a name that can be mentioned twice: a bound node, or a variable. */
static gen_name named(gen *g, build_id id, const char *like) {
  const build *v = build_at(&g->b->builds, id);
  gen_name name;
  if (v->kind == BUILD_SLOT) {
    use_slot(g, v->slot);
    return g->slot[v->slot];
  }
  up_buf code = {0};
  put_node(g, id, like, &code);
  snprintf(name.s, sizeof name.s, "b%u", g->numbered++);
  gen_line(g, "const up_node %s = %s;", name.s, code.p ? code.p : "");
  gen_line(g, "if (up_is_none(%s)) return UP_NONE;", name.s);
  up_buf_free(&code);
  return name;
}

static void put_kids(const gen_name *kid, uint32_t n, up_buf *out) {
  for (uint32_t i = 0; i < n; i++) up_buf_printf(out, "%s%s", i ? ", " : "", kid[i].s);
}

/* FN(c, OP, a, b), or build_alu with an array for the ops of three sources. */
static void put_alu(const char *op, const gen_name *kid, uint32_t n, up_buf *out) {
  if (n <= 2) {
    up_buf_printf(out, "up_%s(c, %s, ", n == 1 ? "unary" : "binary", op);
    put_kids(kid, n, out);
    up_buf_puts(out, ")");
    return;
  }
  up_buf_printf(out, "build_alu(c, %s, (const up_node[]){", op);
  put_kids(kid, n, out);
  up_buf_printf(out, "}, %u)", n);
}

static void put_array(const gen_name *kid, uint32_t n, up_buf *out) {
  if (n == 0) {
    up_buf_puts(out, "NULL, 0");
    return;
  }
  up_buf_puts(out, "(const up_node[]){");
  put_kids(kid, n, out);
  up_buf_printf(out, "}, %u", n);
}

static void put_made(gen *g, const build *v, const gen_name *kid, const char *like, up_buf *out) {
  char op[64];
  switch ((build_kind)v->kind) {
  case BUILD_ALU:
    snprintf(op, sizeof op, "UP_%s", up_op_name((up_op)v->op));
    put_alu(op, kid, v->nkid, out);
    break;
  case BUILD_LIKE:
    use_slot(g, v->slot);
    up_buf_printf(out, "build_alu(c, node_op(c, %s), ", g->slot[v->slot].s);
    put_array(kid, v->nkid, out);
    up_buf_puts(out, ")");
    break;
  case BUILD_NEW:
    up_buf_printf(out, "up_new(c, UP_%s, ", up_op_name((up_op)v->op));
    put_dtype(g, v, like, out);
    up_buf_puts(out, ", ");
    put_array(kid, v->nkid, out);
    up_buf_puts(out, ", up_arg_none())");
    break;
  case BUILD_WITH:
    use_slot(g, v->slot);
    up_buf_printf(out, "up_replace_src(c, %s, ", g->slot[v->slot].s);
    put_array(kid, v->nkid, out);
    up_buf_puts(out, ")");
    break;
  case BUILD_NEG: up_buf_printf(out, "up_neg(c, %s)", kid[0].s); break;
  case BUILD_FLIP: up_buf_printf(out, "up_not(c, %s)", kid[0].s); break;
  default:
    assert(v->kind == BUILD_NATIVE);
    up_buf_printf(out, "%s(c, ", v->native->symbol);
    put_array(kid, v->nkid, out);
    up_buf_puts(out, ")");
  }
}

/* The C expression that makes the node, its kids in statements before it: first the one that gives
 * its dtype to the constants, then the others, as buildrun.c has it. */
static void put_node(gen *g, build_id id, const char *like, up_buf *out) {
  const build *v = build_at(&g->b->builds, id);
  gen_name kid[PAT_MAX_KIDS];
  if (v->kind == BUILD_SLOT) {
    use_slot(g, v->slot);
    up_buf_puts(out, g->slot[v->slot].s);
    return;
  }
  if (v->kind == BUILD_CONST) {
    put_const(g, v, like, out);
    return;
  }
  if (v->nkid) kid[v->like] = named(g, g->b->builds.kid[v->kid + v->like], like);
  for (uint32_t i = 0; i < v->nkid; i++)
    if (i != v->like) kid[i] = named(g, g->b->builds.kid[v->kid + i], kid[v->like].s);
  put_made(g, v, kid, like, out);
}

/* ---- the function ----------------------------------------------------------------------- */

/* ", PREFIX NAME" for each slot that the condition looks at. */
static void put_slots_of_condition(gen *g, const char *prefix, up_buf *out) {
  uint32_t used = gen_expr_slots(&g->b->exprs, g->r->when);
  for (uint32_t s = 0; s < g->r->names.n; s++)
    if ((used >> s) & 1) up_buf_printf(out, ", %s%s", prefix, g->slot[s].s);
}

/* The general condition, out of the way of the quick one. */
static void put_general_condition(gen *g, const char *general) {
  up_buf *body = g->out, args = {0};
  unsigned indent = g->indent;
  put_slots_of_condition(g, "up_node ", &args);
  g->out = &g->before;
  g->indent = 0;
  gen_line(g, "static RX_SELDOM bool holds_%s(up_ctx *c%s) {", g->r->name, args.p ? args.p : "");
  gen_open(g);
  gen_line(g, "evaluation e = rx_begin(c);");
  gen_line(g, "return (%s) && rx_fine(&e);", general);
  gen_close(g);
  gen_line(g, "%s", "");
  g->out = body;
  g->indent = indent;
  up_buf_free(&args);
}

/* The condition of a rewrite rule on values of 64 bits, in front of the general one. */
static void put_quick_condition(gen *g, const char *general) {
  up_buf code = {0}, args = {0};
  put_general_condition(g, general);
  put_slots_of_condition(g, "", &args);
  g->quick = g->asks = true;
  gen_condition(g, g->r->when, &code);
  g->quick = g->asks = false;
  gen_line(g, "bool bad = false;");
  gen_line(g, "const bool holds = %s;", code.p ? code.p : "");
  gen_line(g, "if (bad ? !holds_%s(c%s) : !holds) return UP_NONE;", g->r->name,
           args.p ? args.p : "");
  up_buf_free(&args);
  up_buf_free(&code);
}

static bool has_quick_condition(const gen *g) {
  const rule *r = g->r;
  return r->when != EXPR_NIL && r->reads_bounds && gen_can_be_quick(&g->b->exprs, r->when);
}

static void put_condition(gen *g, bool bound) {
  const rule *r = g->r;
  if (r->when == EXPR_NIL) return;
  up_buf code = {0};
  g->used |= gen_expr_slots(&g->b->exprs, r->when);
  gen_condition(g, r->when, &code);
  const char *text = code.p ? code.p : "";
  if (g->quick)
    gen_line(g, "if (!(%s)) return bad ? -1 : 0;", text);
  else if (bound)
    gen_line(g, "if (!%s%s%s) return !ctx_ok(c);", *text == '(' ? "" : "(", text,
             *text == '(' ? "" : ")");
  else if (has_quick_condition(g))
    put_quick_condition(g, text);
  else
    gen_line(g, "if (!(%s)%s) return UP_NONE;", text,
             !gen_expr_may_end(g, r->when) ? ""
             : gen_mentions(&code, "e")    ? " || !rx_fine(&e)"
                                           : " || !ctx_ok(c)");
  up_buf_free(&code);
}

static void put_bounds(gen *g) {
  const expr_id side[2] = {g->r->lo, g->r->hi};
  for (int i = 0; i < 2; i++) g->used |= gen_expr_slots(&g->b->exprs, side[i]);
  if (g->r->when != EXPR_NIL) gen_share(g, &g->r->when, 1);
  put_condition(g, true);
  gen_share(g, side, 2);
  for (int i = 0; i < 2; i++) {
    up_buf code = {0};
    gen_value(g, side[i], &code);
    gen_line(g, "const %s %s = %s;", g->quick ? "int64_t" : "up_val", i ? "hi" : "lo",
             code.p ? code.p : "");
    up_buf_free(&code);
  }
  if (g->quick) {
    gen_line(g, "if (bad) return -1;");
    gen_line(g, "*out = (bound_small){lo, hi};");
    gen_line(g, "return 1;");
    return;
  }
  gen_line(g, "if (e.failed) return !ctx_ok(c);");
  gen_line(g, "*out = (up_bounds){lo, hi};");
  gen_line(g, "return true;");
}

/* Behind a condition that does without it, the evaluation begins where the condition holds. */
static void put_right_side(gen *g) {
  up_buf *body = g->out, side = {0}, code = {0};
  g->out = &side;
  put_node(g, g->r->rhs, "n", &code);
  gen_line(g, "return %s;", code.p ? code.p : "");
  g->out = body;
  if (gen_mentions(&side, "e") && !gen_mentions(body, "e"))
    gen_line(g, "evaluation e = rx_begin(c);");
  if (side.p) up_buf_put(body, side.p, side.len);
  body->no_memory |= side.no_memory || code.no_memory;
  up_buf_free(&side);
  up_buf_free(&code);
}

static void put_head(gen *g, const char *what, bool bound, const up_buf *body) {
  bool apart = strcmp(what, "make") == 0;
  up_buf args = {0};
  if (bound) up_buf_printf(&args, ", %s *out", g->quick ? "bound_small" : "up_bounds");
  if (g->uses_root) up_buf_puts(&args, ", up_node n");
  for (uint32_t s = 0; s < g->r->names.n; s++)
    if ((g->used >> s) & 1) up_buf_printf(&args, ", up_node %s", g->slot[s].s);
  if (g->quick)
    gen_line(g, "static int quickly_%s(const up_ctx *c%s) {", g->r->name, args.p ? args.p : "");
  else
    gen_line(g, "static %s%s %s_%s(up_ctx *c%s) {", apart ? "RX_APART " : "",
             bound ? "bool" : "up_node", what, g->r->name, args.p ? args.p : "");
  gen_open(g);
  if (g->quick) gen_line(g, "bool bad = false;");
  if (g->quick && !gen_mentions(body, "c")) gen_line(g, "(void)c;");
  bool begun = gen_mentions(body, "evaluation");
  if (gen_mentions(body, "e") && !begun) gen_line(g, "evaluation e = rx_begin(c);");
  if (!bound && !gen_mentions(body, "e") && !gen_mentions(body, "c")) gen_line(g, "(void)c;");
  up_buf_free(&args);
}

/* A right side that is seldom reached is a function of its own, so that asking for the bounds needs no
 * frame for it: make_NAME in front of do_NAME. */
static void put_right_side_apart(gen *g) {
  up_buf *body = g->out, side = {0}, args = {0}, unused = {0};
  unsigned indent = g->indent;
  g->out = &side;
  put_right_side(g);
  if (g->uses_root) up_buf_puts(&args, ", n");
  for (uint32_t s = 0; s < g->r->names.n; s++) {
    if (!((g->used >> s) & 1)) continue;
    up_buf_printf(&args, ", %s", g->slot[s].s);
    if (!gen_mentions(&side, g->slot[s].s)) up_buf_printf(&unused, "  (void)%s;\n", g->slot[s].s);
  }
  g->out = &g->before;
  g->indent = 0;
  put_head(g, "make", false, &side);
  if (unused.p) up_buf_puts(&g->before, unused.p);
  if (side.p) up_buf_put(&g->before, side.p, side.len);
  gen_close(g);
  gen_line(g, "%s", "");
  g->out = body;
  g->indent = indent;
  gen_line(g, "return make_%s(c%s);", g->r->name, args.p ? args.p : "");
  body->no_memory |= side.no_memory || args.no_memory || unused.no_memory;
  up_buf_free(&side);
  up_buf_free(&args);
  up_buf_free(&unused);
}

bool gen_action(gen *g, int *plain) {
  const rule *r = g->r;
  bool bound = r->kind == UP_RULE_BOUND;
  *plain = -1;
  if (!bound && r->when == EXPR_NIL && build_at(&g->b->builds, r->rhs)->kind == BUILD_SLOT)
    *plain = build_at(&g->b->builds, r->rhs)->slot;
  name_slots(g);
  g->used = 0;
  g->uses_root = false;
  g->numbered = g->nknown = 0;
  if (*plain >= 0) return false;
  up_buf *file = g->out, body = {0};
  g->out = &body;
  g->indent = 1;
  if (bound) {
    put_bounds(g);
  } else {
    put_condition(g, false);
    if (has_quick_condition(g))
      put_right_side_apart(g);
    else
      put_right_side(g);
  }
  g->out = file;
  g->indent = 0;
  if (g->before.p) up_buf_put(file, g->before.p, g->before.len);
  up_buf_free(&g->before);
  put_head(g, "do", bound, &body);
  if (body.p) up_buf_put(file, body.p, body.len);
  file->no_memory |= body.no_memory;
  up_buf_free(&body);
  gen_close(g);
  gen_line(g, "%s", "");
  return true;
}
