/* What is to be seen in the folders of running fuzzers: inputs on which a target failed, what they
 * have kept, how far they have come. */
#include "cli/engine.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Calls for each entry of the folder, by name, but the hidden ones; returns how many. */
static uint64_t each_entry(const char *dir, void (*each)(void *arg, const char *path), void *arg) {
  struct dirent **entry = NULL;
  uint64_t count = 0;
  int n = scandir(dir, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char path[CL_PATH + 600];
    snprintf(path, sizeof path, "%s/%s", dir, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.') {
      if (each) each(arg, path);
      count++;
    }
    free(entry[i]);
  }
  free(entry);
  return count;
}

/* ---- seeds ----------------------------------------------------------------------------------- */

typedef struct gatherer {
  const char *out;
  unsigned folder;
  bool failed;
} gatherer;

static void copy_seed(void *arg, const char *path) {
  gatherer *s = arg;
  char to[CL_PATH + 700];
  up_buf text = {0};
  char part[4096];
  size_t got;
  FILE *f = fopen(path, "rb");
  while (f && (got = fread(part, 1, sizeof part, f)) > 0) up_buf_put(&text, part, got);
  if (f) fclose(f);
  snprintf(to, sizeof to, "%s/seeds/%u-%s", s->out, s->folder, strrchr(path, '/') + 1);
  f = text.len > 0 ? fopen(to, "wb") : NULL;
  bool written = f && fwrite(text.p, 1, text.len, f) == text.len;
  if (f && (fclose(f) != 0 || !written)) s->failed = true;
  up_buf_free(&text);
}

bool cl_engine_gather(const char *out, const cl_words *seeds) {
  gatherer s = {.out = out};
  char path[CL_PATH + 16];
  for (; s.folder < seeds->n; s.folder++) each_entry(seeds->p[s.folder], copy_seed, &s);
  snprintf(path, sizeof path, "%s/seeds", out);
  up_buf zero = {0};
  up_buf_put(&zero, "0", 1);
  if (each_entry(path, NULL, NULL) == 0 && !cl_keep_file(path, "zero", &zero)) s.failed = true;
  up_buf_free(&zero);
  if (s.failed) cl_error("%s: %s", path, strerror(errno));
  return !s.failed;
}

/* ---- faults ---------------------------------------------------------------------------------- */

typedef struct fault_seeker {
  void (*each)(void *arg, const char *path);
  void *arg;
} fault_seeker;

static void seek(void *arg, const char *path) {
  const fault_seeker *s = arg;
  const char *name = strrchr(path, '/') + 1;
  static const char *const prefix[] = {"crash-", "timeout-", "oom-", "leak-", "id:"};
  for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
    if (strncmp(name, prefix[i], strlen(prefix[i])) == 0) s->each(s->arg, path);
}

static void seek_instance(void *arg, const char *path) {
  char dir[CL_PATH + 700];
  snprintf(dir, sizeof dir, "%s/crashes", path);
  each_entry(dir, seek, arg);
  snprintf(dir, sizeof dir, "%s/hangs", path);
  each_entry(dir, seek, arg);
}

void cl_engine_faults(const char *out, void (*each)(void *arg, const char *path), void *arg) {
  fault_seeker s = {.each = each, .arg = arg};
  char dir[CL_PATH + 16];
  snprintf(dir, sizeof dir, "%s/faults", out);
  each_entry(dir, seek, &s);
  snprintf(dir, sizeof dir, "%s/afl", out);
  each_entry(dir, seek_instance, &s);
}

/* ---- how far --------------------------------------------------------------------------------- */

/* The number behind the last `word` in the last bytes of a file; 0: none. */
static uint64_t last_number(const char *path, const char *word) {
  char tail[8192];
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
  long from = size > (long)sizeof tail - 1 ? size - ((long)sizeof tail - 1) : 0;
  size_t n = fseek(f, from, SEEK_SET) == 0 ? fread(tail, 1, sizeof tail - 1, f) : 0;
  fclose(f);
  tail[n] = 0;
  const char *last = NULL;
  for (const char *at = tail; (at = strstr(at, word)) != NULL; at++) last = at + strlen(word);
  return last ? strtoull(last + strspn(last, " :"), NULL, 10) : 0;
}

void cl_engine_reach(const char *out, const cl_engine *e, uint64_t *inputs, uint64_t *edges) {
  char path[CL_PATH + 64];
  *inputs = *edges = 0;
  snprintf(path, sizeof path, "%s/corpus", out);
  if (!e->afl) *inputs = each_entry(path, NULL, NULL);
  for (unsigned i = 0; i < e->nchildren; i++) {
    char name[32];
    uint64_t n;
    snprintf(name, sizeof name, i ? "s%u" : "main", i);
    snprintf(path, sizeof path, "%s/afl/%s/fuzzer_stats", out, name);
    if (e->afl) *inputs += last_number(path, "corpus_count");
    n = e->afl ? last_number(path, "edges_found") : last_number(e->child[i].log, " cov: ");
    if (n > *edges) *edges = n;
  }
}
