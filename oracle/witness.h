/* Making witnesses. Private to oracle/. */
#ifndef UPROOF_ORACLE_WITNESS_H
#define UPROOF_ORACLE_WITNESS_H

#include "oracle.h"

/* n entries, all UP_NONE, lane 0, with value 0. False: no memory. Clear with or_witness_clear. */
bool or_witness_init(or_witness *w, uint32_t n);
/* Name of a DEFINE_VAR, RANGE ("ridx3") or SPECIAL, whatever its range. */
void or_var_name(up_ctx *c, up_node n, char name[64]);

#endif
