#include "fuzz/stats.h"
#include "fuzz/harness.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static fz_stats *map(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0) return NULL;
  errno = EINVAL;
  if (st.st_size != sizeof(fz_stats)) return NULL;
  void *p = mmap(NULL, sizeof(fz_stats), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Another file of that name, not the old one cut short: it may be mapped by processes that still run. */
fz_stats *fz_stats_map(const char *path, bool anew) {
  if (anew && unlink(path) != 0 && errno != ENOENT) return NULL;
  int fd = open(path, O_RDWR | O_CLOEXEC | (anew ? O_CREAT | O_EXCL : 0), 0666);
  if (fd < 0) return NULL;
  /* blocks at once: a disk that is full later must not kill who counts */
  int why = anew ? posix_fallocate(fd, 0, sizeof(fz_stats)) : 0;
  errno = why;
  fz_stats *s = why ? NULL : map(fd);
  why = errno;
  close(fd);
  errno = why;
  if (!s) return NULL;
  if (anew) atomic_store(&s->layout, FZ_STATS_LAYOUT);
  if (atomic_load(&s->layout) == FZ_STATS_LAYOUT) return s;
  fz_stats_unmap(s);
  errno = EINVAL;
  return NULL;
}

void fz_stats_unmap(fz_stats *s) {
  if (s) munmap(s, sizeof *s);
}

static uint64_t digest(const char *cause) {
  uint64_t h = fz_digest((const uint8_t *)cause, strlen(cause));
  return h ? h : 1;
}

void fz_stats_add(fz_stats *s, const char *cause) {
  uint64_t name = digest(cause);
  for (uint32_t i = 0; i < FZ_STATS_CAUSES; i++) {
    uint32_t at = (uint32_t)((name + i) % FZ_STATS_CAUSES);
    uint64_t was = 0;
    if (!atomic_compare_exchange_strong(&s->cause[at].name, &was, name) && was != name) continue;
    atomic_fetch_add(&s->cause[at].count, 1);
    return;
  }
}

uint64_t fz_stats_of(const fz_stats *s, const char *cause) {
  uint64_t name = digest(cause);
  for (uint32_t i = 0; i < FZ_STATS_CAUSES; i++) {
    uint32_t at = (uint32_t)((name + i) % FZ_STATS_CAUSES);
    uint64_t was = atomic_load(&s->cause[at].name);
    if (was == name) return atomic_load(&s->cause[at].count);
    if (was == 0) return 0;
  }
  return 0;
}
