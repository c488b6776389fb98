/* Inputs of fuzz targets, read and written by `uproof coverage`. */
#include "cli/coverage.h"
#include "fuzz/gen.h"
#include "fuzz/nodes.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES (1u << 20)
#define SEED_BYTES 4096u /* longer ones are no seeds */

/* ---- reading --------------------------------------------------------------------------------- */

static int failed(const char *path) {
  cl_error("%s: %s", path, strerror(errno));
  return CL_USAGE;
}

static int read_input(cv_session *s, up_ctx *c, uint8_t *bytes, const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return failed(path);
  size_t n = fread(bytes, 1, MOST_BYTES, f);
  int bad = ferror(f) ? failed(path) : CL_SOUND;
  fclose(f);
  if (bad) return bad;
  fz_opts o = fz_opts_default();
  fz_input in = fz_input_of(bytes, n);
  up_ctx_reset(c);
  up_node root = fz_decode(c, &o, in.graph, in.n);
  if (!up_is_none(root) && cv_add(s, c, root)) return CL_SOUND;
  cl_error("out of memory");
  return CL_HARNESS;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(cv_session *s, up_ctx *c, uint8_t *bytes, const char *dir) {
  struct dirent **entry;
  int n = scandir(dir, &entry, NULL, by_name), status = CL_SOUND;
  if (n < 0) return failed(dir);
  for (int i = 0; i < n; i++) {
    char path[4096];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", dir, entry[i]->d_name);
    if (status == CL_SOUND && stat(path, &st) == 0 && S_ISREG(st.st_mode))
      status = read_input(s, c, bytes, path);
    free(entry[i]);
  }
  free(entry);
  return status;
}

int cv_for_each_input(cv_session *s, const cl_common *a, const up_profile *p) {
  up_ctx *c = up_ctx_new(p);
  uint8_t *bytes = malloc(MOST_BYTES);
  int status = c && bytes ? CL_SOUND : CL_HARNESS;
  if (status != CL_SOUND) cl_error("out of memory");
  for (unsigned i = 0; i < a->operands.n && status == CL_SOUND; i++) {
    const char *path = a->operands.p[i];
    struct stat st;
    if (stat(path, &st) != 0)
      status = failed(path);
    else
      status = S_ISDIR(st.st_mode) ? read_folder(s, c, bytes, path) : read_input(s, c, bytes, path);
  }
  free(bytes);
  up_ctx_free(c);
  return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool cv_keep_seed(cv_session *s, up_ctx *c, up_node root) {
  uint8_t bytes[SEED_BYTES];
  uint32_t rules = up_rule_count(up_ctx_profile(c));
  bytes[0] = 0;
  size_t n = fz_encode(c, root, bytes + 1, sizeof bytes - 1);
  if (n == 0) return true; /* outside of what an input can say */
  n++;
  for (uint32_t i = 0; i < rules; i++) {
    cv_rule *r = &s->rule[i];
    if (!s->hits[i] || (r->seed && r->nseed <= n)) continue;
    uint8_t *copy = realloc(r->seed, n);
    if (!copy) return false;
    memcpy(copy, bytes, n);
    r->seed = copy;
    r->nseed = n;
  }
  return true;
}

static bool write_seed(const char *dir, const cv_rule *r) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < r->nseed; i++) h = (h ^ r->seed[i]) * UINT64_C(0x100000001b3);
  char path[4096];
  snprintf(path, sizeof path, "%s/%016llx", dir, (unsigned long long)h);
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(r->seed, 1, r->nseed, f) == r->nseed;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) cl_error("%s: %s", path, strerror(errno));
  return ok;
}

/* Marks what the seed reaches. False: no memory. */
static bool replay(cv_session *s, up_ctx *c, const cv_rule *r, bool *reached) {
  fz_opts o = fz_opts_default();
  uint32_t rules = up_rule_count(up_ctx_profile(c));
  up_ctx_reset(c);
  up_node root = fz_decode(c, &o, r->seed + 1, r->nseed - 1);
  s->seeds = false; /* only its hits */
  bool ok = !up_is_none(root) && cv_add(s, c, root);
  s->seeds = true;
  for (uint32_t i = 0; i < rules; i++) reached[i] |= s->hits[i] > 0;
  return ok;
}

/* The profile's number, which the first byte of an input chooses; 0 for a user's rules. */
static uint8_t choice_of(const up_profile *p) {
  for (unsigned i = 0; up_profile_known(i); i++)
    if (strcmp(up_profile_known(i), up_profile_base(p)) == 0) return (uint8_t)i;
  return 0;
}

int cv_write_seeds(cv_session *s, const up_profile *p, const char *dir) {
  uint32_t rules = up_rule_count(p), written = 0;
  up_ctx *c = up_ctx_new(p);
  bool *reached = calloc(rules + 1u, sizeof *reached);
  int status = c && reached ? CL_SOUND : CL_HARNESS;
  if (status != CL_SOUND) cl_error("out of memory");
  /* rarest last in the table: what only large graphs reach reaches much else on the way */
  for (uint32_t left = rules; left-- > 0 && status == CL_SOUND;) {
    const cv_rule *best = NULL;
    for (uint32_t i = 0; i < rules; i++) {
      const cv_rule *r = &s->rule[i];
      if (r->seed && !reached[i] && (!best || r->graphs < best->graphs)) best = r;
    }
    if (!best) break;
    best->seed[0] = choice_of(p);
    if (!replay(s, c, best, reached) || !write_seed(dir, best)) status = CL_HARNESS;
    written++;
  }
  if (status == CL_SOUND) fprintf(stderr, "coverage: %u inputs written to %s\n", written, dir);
  up_ctx_free(c);
  free(reached);
  return status;
}
