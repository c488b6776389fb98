/* The few facts of frame.h that are data. */
#include "frame.h"

bool fr_type_of(up_dtype d, fr_type *out) {
  static const fr_type type[UP_SCALAR_COUNT] = {
      [UP_BOOL] = {1, false, true},     [UP_CHAR] = {8, true, false},
      [UP_UCHAR] = {8, false, false},   [UP_SHORT] = {16, true, false},
      [UP_USHORT] = {16, false, false}, [UP_INT] = {32, true, false},
      [UP_UINT] = {32, false, false},   [UP_LONG] = {64, true, false},
      [UP_ULONG] = {64, false, false}};
  if (up_dt_is_ptr(d)) return false;
  *out = type[up_dt_scalar(d)];
  return out->bits != 0;
}

or_i128 fr_min(fr_type t) { return t.is_signed ? -((or_i128)1 << (t.bits - 1)) : 0; }
or_i128 fr_max(fr_type t) { return ((or_i128)1 << (t.is_signed ? t.bits - 1 : t.bits)) - 1; }

bool fr_is_variable(up_op op) { return op == UP_DEFINE_VAR || op == UP_RANGE || op == UP_SPECIAL; }

bool fr_is_alu(up_op op) {
  switch (op) {
  case UP_ADD:
  case UP_SUB:
  case UP_MUL:
  case UP_NEG:
  case UP_MAX:
  case UP_MULACC:
  case UP_IDIV:
  case UP_MOD:
  case UP_FLOORDIV:
  case UP_FLOORMOD:
  case UP_SHL:
  case UP_SHR:
  case UP_AND:
  case UP_OR:
  case UP_XOR:
  case UP_CMPLT:
  case UP_CMPNE:
  case UP_CMPEQ:
  case UP_WHERE:
  case UP_TRUNC:
  case UP_CAST:
  case UP_BITCAST: return true;
  default: return false;
  }
}

bool fr_overflow_undefined(up_op op) {
  switch (op) {
  case UP_ADD:
  case UP_SUB:
  case UP_MUL:
  case UP_NEG:
  case UP_MULACC:
  case UP_IDIV:
  case UP_FLOORDIV:
  case UP_SHL: return true;
  default: return false;
  }
}
