/* Files on disk. A file is written under another name, flushed to the disk and renamed, so that a
 * crash, a full disk or a power loss leaves the old state or the new one. */
#include "cli/campaign.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool path_of(char out[CL_PATH], const char *dir, const char *name, const char *suffix) {
  int n = snprintf(out, CL_PATH, "%s/%s%s", dir, name, suffix);
  if (n > 0 && n < CL_PATH) return true;
  errno = ENAMETOOLONG;
  return false;
}

static bool write_and_sync(int fd, const up_buf *text) {
  for (size_t at = 0; at < text->len;) {
    ssize_t n = write(fd, text->p + at, text->len - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += (size_t)n;
  }
  return fsync(fd) == 0;
}

/* A failure of close must not hide the one before it. */
static bool close_after(int fd, bool ok) {
  int why = errno;
  if (close(fd) != 0 && ok) return false;
  if (!ok) errno = why;
  return ok;
}

/* A new name survives a power loss only when its directory is on the disk too. */
static bool sync_dir(const char *dir) {
  int fd = open(dir, O_RDONLY | O_CLOEXEC);
  return fd >= 0 && close_after(fd, fsync(fd) == 0);
}

bool cl_keep_file(const char *dir, const char *name, const up_buf *text) {
  char path[CL_PATH], part[CL_PATH];
  if (!path_of(path, dir, name, "") || !path_of(part, dir, name, ".part")) return false;
  int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  bool ok = close_after(fd, write_and_sync(fd, text));
  if (ok && rename(part, path) == 0) return sync_dir(dir);
  int why = errno;
  unlink(part);
  errno = why;
  return false;
}

bool cl_keep_line(const char *dir, const char *name, const up_buf *line) {
  char path[CL_PATH];
  if (!path_of(path, dir, name, "")) return false;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  struct stat before;
  bool ok = fstat(fd, &before) == 0;
  if (ok && !write_and_sync(fd, line)) {
    int why = errno;
    ok = false;
    /* half a line would spoil the ones after it */
    if (ftruncate(fd, before.st_size) != 0) cl_error("%s: ends in half a line", path);
    errno = why;
  }
  return close_after(fd, ok) && sync_dir(dir);
}
