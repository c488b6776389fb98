/* rulec beyond the code that it makes: what it writes down. */
#ifndef UPROOF_RULEC_H
#define UPROOF_RULEC_H

#include "gen.h"

/* Markdown: what stands in front, then a table for each file. */
void rulec_document_head(up_buf *out);
void rulec_document(const rulebook *b, const char *file, up_buf *out);

#endif
