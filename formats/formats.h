/* uproof formats: reading graphs from files, whatever their form.
 *
 * Forms: `.uop` text, infix, JSON lines (the interchange format, version 1), tinygrad's printed
 * tree (opaque integer sources become variables, see opaque.c), each by content, not by file name;
 * gzip is unpacked.
 */
#ifndef UPROOF_FORMATS_H
#define UPROOF_FORMATS_H

#include "engine/uop.h"
#include <jansson.h>

/* One graph out of a file. */
typedef struct fm_item {
  up_node root;
  char *id;      /* id of a JSON row as text, quoted if it was a string; NULL for other forms */
  unsigned line; /* where it starts, 1-based */
  up_metas meta; /* of a .uop file */
  json_t *row;   /* whole JSON object, the item's; or NULL */
  char *note;    /* what the reader changed in the graph, one line for the user; or NULL */
} fm_item;
void fm_item_clear(fm_item *it);

/* A file being read, item by item, so that large sets need no more memory than one row. */
typedef struct fm_reader fm_reader;
/* path "-" is standard input. NULL and err when it can't be opened or is empty. */
fm_reader *fm_open(const char *path, up_error *err);
/* 1: an item, its nodes in c; 0: end; -1: err says what and where. After -1 on a JSON row, the next
 * call goes on with the next row. Only JSON lines give more than one item. */
int fm_next(fm_reader *r, up_ctx *c, fm_item *out, up_error *err);
void fm_close(fm_reader *r);
const char *fm_form(const fm_reader *r); /* "uop", "infix", "jsonl", "tinygrad" */

/* Nodes array of the interchange format <-> graph. The message of an error names the node; it has
 * no line and column here (fm_next gives them for the row's own graph). */
bool fm_nodes_from_json(up_ctx *c, const json_t *nodes, up_node *root, up_error *err);
/* Same, and every node of the array in order (all[i] is the i-th). Caller frees all. */
bool fm_all_nodes_from_json(up_ctx *c, const json_t *nodes, up_node **all, uint32_t *n,
                            up_error *err);
json_t *fm_nodes_to_json(up_ctx *c, up_node root); /* new reference; topological order, root last */
json_t *fm_val_to_json(const up_ctx *c, up_val v, bool is_bool);
/* Accepts integers, bools, decimal strings, reals, "inf", "-inf", "nan". */
bool fm_val_from_json(up_ctx *c, const json_t *j, up_val *out);

#endif
