/* What rulec has in place of the engine, before which it runs: the native functions by name alone,
 * and an end for misuse. */
#include "engine/rules.h"

#include <stdlib.h>
#include <string.h>

static const up_native table[] = {
#define NATIVE(name, nargs, reads_bounds, fn, why) {#name, nargs, reads_bounds, NULL, why, #fn},
#include "engine/natives.def"
#undef NATIVE
};
#define COUNT (sizeof table / sizeof *table)

const up_native *up_native_at(unsigned i) { return i < COUNT ? &table[i] : NULL; }

const up_native *up_native_find(const char *name, size_t n) {
  for (unsigned i = 0; i < COUNT; i++)
    if (strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0) return &table[i];
  return NULL;
}

_Noreturn void up_misuse(const char *call, const char *what) {
  fprintf(stderr, "rulec: wrong call of %s: requires %s\n", call, what);
  abort();
}
