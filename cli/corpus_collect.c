/* Inputs out of the folders of several fuzzers. */
#include "cli/corpus.h"
#include "fuzz/gen.h"
#include "fuzz/nodes.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH 4096u
#define DEEPEST 16u

static bool add(cp_inputs *all, const uint8_t *bytes, size_t n) {
  if (all->n == all->cap) {
    size_t cap = all->cap ? all->cap * 2 : 1024;
    cp_input *p = realloc(all->p, cap * sizeof *p);
    if (!p) return cl_usage("out of memory");
    all->p = p;
    all->cap = cap;
  }
  uint8_t *copy = malloc(n + 1);
  if (!copy) return cl_usage("out of memory");
  memcpy(copy, bytes, n);
  all->p[all->n++] = (cp_input){copy, n};
  return true;
}

static uint8_t choice_of(const fm_item *item) {
  const char *profile = up_metas_get(&item->meta, "profile");
  const char *frame = up_metas_get(&item->meta, "frame");
  or_frame f = OR_IDEAL;
  unsigned i = 0;
  while (profile && up_profile_known(i) && strcmp(up_profile_known(i), profile) != 0) i++;
  if (!profile || !up_profile_known(i)) i = 0;
  if (frame && !or_frame_parse(frame, &f)) f = OR_IDEAL;
  return (uint8_t)(i | (unsigned)f << 3);
}

/* A graph as an input; one that has no encoding is left out. */
static bool add_graph(const char *path, cp_inputs *all) {
  uint8_t bytes[8192];
  up_error e = {0};
  fm_item item = {0};
  up_profile *p = up_profile_load("sound", &e);
  up_ctx *c = p ? up_ctx_new(p) : NULL;
  fm_reader *r = c ? fm_open(path, &e) : NULL;
  bool ok = true;
  size_t n =
      r && fm_next(r, c, &item, &e) == 1 ? fz_encode(c, item.root, bytes + 1, sizeof bytes - 1) : 0;
  if (n > 0) {
    bytes[0] = choice_of(&item);
    ok = add(all, bytes, n + 1);
  } else {
    all->unreadable++;
  }
  fm_item_clear(&item);
  fm_close(r);
  up_ctx_free(c);
  up_profile_free(p);
  return ok;
}

static bool add_file(const char *path, cp_inputs *all) {
  size_t n = strlen(path);
  if (n > 4 && strcmp(path + n - 4, ".uop") == 0) return add_graph(path, all);
  FILE *f = fopen(path, "rb");
  if (!f) return cl_usage("%s: %s", path, strerror(errno));
  uint8_t *bytes = malloc(CP_MOST_BYTES + 1);
  n = bytes ? fread(bytes, 1, CP_MOST_BYTES + 1, f) : 0;
  bool ok = bytes && (!ferror(f) || cl_usage("%s: can't be read", path));
  fclose(f);
  if (ok && n > CP_MOST_BYTES)
    all->too_long++;
  else if (ok)
    ok = add(all, bytes, n);
  free(bytes);
  return ok;
}

static bool has(const char *dir, const char *name, char path[PATH]) {
  int n = snprintf(path, PATH, "%s/%s", dir, name);
  return n > 0 && n < (int)PATH && access(path, F_OK) == 0;
}

static bool collect(const char *dir, unsigned depth, cp_inputs *all);

/* Files, and folders, but hidden ones. */
static bool collect_plain(const char *dir, unsigned depth, cp_inputs *all) {
  struct dirent **entry = NULL;
  int n = scandir(dir, &entry, NULL, alphasort);
  bool ok = n >= 0 || cl_usage("%s: %s", dir, strerror(errno));
  for (int i = 0; i < n; i++) {
    char path[PATH];
    struct stat s;
    if (ok && entry[i]->d_name[0] != '.' && has(dir, entry[i]->d_name, path) &&
        stat(path, &s) == 0) {
      if (S_ISDIR(s.st_mode)) ok = collect(path, depth + 1, all);
      if (S_ISREG(s.st_mode)) ok = add_file(path, all);
    }
    free(entry[i]);
  }
  free(entry);
  return ok;
}

static bool collect(const char *dir, unsigned depth, cp_inputs *all) {
  static const char *const of_campaign[] = {"corpus", "afl", "found", NULL};
  static const char *const of_afl[] = {"queue", NULL};
  char path[PATH];
  const char *const *part = NULL;
  if (depth > DEEPEST) return cl_usage("%s: folders in folders, too many", dir);
  if (has(dir, "state.json", path)) part = of_campaign;
  if (has(dir, "fuzzer_stats", path)) part = of_afl;
  if (!part) return collect_plain(dir, depth, all);
  bool ok = true;
  for (; *part && ok; part++)
    if (has(dir, *part, path)) ok = collect(path, depth + 1, all);
  return ok;
}

bool cp_collect(const char *dir, cp_inputs *all) { return collect(dir, 0, all); }

static int by_size(const void *a, const void *b) {
  const cp_input *x = a, *y = b;
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  return memcmp(x->bytes, y->bytes, x->n);
}

void cp_sort(cp_inputs *all) {
  size_t kept = 0;
  if (all->n) qsort(all->p, all->n, sizeof *all->p, by_size);
  for (size_t i = 0; i < all->n; i++) {
    if (kept > 0 && by_size(&all->p[kept - 1], &all->p[i]) == 0)
      free(all->p[i].bytes);
    else
      all->p[kept++] = all->p[i];
  }
  all->n = kept;
}

void cp_free(cp_inputs *all) {
  for (size_t i = 0; i < all->n; i++) free(all->p[i].bytes);
  free(all->p);
  memset(all, 0, sizeof *all);
}
