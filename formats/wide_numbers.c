/* Integers beyond 64 bits that stand in a row as bare JSON numbers. The format writes them as
 * strings and the JSON library refuses them; rows of other writers are taken all the same. */
#include "internal.h"

static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }

static size_t string_end(const char *s, size_t n, size_t at) {
  for (at++; at < n && s[at] != '"'; at++)
    if (s[at] == '\\') at++;
  return at < n ? at + 1 : n;
}

/* Past a number; *digits counts them when it is an integer, else 0. */
static size_t number_end(const char *s, size_t n, size_t at, size_t *digits) {
  size_t start = at + (s[at] == '-');
  for (at = start; at < n && is_digit(s[at]);) at++;
  *digits = at - start;
  if (at < n && (s[at] == '.' || s[at] == 'e' || s[at] == 'E')) *digits = 0;
  while (at < n && (is_digit(s[at]) || s[at] == '.' || s[at] == 'e' || s[at] == 'E' ||
                    s[at] == '+' || s[at] == '-'))
    at++;
  return at;
}

/* The row with quotes around every integer that may be too wide: 19 digits or more. */
void fm_quote_wide(const char *row, size_t n, up_buf *out) {
  for (size_t at = 0; at < n;) {
    size_t start = at, digits = 0;
    if (row[at] == '"')
      at = string_end(row, n, at);
    else if (row[at] == '-' || is_digit(row[at]))
      at = number_end(row, n, at, &digits);
    else
      at++;
    if (digits >= 19) up_buf_puts(out, "\"");
    up_buf_put(out, row + start, at - start);
    if (digits >= 19) up_buf_puts(out, "\"");
  }
}
