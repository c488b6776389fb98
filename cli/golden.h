/* Comparison of one recorded row with what the engine answers. */
#ifndef UPROOF_CLI_GOLDEN_H
#define UPROOF_CLI_GOLDEN_H

#include "cli/cli.h"

/* How often a field was compared and how it went; or why a row or field was not compared. */
typedef struct gd_count {
  char name[72];
  bool out_of_scope;
  uint64_t agree, differ; /* out of scope: agree counts the rows */
} gd_count;
typedef struct gd_counts {
  gd_count *p;
  uint32_t n, cap;
} gd_counts;
bool gd_counts_add(gd_counts *all, const gd_count *one);

/* One row being compared. */
typedef struct gd_row {
  up_ctx *c;
  const json_t *json;
  up_node root;
  gd_counts counts;
  up_buf log; /* a line for each difference */
  bool no_memory;
} gd_row;

/* Whole rows, by their form; they fill counts and log. */
void gd_graph_row(gd_row *r);
void gd_call_row(gd_row *r, const char *call);
void gd_parts_row(gd_row *r);
/* Calls about a valid; golden_valid.c */
void gd_given_valid(gd_row *r);
void gd_simplify_valid(gd_row *r);
void gd_gated_index(gd_row *r);

/* Each records agreement, or a difference with both values in the log. */
void gd_compare_val(gd_row *r, const char *field, const json_t *want, up_val got);
void gd_compare_bool(gd_row *r, const char *field, const json_t *want, bool got);
void gd_compare_nodes(gd_row *r, const char *field, const json_t *want, up_node got);
void gd_compare_text(gd_row *r, const char *field, const char *want, const char *got);
/* Not compared, and why. */
void gd_skip(gd_row *r, const char *why);

/* Simplifies, or says in the log that there was no result, as a difference in `field`. */
bool gd_simplify(gd_row *r, const char *field, up_node n, up_node *out);
/* The recorded `error` against how the rewrite ended. */
void gd_compare_error(gd_row *r, const char *want, const up_result *got);
/* UOp.render of a graph; false when the modelled renderer fails. */
bool gd_render(gd_row *r, up_node n, up_buf *out);

#endif
