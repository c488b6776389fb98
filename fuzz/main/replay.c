/* Runs the given files, and the files of the given folders, through a fuzz target once each. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool failed(const char *path) {
  fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
  return false;
}

static bool run_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return failed(path);
  uint8_t *data = NULL;
  size_t n = 0, cap = 0, got = 1;
  bool ok = true;
  while (ok && got > 0) {
    if (n == cap) {
      uint8_t *grown = realloc(data, cap = cap ? cap * 2 : 4096);
      if (!grown)
        ok = failed(path);
      else
        data = grown;
    }
    got = ok ? fread(data + n, 1, cap - n, f) : 0;
    n += got;
  }
  if (ok && ferror(f)) ok = failed(path);
  fclose(f);
  if (ok) LLVMFuzzerTestOneInput(data, n);
  free(data);
  return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* The plain files of a folder, by name. */
static bool run_folder(const char *path, unsigned long *count) {
  struct dirent **entry;
  int n = scandir(path, &entry, NULL, by_name);
  if (n < 0) return failed(path);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    char file[4096];
    struct stat s;
    snprintf(file, sizeof file, "%s/%s", path, entry[i]->d_name);
    if (ok && stat(file, &s) == 0 && S_ISREG(s.st_mode)) {
      ok = run_file(file);
      ++*count;
    }
    free(entry[i]);
  }
  free(entry);
  return ok;
}

int main(int argc, char **argv) {
  unsigned long count = 0;
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    struct stat s;
    if (stat(argv[i], &s) != 0) return failed(argv[i]) ? 0 : 2;
    if (S_ISDIR(s.st_mode)) {
      if (!run_folder(argv[i], &count)) return 2;
    } else {
      if (!run_file(argv[i])) return 2;
      count++;
    }
  }
  fprintf(stderr, "replay: %lu inputs\n", count);
  return 0;
}
