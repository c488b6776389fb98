/* All instances of a rule: the choices, in order. */
#include "make.h"

#include "oracle/frame.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choices ----------------------------------------------------------------------------------- */

uint32_t mk_choose(maker *m, uint32_t n) {
  if (n <= 1) return 0;
  if (m->at == MK_MAX_CHOICES) {
    mk_stop(m, MK_LEFT_OUT, "more than %u choices", MK_MAX_CHOICES);
    return 0;
  }
  if (m->at == m->nchoice) {
    m->pick[m->nchoice] = 0;
    m->limit[m->nchoice++] = n;
  }
  return m->pick[m->at++];
}

/* The next combination: the last choice that has another answer takes it. */
static bool next_choice(maker *m) {
  m->nchoice = m->at; /* what was not asked for this time is forgotten */
  while (m->nchoice > 0 && m->pick[m->nchoice - 1] + 1 == m->limit[m->nchoice - 1]) m->nchoice--;
  if (m->nchoice == 0) return false;
  m->pick[m->nchoice - 1]++;
  return true;
}

pf_id mk_stop(maker *m, mk_end end, const char *fmt, ...) {
  if (m->end != MK_FINE) return PF_NIL;
  m->end = end;
  if (fmt) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->why, sizeof m->why, fmt, ap);
    va_end(ap);
  }
  return PF_NIL;
}

/* ---- terms ------------------------------------------------------------------------------------- */

bool mk_has_value(up_op op) {
  return fr_is_alu(op) || op == UP_BIND || op == UP_RANGE || op == UP_VECTORIZE;
}

pf_id mk_add(maker *m, pf_term t) {
  pf_instance *i = m->i;
  if (m->end != MK_FINE) return PF_NIL;
  if (i->nterm == MK_MAX_TERMS) return mk_stop(m, MK_LEFT_OUT, "more than %u terms", MK_MAX_TERMS);
  if (!rule_grow(&i->term, &i->cap, i->nterm + 1, sizeof *i->term))
    return mk_stop(m, MK_NO_MEMORY, NULL);
  i->term[i->nterm] = t;
  m->same[i->nterm] = i->nterm;
  m->mask[i->nterm] = 0xffff;
  m->forced[i->nterm] = m->wide[i->nterm] = false;
  return i->nterm++;
}

void mk_label(maker *m, const char *fmt, ...) {
  char *label = m->i->label;
  size_t n = strlen(label), size = sizeof m->i->label;
  if (n > 0 && n + 1 < size) label[n++] = ' ';
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(label + n, size - n, fmt, ap);
  va_end(ap);
}

/* ---- the instances ----------------------------------------------------------------------------- */

static bool needs_width(const pf_instance *i) {
  for (uint32_t k = 0; k < i->nterm; k++) {
    const pf_term *t = &i->term[k];
    if (t->kind == PF_OP && (t->op == UP_CAST || t->op == UP_BITCAST) && t->type != UP_BOOL)
      return true;
  }
  return false;
}

static void bind_names(pf_instance *i) {
  for (uint32_t s = 0; s < PAT_MAX_SLOTS; s++) {
    pf_id t = i->slot[s];
    if (t != PF_NIL && i->term[t].slot < 0) i->term[t].slot = (int)s;
  }
}

/* A label that was cut is not unique: the number of the combination makes it so. */
static void finish_label(pf_instance *i, uint32_t number) {
  size_t n = strlen(i->label), size = sizeof i->label;
  if (n + 1 < size) return;
  char mark[16];
  int len = snprintf(mark, sizeof mark, " #%u", number);
  memcpy(i->label + size - 1 - (size_t)len, mark, (size_t)len);
}

static void make(maker *m) {
  pf_instance *i = m->i;
  const rule *r = m->rule;
  i->nterm = 0;
  i->label[0] = 0;
  for (uint32_t s = 0; s < PAT_MAX_SLOTS; s++) i->slot[s] = PF_NIL;
  i->right = PF_NIL;
  i->when = r->when;
  i->lo = r->kind == UP_RULE_BOUND ? r->lo : EXPR_NIL;
  i->hi = r->kind == UP_RULE_BOUND ? r->hi : EXPR_NIL;
  m->at = 0;
  m->lists_only = false;
  m->end = MK_FINE;
  i->left = mk_left(m, r->pat);
  if (m->end == MK_FINE) mk_choose_types(m);
  if (m->end == MK_FINE) mk_choose_lanes(m);
  if (m->end == MK_FINE && i->when != EXPR_NIL && pf_decide(i, i->when) == 0)
    mk_stop(m, MK_NEVER, NULL);
  if (m->end == MK_FINE && r->kind == UP_RULE_REWRITE) i->right = mk_right(m, r->rhs);
  if (m->end != MK_FINE) return;
  bind_names(i);
  i->wide = needs_width(i);
}

static void leave_out(pf_left_out *l, const char *why) {
  if (l->choices++ == 0) snprintf(l->reason, sizeof l->reason, "%s", why);
}

static bool has_float(const exprbook *b, expr_id id) {
  if (id == EXPR_NIL) return false;
  const expr *e = expr_at(b, id);
  if (e->op == EX_FLOAT) return true;
  for (unsigned k = 0; k < expr_kids(e); k++)
    if (has_float(b, e->kid[k])) return true;
  return false;
}

static const char *whole_rule(const rulebook *b, const rule *r) {
  if (r->native) return "native right side";
  if (has_float(&b->exprs, r->when) ||
      (r->kind == UP_RULE_BOUND && (has_float(&b->exprs, r->lo) || has_float(&b->exprs, r->hi))))
    return "a float constant in its condition";
  return NULL;
}

bool pf_instances(const rulebook *b, uint32_t number, unsigned types, bool one_integer,
                  bool (*each)(pf_instance *i, void *arg), void *arg, pf_left_out *left_out) {
  const rule *r = &b->rule[number];
  pf_instance i = {.book = b, .rule = number};
  maker m = {.book = b, .rule = r, .i = &i, .types = types, .one_integer = one_integer};
  *left_out = (pf_left_out){0};
  const char *why = whole_rule(b, r);
  uint32_t made = 0;
  bool go_on = true;
  if (why) {
    leave_out(left_out, why);
    return true;
  }
  do {
    make(&m);
    if (m.end == MK_LEFT_OUT) leave_out(left_out, m.why);
    if (m.end == MK_NO_MEMORY) {
      left_out->no_memory = true;
      go_on = false;
    }
    if (m.end == MK_FINE) {
      finish_label(&i, made++);
      go_on = each(&i, arg);
    }
  } while (go_on && next_choice(&m));
  if (go_on && made == 0 && left_out->choices == 0)
    leave_out(left_out, "never applies to one lane of integers or bools");
  free(i.term);
  return go_on;
}
