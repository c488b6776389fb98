/* The graphs of several files as one numbered row, for workers that take every so many of them. */
#ifndef UPROOF_CLI_STREAM_H
#define UPROOF_CLI_STREAM_H

#include "cli/cli.h"

typedef struct cl_stream {
  const cl_texts *files;
  const char *spooled; /* path that stands for "-"; NULL: none */
  unsigned at;         /* file being read, or to be opened next */
  fm_reader *reader;
  uint64_t next; /* number of the item that comes next */
  bool quiet;    /* no word about what the reader changed */
} cl_stream;

typedef enum cl_got { CL_GOT_END, CL_GOT_ITEM, CL_GOT_ERROR } cl_got;
/* Item number `index`, not below the ones asked for before. c is reset before each. ERROR: this
 * item could not be read; it has a number as the others have. *file: of the item. */
cl_got cl_stream_get(cl_stream *s, uint64_t index, up_ctx *c, fm_item *item, const char **file,
                     up_error *err);
void cl_stream_close(cl_stream *s);

/* Copies standard input to a file that every worker can open, when one of the operands is "-", and
 * that ends with the process. path: 64 bytes, empty when there was none. False after a message. */
bool cl_spool_stdin(const cl_texts *files, char path[64]);

#endif
