/* Where results are to go: asked before the work, not after it. */
#include "cli/cli.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cl_keep_dir(const char *dir) {
  if (mkdir(dir, 0777) == 0) return true;
  struct stat s;
  int why = errno;
  if (why == EEXIST && stat(dir, &s) == 0 && S_ISDIR(s.st_mode)) return true;
  cl_error("%s: %s", dir, why == EEXIST ? "not a folder" : strerror(why));
  return false;
}

bool cl_can_write(const char *path) {
  const char *name = strrchr(path, '/');
  struct stat s;
  if (stat(path, &s) == 0) {
    if (S_ISDIR(s.st_mode)) errno = EISDIR;
    if (!S_ISDIR(s.st_mode) && access(path, W_OK) == 0) return true;
  } else {
    char dir[PATH_MAX];
    int n = name > path ? (int)(name - path) : 1;
    errno = ENAMETOOLONG;
    if (strlen(path) < sizeof dir && snprintf(dir, sizeof dir, "%.*s", n, name ? path : ".") > 0 &&
        access(dir, W_OK | X_OK) == 0)
      return true;
  }
  return cl_usage("%s: %s", path, strerror(errno));
}
