/* Families of sums. A sum is built with the term's factor on the right and from the left, as the
 * engine leaves it. */
#include "scope.h"

static const char *const names[] = {"a", "b", "d", "e"};

static up_node constant(sc_maker *m, int64_t v) {
  return up_const_int(m->c, up_dt(m->dial->type), v);
}

static up_node variable(sc_maker *m, uint32_t i, const int64_t range[2]) {
  return up_var(m->c, names[i], up_int_of(range[0]), up_int_of(range[1]), up_dt(m->dial->type));
}

static up_node some_variable(sc_maker *m, uint32_t i) {
  return variable(m, i, m->dial->range[sc_pick(m, m->dial->nrange)]);
}

/* One of a list's numbers; of a sum of three terms, one of the first four. */
static int64_t some_number(sc_maker *m, const int64_t *list, uint32_t n, uint32_t terms) {
  return list[sc_pick(m, terms > 2 && n > 4 ? 4 : n)];
}

/* v, v % 4 or v // 2 */
static up_node some_leaf(sc_maker *m, uint32_t i, bool shapes) {
  up_node v = some_variable(m, i);
  uint32_t shape = shapes ? sc_pick(m, 3) : 0;
  if (shape == 1) return up_binary(m->c, UP_MOD, v, constant(m, 4));
  return shape == 2 ? up_binary(m->c, UP_IDIV, v, constant(m, 2)) : v;
}

static up_node some_sum(sc_maker *m, uint32_t terms, bool shapes) {
  up_node sum = UP_NONE;
  for (uint32_t i = 0; i < terms; i++) {
    int64_t f = some_number(m, m->dial->factor, m->dial->nfactor, terms);
    up_node t = some_leaf(m, i, shapes);
    if (f != 1) t = up_binary(m->c, UP_MUL, t, constant(m, f));
    sum = i ? up_binary(m->c, UP_ADD, sum, t) : t;
  }
  int64_t k = some_number(m, m->dial->constant, m->dial->nconstant, terms);
  return k ? up_binary(m->c, UP_ADD, sum, constant(m, k)) : sum;
}

static up_node over_constant(sc_maker *m, uint32_t terms, bool shapes) {
  static const up_op ops[] = {UP_IDIV, UP_MOD};
  up_op op = ops[sc_pick(m, 2)];
  int64_t k = m->dial->divisor[sc_pick(m, m->dial->ndivisor)];
  up_node x = some_sum(m, terms, shapes);
  return up_binary(m->c, op, x, constant(m, k));
}

static up_node divided_1(sc_maker *m) { return over_constant(m, 1, true); }
static up_node divided_2(sc_maker *m) { return over_constant(m, 2, true); }
static up_node divided_3(sc_maker *m) { return over_constant(m, 3, false); }

static up_node divided_by_variable(sc_maker *m) {
  static const up_op ops[] = {UP_IDIV, UP_MOD};
  static const int64_t range[][2] = {{1, 3}, {2, 2}, {-3, -1}, {-1, 2}, {4, 9}};
  up_op op = ops[sc_pick(m, 2)];
  up_node y = variable(m, 3, range[sc_pick(m, 5)]);
  return up_binary(m->c, op, some_sum(m, 2, false), y);
}

/* ---- comparisons ------------------------------------------------------------------------------ */

static up_node below(sc_maker *m, uint32_t terms) {
  static const int64_t limit[] = {1, 2, 3, 4, 6, 12, 64, 0, -1, -4};
  int64_t k = limit[sc_pick(m, 10)];
  return up_binary(m->c, UP_CMPLT, some_sum(m, terms, false), constant(m, k));
}

static up_node below_2(sc_maker *m) { return below(m, 2); }
static up_node below_3(sc_maker *m) { return below(m, 3); }

static up_node positive(sc_maker *m, uint32_t terms) {
  up_node x = some_sum(m, terms, terms < 3);
  return up_not(m->c, up_binary(m->c, UP_CMPLT, x, constant(m, 1)));
}

static up_node positive_1(sc_maker *m) { return positive(m, 1); }
static up_node positive_2(sc_maker *m) { return positive(m, 2); }
static up_node positive_3(sc_maker *m) { return positive(m, 3); }

/* ---- (x + i)//d summed over offsets i ----------------------------------------------------------- */

/* Three divisions by d of one base, any offsets of 0..3: the whole unrolled sums of d <= 3 are among
 * them, those with a term that is 0 and left out, and what only looks like one. */
static up_node unrolled(sc_maker *m) {
  static const int64_t range[][2] = {{0, 1}, {0, 9}, {-4, 5}, {1, 7}, {120, 127}};
  static const int64_t scale[] = {1, 2, -1};
  up_node x = variable(m, 0, range[sc_pick(m, 5)]), sum = UP_NONE;
  int64_t d = 1 + sc_pick(m, 4), s = scale[sc_pick(m, 3)];
  uint32_t terms = 2 + sc_pick(m, 3);
  for (uint32_t i = 0; i < 4; i++) {
    int64_t offset = sc_pick(m, 4);
    if (i >= terms) continue;
    up_node t = offset ? up_binary(m->c, UP_ADD, x, constant(m, offset)) : x;
    t = up_binary(m->c, UP_IDIV, t, constant(m, d));
    if (s != 1) t = up_binary(m->c, UP_MUL, t, constant(m, s));
    sum = i ? up_binary(m->c, UP_ADD, sum, t) : t;
  }
  return sum;
}

const sc_family sc_sums[] = {
    {divided_1, {UP_IDIV, UP_MOD, UP_NOOP}},
    {divided_2, {UP_IDIV, UP_MOD, UP_NOOP}},
    {divided_3, {UP_IDIV, UP_MOD, UP_NOOP}},
    {divided_by_variable, {UP_IDIV, UP_MOD, UP_NOOP}},
    {below_2, {UP_CMPLT, UP_NOOP}},
    {below_3, {UP_CMPLT, UP_NOOP}},
    {positive_1, {UP_CMPNE, UP_NOOP}},
    {positive_2, {UP_CMPNE, UP_NOOP}},
    {positive_3, {UP_CMPNE, UP_NOOP}},
    {unrolled, {UP_ADD, UP_NOOP}},
    {NULL, {UP_NOOP}},
};
