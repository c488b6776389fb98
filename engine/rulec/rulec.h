/* rulec beyond the code that it makes: what it refuses, what it writes down. */
#ifndef UPROOF_RULEC_H
#define UPROOF_RULEC_H

#include "gen.h"

/* Refuses a rule from which an earlier one of its set takes all matches. Reported only where that
 * is certain: the earlier rule has no condition, and its pattern covers the other's by its form. */
bool rulec_check_shadowed(const rulebook *b, up_error *err);
/* Refuses a condition that no constants satisfy: intervals that exclude each other. */
bool rulec_check_conditions(const rulebook *b, up_error *err);

/* Markdown: what stands in front, then a table for each file. */
void rulec_document_head(up_buf *out);
void rulec_document(const rulebook *b, const char *file, up_buf *out);

#endif
