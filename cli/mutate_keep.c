/* Outcomes in a file, a line each: key, fate, digest of the corpus, four layers, who hides it, why. A line is
 * added as soon as it is known, so that whatever ends a run loses no more than what is under way. */
#include "cli/mutate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "# uproof mutate 1\n"
#define FIELDS (5u + MU_LAYERS)

/* ---- keys ------------------------------------------------------------------------------------ */

/* Two FNV-1a hashes from different starts; a text ends with its zero. */
static void mix(uint64_t h[2], const char *text, size_t n) {
  for (unsigned k = 0; k < 2; k++) {
    for (size_t i = 0; i < n; i++) h[k] = (h[k] ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    h[k] *= UINT64_C(0x100000001b3);
  }
}

/* The texts of all rules, and the seed: what every mutant's outcome depends on. */
static void mix_profile(const mu_run *z, uint64_t h[2]) {
  const up_profile *p = z->all.profile;
  const char *last = "";
  char seed[32];
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    const char *file = up_rule_at(p, i).file;
    size_t n = 0;
    if (strcmp(file, last) == 0) continue;
    const char *text = up_rule_text(file, &n);
    if (text) mix(h, text, n);
    last = file;
  }
  mix(h, up_profile_name(p), strlen(up_profile_name(p)));
  int n = snprintf(seed, sizeof seed, "%llu", (unsigned long long)z->a->common.seed);
  mix(h, seed, (size_t)n);
}

bool mu_make_keys(mu_run *z) {
  uint64_t all[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)};
  z->key = calloc(z->all.n + 1u, sizeof *z->key);
  if (!z->key) return cl_usage("out of memory");
  mix_profile(z, all);
  for (uint32_t i = 0; i < z->all.n; i++) {
    const cl_mutant *m = &z->all.m[i];
    uint64_t h[2] = {all[0], all[1]};
    mix(h, m->rule, strlen(m->rule));
    mix(h, m->statement.p, m->statement.len);
    snprintf(z->key[i], sizeof z->key[i], "%016llx%016llx", (unsigned long long)h[0],
             (unsigned long long)h[1]);
  }
  return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_layer(const cl_hit *h, up_buf *out) {
  up_buf_printf(out, "\t%llu %.3f", (unsigned long long)h->tried, h->seconds);
  if (h->found) up_buf_printf(out, " %s %llu", or_kind_name(h->kind), (unsigned long long)h->graph);
}

static bool take_layer(const char *text, cl_hit *h) {
  char kind[32];
  unsigned long long tried, graph = 0;
  int n = sscanf(text, "%llu %lf %31s %llu", &tried, &h->seconds, kind, &graph);
  h->tried = tried;
  h->graph = graph;
  h->found = n == 4;
  return n == 2 || (n == 4 && or_kind_parse(kind, &h->kind));
}

static bool take_fate(const char *word, pf_fate *out) {
  for (int f = 0; f < PF_FATE_COUNT; f++) {
    if (strcmp(pf_fate_name((pf_fate)f), word) != 0) continue;
    *out = (pf_fate)f;
    return true;
  }
  return false;
}

/* A line, cut into its fields in place. */
static bool take_line(char *line, char **key, mu_outcome *o) {
  char *field[FIELDS];
  unsigned n = 0;
  for (char *at = line; at && n < FIELDS; n++) {
    field[n] = at;
    at = strchr(at, '\t');
    if (at) *at++ = 0;
    if (!at && n + 1 < FIELDS) return false;
  }
  *o = (mu_outcome){.judged = true};
  *key = field[0];
  bool ok = strlen(field[0]) == 32 && take_fate(field[1], &o->fate);
  o->corpus = strtoull(field[2], NULL, 16);
  for (unsigned l = 0; l < MU_LAYERS && ok; l++) ok = take_layer(field[3 + l], &o->hit[l]);
  snprintf(o->hidden_by, sizeof o->hidden_by, "%s", field[FIELDS - 2]);
  snprintf(o->why, sizeof o->why, "%s", field[FIELDS - 1]);
  return ok;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void set_outcome(mu_run *z, const char *key, const mu_outcome *o) {
  for (uint32_t i = 0; i < z->all.n; i++)
    if (strcmp(z->key[i], key) == 0) z->o[i] = *o;
}

static bool take_text(mu_run *z, char *text, size_t n) {
  unsigned line = 1;
  for (char *at = text; at < text + n; line++) {
    char *end = strchr(at, '\n'), *key;
    mu_outcome o;
    if (!end)
      return truncate(z->a->keep, at - text) == 0 || cl_usage("%s: can't be mended", z->a->keep);
    *end = 0;
    if (line > 1 && !take_line(at, &key, &o))
      return cl_usage("%s:%u: no outcome of a mutant", z->a->keep, line);
    if (line > 1) set_outcome(z, key, &o);
    at = end + 1;
  }
  return true;
}

bool mu_load(mu_run *z) {
  size_t n;
  if (!z->a->keep || (access(z->a->keep, F_OK) != 0 && errno == ENOENT)) return true;
  char *text = cl_read_text(z->a->keep, &n);
  if (!text) return false;
  bool ok = n == 0 || strncmp(text, HEAD, strlen(HEAD)) == 0;
  if (!ok) cl_usage("%s: not a file of `uproof mutate --keep`", z->a->keep);
  ok = ok && take_text(z, text, n);
  free(text);
  return ok;
}

static void put_line(const mu_run *z, uint32_t mutant, up_buf *out) {
  const mu_outcome *o = &z->o[mutant];
  up_buf_printf(out, "%s\t%s\t%llx", z->key[mutant], pf_fate_name(o->fate),
                (unsigned long long)o->corpus);
  for (unsigned l = 0; l < MU_LAYERS; l++) put_layer(&o->hit[l], out);
  up_buf_printf(out, "\t%s\t", o->hidden_by);
  size_t from = out->len;
  up_buf_puts(out, o->why);
  for (size_t i = from; i < out->len; i++)
    if (out->p[i] == '\t' || out->p[i] == '\n') out->p[i] = ' ';
  up_buf_puts(out, "\n");
}

bool mu_keep(const mu_run *z, uint32_t mutant) {
  const mu_outcome *o = &z->o[mutant];
  if (!z->a->keep || o->fate == PF_FATE_UNKNOWN || o->fate == PF_FATE_ERROR) return true;
  up_buf line = {0};
  int fd = open(z->a->keep, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd >= 0 && lseek(fd, 0, SEEK_END) == 0) up_buf_puts(&line, HEAD);
  put_line(z, mutant, &line);
  bool ok = fd >= 0 && write(fd, line.p, line.len) == (ssize_t)line.len;
  if (!ok) cl_error("%s: %s", z->a->keep, strerror(errno));
  if (fd >= 0) close(fd);
  up_buf_free(&line);
  return ok;
}
