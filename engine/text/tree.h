/* Words of tinygrad's printed tree. Only tree_*.c include this. */
#ifndef UPROOF_TEXT_TREE_H
#define UPROOF_TEXT_TREE_H

#include "text.h"

/* What a UOp( holds. */
typedef struct tree_parts {
  up_op op;
  up_dtype dtype;
  up_node *src; /* the parser's */
  uint32_t nsrc;
  up_arg arg;
} tree_parts;
/* Ops that 0.11.0 does not have: what stands for one. */
bool tree_later_op(const char *s, size_t n, up_op *op);
/* Nodes as releases since 0.13.0 have them become those that are here (tree_later.c says which). weak: a
 * dtype without width was met in the tree. A failure is the context's status. */
void tree_from_later(const text_in *in, bool weak, tree_parts *p);

/* Past blanks and line ends. */
void tree_skip(const text_in *in, size_t *at);
/* Length of the identifier at `at`; 0: none there. */
size_t tree_word(const text_in *in, size_t at);
/* `Ops.NAME`; an error when it is not one. */
bool tree_get_op(const text_in *in, size_t *at, up_op *out);
/* `dtypes.int`, with .vec(N) and .ptr(...); an image is a pointer to float. weakint is int, weakfloat float: they set
 * *weak. */
bool tree_get_dtype(const text_in *in, size_t *at, up_dtype *out, bool *weak);
/* The value of an arg, up to the ',' or bracket that ends it. */
bool tree_get_value(const text_in *in, size_t *at, up_arg *out);
/* Past one Python expression, up to the ',' or closing bracket behind it. */
bool tree_skip_value(const text_in *in, size_t *at);
/* Offset of what follows blanks, lines that begin with ``` and `>>>` prompts (of a prompt's line
 * only the prompt when a tree follows it on the line). */
size_t tree_skip_around(const char *text, size_t n, size_t at);

#endif
