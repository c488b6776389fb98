/* Errors of inputs, and the names of what a run can meet. */
#include "uop.h"
#include <assert.h>
#include <stdarg.h>

bool up_fail(up_error *e, unsigned line, unsigned col, const char *fmt, ...) {
  if (!e) return false;
  e->line = line;
  e->col = col;
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(e->msg, sizeof e->msg, fmt, ap);
  va_end(ap);
  if (n < 0) e->msg[0] = 0;
  /* a message is one line of printable text, whatever piece of the input it quotes */
  for (char *p = e->msg; *p; p++) {
    if ((unsigned char)*p < 32 || *p == 127) *p = '?';
  }
  return false;
}

typedef struct status_text {
  const char *name, *raise;
} status_text;

static const status_text texts[] = {
    [UP_OK] = {"ok", NULL},
    [UP_RAISE_ZERO_DIVISION] = {"zero-division", "ZeroDivisionError"},
    [UP_RAISE_OVERFLOW] = {"overflow", "OverflowError"},
    [UP_RAISE_VALUE] = {"value", "ValueError"},
    [UP_RAISE_TYPE] = {"type", "TypeError"},
    [UP_RAISE_OTHER] = {"raise", "an exception"},
    [UP_LOOP] = {"loop", NULL},
    [UP_LIMIT_STEPS] = {"limit-steps", NULL},
    [UP_LIMIT_BITS] = {"limit-bits", NULL},
    [UP_LIMIT_NODES] = {"limit-nodes", NULL},
    [UP_LIMIT_TEXT] = {"limit-text", NULL},
    [UP_NOT_COVERED] = {"not-covered", NULL},
    [UP_NO_ANSWER] = {"no-answer", NULL},
    [UP_NO_MEMORY] = {"no-memory", NULL},
};
_Static_assert(sizeof texts / sizeof *texts == UP_NO_MEMORY + 1, "one row a status");

static const status_text *text_of(up_status s) {
  assert((unsigned)s <= UP_NO_MEMORY);
  static const status_text unknown = {"unknown", NULL};
  return (unsigned)s <= UP_NO_MEMORY ? &texts[s] : &unknown;
}

const char *up_status_name(up_status s) { return text_of(s)->name; }
const char *up_status_raise(up_status s) { return text_of(s)->raise; }
