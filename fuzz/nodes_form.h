/* What the encoder and the decoder of lists of nodes share. Private to fuzz/. */
#ifndef UPROOF_NODES_FORM_H
#define UPROOF_NODES_FORM_H

#include "fuzz/nodes.h"
#include <stdlib.h>

#define FZ_MAGIC "UPG1"
#define FZ_MAGIC_BYTES 4u
#define FZ_DTYPE_PTR 16u
#define FZ_DTYPE_VEC 32u
#define FZ_MAX_SOURCES 64u
/* Integers below this are one LEB128 number, sign in the lowest bit; FZ_LONG_INT (which is -0, and
 * so free) announces a longer one. */
#define FZ_SMALL_INT (INT64_C(1) << 62)
#define FZ_LONG_INT 1u

up_op fz_code_op(uint8_t code);
bool fz_op_code(up_op op, uint8_t *code); /* false: not in the table */
int fz_fixed_sources(up_op op);           /* -1: as many as the node says */
bool fz_has_arg(up_op op);

#endif
