/* uproof fuzz: graphs <-> bytes, node by node, so that mutators work on graphs while fuzzers keep
 * bytes.
 *
 * Form, version 1: the four bytes "UPG1", then the nodes, sources before users, the root last:
 *
 *   op        one byte, a number of the table in nodes.c (modulo its length)
 *   dtype     one byte: scalar in the low 4 bits, 16: a pointer, 32: a vector, whose count - 1
 *             follows as a number
 *   sources   ops without a fixed number of sources: how many, as a number; then for each how many
 *             nodes back it stands, less one
 *   arg       ops that have one: kind in one byte, then an integer, a truth, 8 bytes of a double, a
 *             string or a list
 *
 * Numbers are LEB128. Graphs decode exactly when every node passes up_node_check; every other byte
 * string decodes too: what does not fit is bent until it does (another source of the dtype that is
 * wanted, a constant, a default range), or the node is left out.
 */
#ifndef UPROOF_NODES_H
#define UPROOF_NODES_H

#include "engine/uop.h"

/* Nodes that are decoded at most; the rest of the bytes is not read. */
#define FZ_MAX_NODES 1024u
/* Bytes of the longest integer of an encoding. */
#define FZ_MAX_INT_BYTES 40u

/* Do the bytes begin like a list of nodes? */
bool fz_is_nodes(const uint8_t *data, size_t n);
/* The graph that the bytes, which begin so, stand for. UP_NONE only with the context's status set.
 */
up_node fz_decode_nodes(up_ctx *c, const uint8_t *data, size_t n);
/* The list of nodes of a graph; fz_decode gives the same graph back. Returns how many bytes, 0 when
 * they are more than cap, or the graph has no encoding: a node that fails up_node_check, an op
 * outside the table, an integer above FZ_MAX_INT_BYTES bytes, above FZ_MAX_NODES nodes. */
size_t fz_encode(up_ctx *c, up_node root, uint8_t *out, size_t cap);

#endif
