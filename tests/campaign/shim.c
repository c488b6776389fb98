/* Preloaded into the program: at its N-th operation on a regular file (making, writing, flushing,
 * renaming, cutting) the process is killed (SHIM_KILL=N), half of a write done; or from then on the
 * disk is full (SHIM_FULL=N). SHIM_COUNT=FILE: the number of operations is left there at exit. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long done;
static pid_t parent;

__attribute__((constructor)) static void begin(void) { parent = getpid(); }

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("SHIM_COUNT");
  if (!path || getpid() != parent) return;
  FILE *f = fopen(path, "w");
  if (f) {
    fprintf(f, "%ld\n", done);
    fclose(f);
  }
}

static long limit(const char *name) {
  const char *s = getenv(name);
  return s ? atol(s) : 0;
}

/* Only the process that was started is counted, not its workers. */
static int counted(void) { return getpid() == parent; }

/* True: the disk is full. */
static int operation(void) {
  if (!counted()) return 0;
  done++;
  if (limit("SHIM_KILL") == done) kill(getpid(), SIGKILL);
  long full = limit("SHIM_FULL");
  return full > 0 && done >= full;
}

static int regular(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && fd > 2;
}

static int no_space(void) {
  errno = ENOSPC;
  return -1;
}

int open(const char *path, int flags, ...) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  int mode = 0;
  if (flags & O_CREAT) {
    va_list ap;
    va_start(ap, flags);
    mode = va_arg(ap, int);
    va_end(ap);
    if (operation() && access(path, F_OK) != 0) return no_space();
  }
  return real(path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n) {
  ssize_t (*real)(int, const void *, size_t) =
      (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (!counted() || !regular(fd)) return real(fd, p, n);
  if (limit("SHIM_KILL") == done + 1) real(fd, p, n / 2);
  if (!operation()) return real(fd, p, n);
  if (n < 2) return no_space();
  /* what still fits is written, the rest fails when it is tried */
  return real(fd, p, n / 2);
}

/* What was written is there for the next process without it: to wait for the disk, most of the test's
 * time, would show nothing. */
int fsync(int fd) {
  (void)fd;
  operation();
  return 0;
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) =
      (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  operation();
  return real(from, to);
}
