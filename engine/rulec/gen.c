/* Lines of C. */
#include "gen.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100u

/* Greedy line breaks at blanks; a line that goes on is indented by four more. */
static void put_wrapped(const gen *g, const char *text, size_t n) {
  unsigned indent = g->indent * 2;
  while (n) {
    size_t cut = n;
    if (indent + n > WIDTH) {
      cut = indent < WIDTH ? WIDTH - indent : 1;
      while (cut > 1 && text[cut] != ' ') cut--;
      if (text[cut] != ' ')
        for (cut = 1; cut < n && text[cut] != ' ';) cut++;
    }
    up_buf_printf(g->out, "%*s%.*s\n", (int)indent, "", (int)cut, text);
    while (cut < n && text[cut] == ' ') cut++;
    text += cut;
    n -= cut;
    indent = g->indent * 2 + 4;
  }
}

void gen_line(gen *g, const char *fmt, ...) {
  char small[512];
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(small, sizeof small, fmt, ap);
  va_end(ap);
  assert(n >= 0);
  if ((size_t)n < sizeof small) {
    put_wrapped(g, small, (size_t)n);
    if (n == 0) up_buf_puts(g->out, "\n");
  } else {
    char *large = malloc((size_t)n + 1);
    if (large) {
      vsnprintf(large, (size_t)n + 1, fmt, again);
      put_wrapped(g, large, (size_t)n);
    } else {
      g->out->no_memory = true;
    }
    free(large);
  }
  va_end(again);
}

void gen_open(gen *g) { g->indent++; }

void gen_close(gen *g) {
  assert(g->indent > 0);
  g->indent--;
  gen_line(g, "}");
}

static bool in_word(char ch) { return isalnum((unsigned char)ch) != 0 || ch == '_'; }

bool gen_mentions(const up_buf *text, const char *name) {
  size_t n = strlen(name);
  for (const char *p = text->p; p && (p = strstr(p, name)) != NULL; p++) {
    bool starts = p == text->p || !in_word(p[-1]);
    if (starts && !in_word(p[n])) return true;
  }
  return false;
}
