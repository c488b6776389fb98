/* Findings on disk. A file is written under another name, flushed to the disk and renamed, so that
 * a crash, a full disk or a power loss leaves the old state or the new one. */
#include "cli/campaign.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 1024

static bool failed(const char *path) {
  cl_error("%s: %s", path, strerror(errno));
  return false;
}

static bool path_of(char out[PATH_ROOM], const char *dir, const char *name, const char *suffix) {
  int n = snprintf(out, PATH_ROOM, "%s/%s%s", dir, name, suffix);
  if (n > 0 && n < PATH_ROOM) return true;
  cl_error("%s: path too long", dir);
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

/* A new name survives a power loss only when its directory is on the disk too. */
static bool sync_dir(const char *dir) {
  int fd = open(dir, O_RDONLY);
  if (fd < 0) return failed(dir);
  bool ok = fsync(fd) == 0;
  if (!ok) failed(dir);
  close(fd);
  return ok;
}

bool cl_keep_file(const char *dir, const char *name, const up_buf *text) {
  char path[PATH_ROOM], part[PATH_ROOM];
  if (!path_of(path, dir, name, "") || !path_of(part, dir, name, ".part")) return false;
  int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) return failed(part);
  bool ok = write_and_sync(fd, text) || failed(part);
  if (close(fd) != 0 && ok) ok = failed(part);
  if (ok && rename(part, path) != 0) ok = failed(path);
  if (!ok) unlink(part);
  return ok && sync_dir(dir);
}

bool cl_keep_line(const char *dir, const char *name, const up_buf *line) {
  char path[PATH_ROOM];
  if (!path_of(path, dir, name, "")) return false;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (fd < 0) return failed(path);
  struct stat before;
  bool ok = fstat(fd, &before) == 0 || failed(path);
  if (ok && !write_and_sync(fd, line)) {
    ok = failed(path);
    /* half a line would spoil the ones after it */
    if (ftruncate(fd, before.st_size) != 0) failed(path);
  }
  if (close(fd) != 0 && ok) ok = failed(path);
  return ok && sync_dir(dir);
}

bool cl_keep_dir(const char *dir) {
  if (mkdir(dir, 0777) == 0) return true;
  struct stat s;
  if (errno == EEXIST && stat(dir, &s) == 0 && S_ISDIR(s.st_mode)) return true;
  return failed(dir);
}
