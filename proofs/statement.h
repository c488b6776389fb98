/* uproof proofs: a rule statement as tokens. Private to proofs/: what makes slips and compares them. */
#ifndef UPROOF_STATEMENT_H
#define UPROOF_STATEMENT_H

#include "engine/ruleast.h"

typedef enum st_part { ST_HEAD, ST_PATTERN, ST_RIGHT, ST_WHEN, ST_ATTRIBUTE } st_part;

#define ST_TOKENS 512u

/* Marks between the parts (':', '->', 'in') are of the head; `when` is of the condition. */
typedef struct st_statement {
  const char *text;
  size_t begin, end; /* bytes of the text */
  token t[ST_TOKENS];
  uint8_t part[ST_TOKENS];
  uint32_t n;
} st_statement;

/* Reads the statement that the lexer, which reads s->text, is at. False: no statement that fits. */
bool st_read(st_statement *s, lexer *l);
bool st_is_rule(const st_statement *s); /* a rule or a bound */

/* Bytes of the text at which a token begins and ends. */
size_t st_at(const st_statement *s, uint32_t i);
size_t st_end(const st_statement *s, uint32_t i);
void st_put(const st_statement *s, uint32_t first, uint32_t last, up_buf *out);

bool st_opens(rtok k);
bool st_closes(rtok k);
/* The bracket that belongs to the one at i, going by `step`; n when there is none. */
uint32_t st_partner(const st_statement *s, uint32_t i, int step);
/* An operator between two operands, not a sign. */
bool st_is_binary(const st_statement *s, uint32_t i);

/* The operands of the binary operator at i, first and last token of each: what stands beside it and
 * binds tightest. False: there are none in this part. */
typedef struct st_pair {
  uint32_t b0, e0, b1, e1;
} st_pair;
bool st_operands(const st_statement *s, uint32_t i, st_pair *p);

#endif
