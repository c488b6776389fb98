/* A rule file -> a C file: its rules, one function for each list of rules that some set has for
 * some op, and the tables that lead to them. */
#include "gen.h"
#include "engine/compiled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void gen_symbol(const char *file, gen_name *out) {
  const char *end = strstr(file, ".rules");
  size_t n = end ? (size_t)(end - file) : strlen(file), at = 0;
  for (size_t i = 0; i < n && at + 1 < GEN_NAME; i++)
    out->s[at++] = isalnum((unsigned char)file[i]) ? file[i] : '_';
  out->s[at] = 0;
}

/* ---- rules ------------------------------------------------------------------------------ */

/* The rule as written, as a comment. */
static void put_comment(gen *g) {
  up_buf text = {0};
  for (const char *p = g->r->text; *p; p++) {
    up_buf_put(&text, p, 1);
    if (p[0] == '*' && p[1] == '/') up_buf_puts(&text, " "); /* would end the comment */
  }
  gen_line(g, "/* %s:%u", g->r->file, g->r->line);
  g->indent = 1;
  gen_line(g, "%s */", text.p ? text.p : "");
  g->indent = 0;
  up_buf_free(&text);
}

static bool is_quick(const rulebook *b, const rule *r) {
  return r->kind == UP_RULE_BOUND &&
         (r->when == EXPR_NIL || gen_can_be_quick(&b->exprs, r->when)) &&
         gen_can_be_quick(&b->exprs, r->lo) && gen_can_be_quick(&b->exprs, r->hi);
}

/* Is there an op whose rules are all quick up to this one? Quick code ends at the first that is not. */
static bool quick_is_called(const rulebook *b, const rule *r) {
  for (unsigned op = 0; op < UP_OP_COUNT; op++) {
    for (uint32_t i = b->bounds.start[op]; i < b->bounds.start[op + 1]; i++) {
      const rule *at = &b->rule[b->bounds.by_op[i]];
      if (!is_quick(b, at)) break;
      if (at == r) return true;
    }
  }
  return false;
}

static void put_rule(const rulebook *b, const rule *r, up_buf *out) {
  gen g = {.b = b, .r = r, .out = out};
  int plain;
  put_comment(&g);
  gen_action(&g, &plain);
  g.numbered = 0;
  gen_matcher(&g, plain);
  if (!quick_is_called(b, r)) return;
  g.quick = true;
  gen_action(&g, &plain);
  g.numbered = 0;
  gen_matcher(&g, plain);
}

/* ---- lists of rules --------------------------------------------------------------------- */

/* The rules of one set for one op. Equal lists share a function: `same` is the first. */
typedef struct list {
  const uint32_t *rule;
  uint32_t n;
  uint32_t same;
  const char *set;
  up_op op;
} list;

typedef struct lists {
  list *p; /* UP_OP_COUNT a set, the bounds behind them */
  uint32_t n;
} lists;

static bool equal_lists(const list *a, const list *b) {
  return a->n == b->n && memcmp(a->rule, b->rule, a->n * sizeof *a->rule) == 0;
}

static bool collect(const rulebook *b, lists *l) {
  l->p = calloc((size_t)(b->nset + 1) * UP_OP_COUNT, sizeof *l->p);
  if (!l->p) return false;
  for (uint32_t s = 0; s <= b->nset; s++) {
    const up_ruleset *set = s < b->nset ? b->set[s] : &b->bounds;
    for (int k = 0; k < UP_OP_COUNT; k++) {
      list *x = &l->p[l->n];
      *x = (list){.rule = &set->by_op[set->start[k]],
                  .n = set->start[k + 1] - set->start[k],
                  .same = l->n,
                  .set = set->name,
                  .op = (up_op)k};
      for (uint32_t i = 0; i < l->n && x->same == l->n; i++)
        if (equal_lists(&l->p[i], x)) x->same = i;
      l->n++;
    }
  }
  return true;
}

static void put_try(gen *g, const rule *r, uint32_t number) {
  if (g->quick) {
    gen_line(g, "q = quick_%s(c, n, out);", r->name);
    gen_line(g, "if (q != 0) return q > 0 ? %u : QUICK_UNKNOWN;", number);
    return;
  }
  if (r->kind == UP_RULE_BOUND) {
    gen_line(g, "if (rule_%s(c, n, out)) return %u;", r->name, number);
    return;
  }
  gen_line(g, "r = rule_%s(c, n);", r->name);
  gen_line(g, "if (rx_taken(c, r, skip)) return rx_found(c, r, rule, %u);", number);
}

static bool starts_quick(const rulebook *b, const list *l) {
  return l->n > 0 && is_quick(b, &b->rule[l->rule[0]]);
}

/* Quick code ends where a rule has no quick form. */
static uint32_t last_try(const gen *g, const list *l) {
  uint32_t n = 0;
  while (g->quick && n < l->n && is_quick(g->b, &g->b->rule[l->rule[n]])) n++;
  return g->quick ? n : l->n;
}

/* The first `told` rules have a bit that says whether they may apply. */
static void put_tries(gen *g, const list *l, uint32_t told) {
  for (uint32_t i = 0, n = last_try(g, l); i < n; i++) {
    if (i < told) {
      gen_line(g, "if (told >> %u & 1) {", i);
      gen_open(g);
    }
    put_try(g, &g->b->rule[l->rule[i]], l->rule[i]);
    if (i < told) gen_close(g);
  }
}

static void put_list(gen *g, const list *l) {
  bool bounds = strcmp(l->set, "bounds") == 0;
  if (bounds && !g->quick && starts_quick(g->b, l)) {
    g->quick = true;
    put_list(g, l);
    g->quick = false;
  }
  if (g->quick)
    gen_line(g, "static int quick_%s(const up_ctx *c, up_node n, bound_small *out) {",
             up_op_name(l->op));
  else if (bounds)
    gen_line(g, "static int bounds_%s(up_ctx *c, up_node n, up_bounds *out) {", up_op_name(l->op));
  else
    gen_line(g, "static up_node %s_%s(up_ctx *c, up_node n, up_node skip, int *rule) {", l->set,
             up_op_name(l->op));
  gen_open(g);
  uint32_t told = g->quick ? 0 : gen_reject(g, l->rule, l->n);
  if (!bounds) gen_line(g, "up_node r;");
  if (g->quick) gen_line(g, "int q;");
  put_tries(g, l, told);
  gen_line(g, g->quick ? "return QUICK_UNKNOWN;" : bounds ? "return -1;" : "return UP_NONE;");
  gen_close(g);
  gen_line(g, "%s", "");
}

/* ---- tables ----------------------------------------------------------------------------- */

static void put_table(gen *g, const lists *l, uint32_t set, const char *name, const char *type) {
  const list *first = &l->p[set * UP_OP_COUNT];
  bool quick = strcmp(name, "quick") == 0;
  gen_line(g, "static const %s %s_by_op[UP_OP_COUNT] = {", type, name);
  gen_open(g);
  for (int k = 0; k < UP_OP_COUNT; k++) {
    const list *same = &l->p[first[k].same];
    if (quick ? starts_quick(g->b, same) : same->n > 0)
      gen_line(g, "[UP_%s] = %s_%s,", up_op_name((up_op)k), quick ? name : same->set,
               up_op_name(same->op));
  }
  g->indent--;
  gen_line(g, "};");
  gen_line(g, "%s", "");
}

static void put_rewrites(gen *g) {
  const rulebook *b = g->b;
  gen_line(g, "static const compiled_rewrite rewrites[] = {");
  gen_open(g);
  for (uint32_t i = 0; i < b->nrule; i++) {
    if (b->rule[i].kind == UP_RULE_REWRITE)
      gen_line(g, "rule_%s,", b->rule[i].name);
    else
      gen_line(g, "NULL, /* %s */", b->rule[i].name);
  }
  gen_line(g, "NULL");
  g->indent--;
  gen_line(g, "};");
  gen_line(g, "%s", "");
}

static void put_sets(gen *g) {
  gen_line(g, "static const compiled_set sets[] = {");
  gen_open(g);
  for (uint32_t s = 0; s < g->b->nset; s++)
    gen_line(g, "{\"%s\", %s_by_op},", g->b->set[s]->name, g->b->set[s]->name);
  gen_line(g, "{NULL, NULL}");
  g->indent--;
  gen_line(g, "};");
  gen_line(g, "%s", "");
}

static void put_tables(gen *g, const lists *l, const char *file, uint64_t digest) {
  const rulebook *b = g->b;
  gen_name symbol;
  gen_symbol(file, &symbol);
  for (uint32_t s = 0; s < b->nset; s++) put_table(g, l, s, b->set[s]->name, "compiled_first");
  put_table(g, l, b->nset, "bounds", "compiled_bounds");
  put_table(g, l, b->nset, "quick", "quick_bounds");
  put_rewrites(g);
  put_sets(g);
  gen_line(g, "extern const compiled_file compiled_%s;", symbol.s);
  gen_line(g, "const compiled_file compiled_%s = {", symbol.s);
  gen_open(g);
  gen_line(g, ".name = \"%s\",", file);
  gen_line(g, ".digest = UINT64_C(0x%llx),", (unsigned long long)digest);
  gen_line(g, ".nrule = %u,", b->nrule);
  gen_line(g, ".nset = %u,", b->nset);
  gen_line(g, ".rewrite = rewrites,");
  gen_line(g, ".set = sets,");
  gen_line(g, ".bounds = bounds_by_op,");
  gen_line(g, ".quick = quick_by_op,");
  g->indent--;
  gen_line(g, "};");
}

bool gen_file(const rulebook *b, const char *file, const char *text, size_t n, up_buf *out) {
  lists l = {0};
  gen g = {.b = b, .out = out};
  if (!collect(b, &l)) return false;
  gen_line(&g, "/* Made by rulec out of engine/rules/%s, where changes belong. */", file);
  gen_line(&g, "#include \"engine/rulerun.h\"");
  gen_line(&g, "%s", "");
  for (uint32_t i = 0; i < b->nrule; i++) put_rule(b, &b->rule[i], out);
  for (uint32_t i = 0; i < l.n; i++)
    if (l.p[i].n && l.p[i].same == i) put_list(&g, &l.p[i]);
  put_tables(&g, &l, file, compiled_digest(text, n));
  free(l.p);
  return !out->no_memory;
}
