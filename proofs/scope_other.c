/* Families other than sums: operations on constants, by constants, casts of constants, lanes. */
#include "scope.h"

static const enum up_scalar types[] = {UP_BOOL, UP_CHAR, UP_UCHAR, UP_SHORT,
                                       UP_INT,  UP_UINT, UP_LONG,  UP_ULONG};
#define NTYPES 8u

#define NEDGES 6u

/* Number i of six values at the edges of a dtype; 0 is among them. */
static up_val edge_value(sc_maker *m, up_dtype dt, uint32_t i) {
  up_int lo = up_dt_min(m->c, dt), hi = up_dt_max(m->c, dt);
  const up_int v[] = {up_int_of(0), up_int_of(1), up_int_of(3),
                      hi,           lo,           up_int_sub(m->c, hi, up_int_of(1))};
  return up_val_int(up_dt_is_bool(dt) ? up_int_of(i & 1) : v[i]);
}

static up_node edge(sc_maker *m, up_dtype dt, uint32_t i) {
  return up_const(m->c, dt, edge_value(m, dt, i));
}

/* Two lanes: value number i, and the one after the next or, of bools, the other one. */
static up_node edges(sc_maker *m, up_dtype dt, uint32_t i) {
  uint32_t j = up_dt_is_bool(dt) ? i + 1 : (i + 2) % NEDGES;
  const up_val v[] = {edge_value(m, dt, i), edge_value(m, dt, j)};
  return up_vconst(m->c, up_dt_vec(dt, 2), v, 2);
}

/* ---- every op on constants ----------------------------------------------------------------------- */

static up_node unary_of_constants(sc_maker *m) {
  static const up_op ops[] = {UP_NEG};
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  up_op op = ops[sc_pick(m, 1)];
  return up_unary(m->c, op, edge(m, dt, sc_pick(m, NEDGES)));
}

static const up_op binary_ops[] = {UP_ADD,   UP_SUB,      UP_MUL,     UP_IDIV, UP_MOD,
                                   UP_MAX,   UP_AND,      UP_OR,      UP_XOR,  UP_CMPLT,
                                   UP_CMPNE, UP_FLOORDIV, UP_FLOORMOD};

static up_node binary_of_constants(sc_maker *m) {
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  up_op op = binary_ops[sc_pick(m, sizeof binary_ops / sizeof *binary_ops)];
  up_node a = edge(m, dt, sc_pick(m, NEDGES)), b = edge(m, dt, sc_pick(m, NEDGES));
  return up_binary(m->c, op, a, b);
}

static up_node shift_of_constants(sc_maker *m) {
  up_dtype dt = up_dt(types[1 + sc_pick(m, NTYPES - 1)]);
  up_op op = sc_pick(m, 2) ? UP_SHL : UP_SHR;
  up_node a = edge(m, dt, sc_pick(m, NEDGES));
  return up_binary(m->c, op, a, up_const_int(m->c, dt, sc_pick(m, 10)));
}

static up_node ternary_of_constants(sc_maker *m) {
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  bool where = sc_pick(m, 2);
  uint32_t i = sc_pick(m, NEDGES);
  up_node a = edge(m, where ? up_dt(UP_BOOL) : dt, i);
  up_node b = edge(m, dt, sc_pick(m, NEDGES)), d = edge(m, dt, sc_pick(m, NEDGES));
  if (where) return up_where(m->c, a, b, d);
  const up_node src[] = {a, b, d};
  return up_new(m->c, UP_MULACC, dt, src, 3, up_arg_none());
}

/* ---- every op on lists of constants ---------------------------------------------------------------- */

static up_node unary_of_lists(sc_maker *m) {
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  return up_unary(m->c, UP_NEG, edges(m, dt, sc_pick(m, NEDGES)));
}

/* The second operand: a list, or one constant in both lanes. */
static up_node binary_of_lists(sc_maker *m) {
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  up_op op = binary_ops[sc_pick(m, sizeof binary_ops / sizeof *binary_ops)];
  up_node a = edges(m, dt, sc_pick(m, NEDGES));
  uint32_t j = sc_pick(m, NEDGES), uniform = sc_pick(m, 2);
  return up_binary(m->c, op, a,
                   uniform ? up_const(m->c, up_dt_vec(dt, 2), edge_value(m, dt, j))
                           : edges(m, dt, j));
}

static up_node shift_of_lists(sc_maker *m) {
  up_dtype dt = up_dt(types[1 + sc_pick(m, NTYPES - 1)]);
  up_op op = sc_pick(m, 2) ? UP_SHL : UP_SHR;
  up_node a = edges(m, dt, sc_pick(m, NEDGES));
  const int64_t by = (int64_t)sc_pick(m, 10);
  const up_val v[] = {up_val_int(up_int_of(by)), up_val_int(up_int_of(1))};
  return up_binary(m->c, op, a, up_vconst(m->c, up_dt_vec(dt, 2), v, 2));
}

static up_node ternary_of_lists(sc_maker *m) {
  up_dtype dt = up_dt(types[sc_pick(m, NTYPES)]);
  bool where = sc_pick(m, 2);
  up_node a = edges(m, where ? up_dt(UP_BOOL) : dt, sc_pick(m, NEDGES));
  up_node b = edges(m, dt, sc_pick(m, NEDGES)), d = edges(m, dt, sc_pick(m, NEDGES));
  if (where) return up_where(m->c, a, b, d);
  const up_node src[] = {a, b, d};
  return up_new(m->c, UP_MULACC, up_dt_vec(dt, 2), src, 3, up_arg_none());
}

static up_node bitcast_of_constant(sc_maker *m) {
  static const enum up_scalar pairs[][2] = {
      {UP_CHAR, UP_UCHAR}, {UP_SHORT, UP_USHORT}, {UP_INT, UP_UINT}, {UP_LONG, UP_ULONG},
      {UP_UCHAR, UP_CHAR}, {UP_USHORT, UP_SHORT}, {UP_UINT, UP_INT}, {UP_ULONG, UP_LONG}};
  const enum up_scalar *p = pairs[sc_pick(m, 8)];
  up_node k = edge(m, up_dt(p[0]), sc_pick(m, NEDGES));
  return up_new(m->c, UP_BITCAST, up_dt(p[1]), &k, 1, up_arg_none());
}

/* ---- an operation by a constant: shifts and magic numbers ------------------------------------------ */

static up_node by_constant(sc_maker *m) {
  static const up_op ops[] = {UP_MUL, UP_IDIV, UP_MOD};
  static const int64_t range[][2] = {{0, 1}, {0, 127}, {-128, 127}, {-5, 9}, {100, 127}};
  up_dtype dt = up_dt(types[1 + sc_pick(m, NTYPES - 1)]);
  up_op op = ops[sc_pick(m, 3)];
  const int64_t *r = range[sc_pick(m, 5)];
  int64_t k = (int64_t)sc_pick(m, 130) - 1;
  int64_t lo = up_dt_is_unsigned(dt) && r[0] < 0 ? 0 : r[0];
  up_node x = up_var(m->c, "a", up_int_of(lo), up_int_of(r[1]), dt);
  return k == 128 ? UP_NONE : up_binary(m->c, op, x, up_const_int(m->c, dt, k));
}

/* ---- lanes ---------------------------------------------------------------------------------------- */

static up_node lane_variable(sc_maker *m, uint32_t i) {
  static const char *const names[] = {"a", "b", "d", "e"};
  return up_var(m->c, names[i], up_int_of(-2), up_int_of(3), up_dt(UP_INT));
}

/* A vector of n variables, of constants, of one variable, or an operation on two vectors. */
static up_node some_vector(sc_maker *m, uint32_t n, bool deep) {
  up_node lane[4];
  uint32_t kind = sc_pick(m, deep ? 5 : 3);
  for (uint32_t i = 0; i < n; i++) {
    if (kind == 1)
      lane[i] = up_const_int(m->c, up_dt(UP_INT), (int64_t)i * 3 - 2);
    else
      lane[i] = lane_variable(m, kind == 2 ? 0 : i);
  }
  up_dtype dt = up_dt_vec(up_dt(UP_INT), n);
  up_node v = up_new(m->c, UP_VECTORIZE, dt, lane, n, up_arg_none());
  if (kind < 3) return v;
  up_node one = lane_variable(m, 3), same[4] = {one, one, one, one};
  up_node w = up_new(m->c, UP_VECTORIZE, dt, same, n, up_arg_none());
  if (kind == 4)
    v = up_new(m->c, UP_VECTORIZE, dt, (const up_node[]){lane[0], lane[0], lane[0], lane[0]}, n,
               up_arg_none());
  return up_binary(m->c, UP_ADD, v, w);
}

static up_node gep(sc_maker *m, up_node v, uint32_t n, const uint32_t *at) {
  up_arg item[4];
  for (uint32_t i = 0; i < n; i++) item[i] = up_arg_int(m->c, up_int_of(at[i]));
  up_dtype dt = up_dt_vec(up_dt(up_dt_scalar(up_dtype_of(m->c, v))), n);
  return up_new(m->c, UP_GEP, dt, &v, 1, up_arg_list(m->c, item, n));
}

static up_node lanes_alone(sc_maker *m) { return some_vector(m, 4, true); }

static up_node some_geps(sc_maker *m) {
  uint32_t n = 1 + sc_pick(m, 4), at[4];
  for (uint32_t i = 0; i < 4; i++) at[i] = sc_pick(m, 4);
  return gep(m, some_vector(m, 4, true), n, at);
}

static up_node gep_of_gep(sc_maker *m) {
  const uint32_t inner[4] = {sc_pick(m, 4), sc_pick(m, 4), 3, 1};
  const uint32_t outer[2] = {sc_pick(m, 4), sc_pick(m, 4)};
  return gep(m, gep(m, some_vector(m, 4, false), 4, inner), 2, outer);
}

static up_node gep_of_constant(sc_maker *m) {
  up_val v[4];
  for (uint32_t i = 0; i < 4; i++) v[i] = up_val_int(up_int_of((int64_t)sc_pick(m, 2) + i));
  const uint32_t at[2] = {sc_pick(m, 4), sc_pick(m, 4)};
  up_node k = up_vconst(m->c, up_dt_vec(up_dt(UP_INT), 4), v, 4);
  return gep(m, k, 1 + sc_pick(m, 2), at);
}

static up_node vector_of_geps(sc_maker *m) {
  up_node v = some_vector(m, 4, false), lane[4];
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t at = sc_pick(m, 4);
    lane[i] = gep(m, v, 1, &at);
  }
  return up_new(m->c, UP_VECTORIZE, up_dt_vec(up_dt(UP_INT), 4), lane, 4, up_arg_none());
}

const sc_family sc_other[] = {
    {unary_of_constants, {UP_NEG, UP_NOOP}},
    {binary_of_constants, {UP_NOOP}},
    {shift_of_constants, {UP_SHL, UP_SHR, UP_NOOP}},
    {ternary_of_constants, {UP_WHERE, UP_MULACC, UP_NOOP}},
    {unary_of_lists, {UP_NEG, UP_NOOP}},
    {binary_of_lists, {UP_NOOP}},
    {shift_of_lists, {UP_SHL, UP_SHR, UP_NOOP}},
    {ternary_of_lists, {UP_WHERE, UP_MULACC, UP_NOOP}},
    {bitcast_of_constant, {UP_BITCAST, UP_NOOP}},
    {by_constant, {UP_MUL, UP_IDIV, UP_MOD, UP_NOOP}},
    {lanes_alone, {UP_VECTORIZE, UP_ADD, UP_NOOP}},
    {some_geps, {UP_GEP, UP_NOOP}},
    {gep_of_gep, {UP_GEP, UP_NOOP}},
    {gep_of_constant, {UP_GEP, UP_NOOP}},
    {vector_of_geps, {UP_VECTORIZE, UP_NOOP}},
    {NULL, {UP_NOOP}},
};
