/* Memory that runs out ends the program, in one line and with the status of a failed harness. The
 * libraries return a failure instead, and a caller of theirs may go on; here there is nothing to go
 * on to: what was found is printed and on disk, a worker costs the item it was at (cli/jobs.h).
 *
 * The linker leads the program's calls of malloc, calloc and realloc here (--wrap); GMP, which
 * would abort, and jansson are told. Z3 allocates by itself, in a process of its own: it answers with
 * an error, which is the verdict. */
#include "cli/cli.h"
#include <gmp.h>
#include <stdlib.h>
#include <unistd.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);

/* Nothing here may allocate. */
static void *end(void) {
  static const char line[] = "uproof: out of memory\n";
  fflush(stdout);
  ssize_t told = write(STDERR_FILENO, line, sizeof line - 1);
  (void)told;
  _exit(CL_HARNESS);
}

void *__wrap_malloc(size_t n) {
  void *p = __real_malloc(n);
  return p || n == 0 ? p : end();
}

void *__wrap_calloc(size_t n, size_t size) {
  void *p = __real_calloc(n, size);
  return p || n == 0 || size == 0 ? p : end();
}

void *__wrap_realloc(void *old, size_t n) {
  void *p = __real_realloc(old, n);
  return p || n == 0 ? p : end();
}

static void *enlarge(void *old, size_t before, size_t n) {
  (void)before;
  return __wrap_realloc(old, n);
}

static void give_back(void *p, size_t n) {
  (void)n;
  free(p);
}

void cl_memory_begin(void) {
  mp_set_memory_functions(__wrap_malloc, enlarge, give_back);
  json_set_alloc_funcs(__wrap_malloc, free);
}
