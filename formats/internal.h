/* Inside of formats/. */
#ifndef UPROOF_FORMATS_INTERNAL_H
#define UPROOF_FORMATS_INTERNAL_H

#include "formats.h"

/* A value inside a JSON row: a top-level field and indices into nested arrays. */
typedef struct fm_place {
  const char *field;
  uint32_t index[4];
  unsigned depth;
} fm_place;
/* Where it begins in the raw text of the row, in characters from 1; 1 when it is not found. The
 * row is valid JSON. */
unsigned fm_place_column(const char *row, size_t n, const fm_place *place);

typedef struct fm_graph {
  up_node *all; /* all[i]: i-th node of the array; the holder frees it */
  uint32_t n;
} fm_graph;
/* On failure err has the message and no position; *place is extended to the value at fault. */
/* Is this place of the op's arg a number, so that a string there is one too? element -1: the arg
 * itself. Elsewhere a number that JSON has as a string is {"number": "nan"}. */
bool fm_place_is_number(up_op op, int64_t element);
bool fm_decode(up_ctx *c, const json_t *nodes, fm_graph *out, up_error *err, fm_place *place);

/* The row with quotes around each integer of 19 digits or more; it may be no valid JSON. */
void fm_quote_wide(const char *row, size_t n, up_buf *out);

/* Makes opaque integer sources variables; note tells what was done, if anything. See opaque.c. */
bool fm_replace_opaque(up_ctx *c, up_node root, up_node *out, up_buf *note, up_error *err);

/* ---- bytes of a file, unpacked -------------------------------------------------- */

#define FM_MAX_TEXT ((size_t)1 << 30)
typedef struct fm_input fm_input;
fm_input *fm_input_open(const char *path, up_error *err);
void fm_input_close(fm_input *in);
/* Reads ahead until `need` bytes from the current position are there, or the input ends. False: a
 * read error, or more than FM_MAX_TEXT. */
bool fm_input_fill(fm_input *in, size_t need, up_error *err);
const char *fm_input_at(const fm_input *in, size_t *n); /* what is read ahead */
void fm_input_skip(fm_input *in, size_t n);
/* The next line without its end, valid until the next call; the position moves past it. 1, 0 at the
 * end of the input, -1 on an error. */
int fm_input_line(fm_input *in, const char **line, size_t *n, up_error *err);

#endif
