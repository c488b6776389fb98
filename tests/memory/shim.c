/* Preloaded into the program: counts what its own code and GMP and jansson by it allocate, over all
 * its processes, and lets one allocation fail (cli/memory.c calls for all of them).
 *
 *   ALLOC_FAIL=N      the N-th fails; with ALLOC_ON=1 each one after it, too
 *   ALLOC_SITES=FILE  a line an allocation: its number, and a digest of the calls that led to it
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEPTH 12

static uintptr_t low, high; /* the program's code */
static atomic_long *done;   /* one counter for all processes */
static long fail_at;
static bool fail_on, ready;
static int sites = -1;
static __thread bool inside;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

/* The program itself comes first. */
static int find_code(struct dl_phdr_info *info, size_t size, void *arg) {
  (void)size, (void)arg;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
    low = info->dlpi_addr + h->p_vaddr;
    high = low + h->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  void *frame[2];
  const char *path = getenv("ALLOC_SITES"), *n = getenv("ALLOC_FAIL");
  backtrace(frame, 2); /* it allocates when it is first called */
  dl_iterate_phdr(find_code, NULL);
  done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (done == MAP_FAILED || !low) abort();
  unsetenv("LD_PRELOAD"); /* programs that it starts have their memory */
  if (path) sites = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  fail_at = n ? atol(n) : 0;
  fail_on = getenv("ALLOC_ON") != NULL;
  ready = true;
}

static void put_site(long number) {
  void *frame[DEPTH];
  char line[64];
  uint64_t h = 0;
  int n = backtrace(frame, DEPTH);
  for (int i = 3; i < n; i++) h = (h ^ ((uintptr_t)frame[i] - low)) * UINT64_C(0x9E3779B97F4A7C15);
  n = snprintf(line, sizeof line, "%ld %016llx\n", number, (unsigned long long)h);
  if (write(sites, line, (size_t)n) != n) abort();
}

static bool fails(const void *from) {
  if (!ready || inside || (uintptr_t)from < low || (uintptr_t)from >= high) return false;
  long number = atomic_fetch_add(done, 1) + 1;
  inside = true;
  if (sites >= 0) put_site(number);
  inside = false;
  return number == fail_at || (fail_on && fail_at && number > fail_at);
}

void *malloc(size_t n) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n); }

void *calloc(size_t n, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, n);
}
