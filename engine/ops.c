/* The op table: names, groups, arity. */
#include "uop.h"
#include <string.h>

typedef struct op_info {
  const char *name;
  unsigned groups;
} op_info;

static const op_info op_table[UP_OP_COUNT] = {
#define OP(name, ord10, groups) {#name, groups},
#include "ops.def"
#undef OP
};

const char *up_op_name(up_op op) { return (unsigned)op < UP_OP_COUNT ? op_table[op].name : "?"; }

unsigned up_op_groups(up_op op) { return (unsigned)op < UP_OP_COUNT ? op_table[op].groups : 0; }

bool up_op_parse(const char *s, size_t n, up_op *out) {
  for (int i = 0; i < UP_OP_COUNT; i++) {
    const char *name = op_table[i].name;
    if (n && name[0] == s[0] && strncmp(name, s, n) == 0 && name[n] == 0) {
      *out = (up_op)i;
      return true;
    }
  }
  return false;
}

int up_op_arity(up_op op) {
  unsigned g = up_op_groups(op);
  if (g & UP_G_UNARY || op == UP_CAST || op == UP_BITCAST) return 1;
  if (g & UP_G_BINARY) return 2;
  if (g & UP_G_TERNARY) return 3;
  return -1;
}

bool up_op_divides(up_op op) {
  return op == UP_IDIV || op == UP_MOD || op == UP_FLOORDIV || op == UP_FLOORMOD;
}
