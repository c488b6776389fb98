/* The library is opened once more for every program that is compiled, which counts a reference, and
 * never closed: LLVM keeps global state that is not freed. */
#include "llvm.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(name) #name

bool jl_load(jl_api *l, char *why, size_t size) {
  static const struct {
    const char *name;
    size_t at;
  } table[] = {
#define F(name) {TEXT(name), offsetof(jl_api, name)},
      JL_FUNCTIONS(F)
#undef F
  };
  const char *other = getenv("UPROOF_TEST_LLVM");
  void *library = dlopen(other && *other ? other : UPROOF_LLVM_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    snprintf(why, size, "%s", dlerror());
    return false;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    void *symbol = dlsym(library, table[i].name);
    if (!symbol) {
      snprintf(why, size, "%s has no %s", UPROOF_LLVM_LIBRARY, table[i].name);
      return false;
    }
    memcpy((char *)l + table[i].at, &symbol, sizeof symbol);
  }
  return true;
}
