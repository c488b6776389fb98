/* Lists of causes that a profile is known to have. */
#include "cli/campaign.h"
#include "proofs/ledger.h"
#include "proofs/trusted.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool put_word(cl_known *k, const char *s, size_t n) {
  if (k->n + n + 1 > k->cap) {
    size_t cap = k->cap * 2 + n + 256;
    char *p = realloc(k->text, cap);
    if (!p) {
      cl_error("out of memory");
      return false;
    }
    k->text = p;
    k->cap = cap;
  }
  memcpy(k->text + k->n, s, n);
  k->n += n;
  k->text[k->n++] = 0;
  return true;
}

/* Does it begin with a kind, as causes do (or_finding_cause)? */
static bool is_cause(const char *w) {
  const char *dash = strchr(w, '-');
  char kind[32];
  or_kind k;
  if (!dash || (size_t)(dash - w) >= sizeof kind) return false;
  memcpy(kind, w, (size_t)(dash - w));
  kind[dash - w] = 0;
  return or_kind_parse(kind, &k);
}

/* A line of one word. */
static bool put_key(cl_known *k, const char *key) {
  return put_word(k, key, strlen(key)) && put_word(k, "", 0) && put_word(k, "", 0);
}

static bool word_is_valid(unsigned i, const char *w) {
  or_kind kind;
  or_frame frame;
  if (strcmp(w, "*") == 0 || i == 2) return true;
  return i == 0 ? or_kind_parse(w, &kind) : or_frame_parse(w, &frame);
}

/* Cuts a line into at most `most` words; returns how many there are. */
static unsigned cut(char *line, char *word[], unsigned most) {
  char *comment = strchr(line, '#'), *save = NULL;
  unsigned n = 0;
  if (comment) *comment = 0;
  for (char *w = strtok_r(line, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save)) {
    if (n < most) word[n] = w;
    n++;
  }
  return n;
}

static bool take_line(cl_known *known, const char *file, unsigned row, char *line) {
  static const char *const what[] = {"kind", "frame", "rule"};
  char *w[4];
  unsigned n = cut(line, w, 4);
  if (n == 0) return true;
  if (n == 1 && is_cause(w[0])) return put_key(known, w[0]);
  if (n == 1) {
    cl_error(
        "%s:%u:%u: '%.40s' is no cause (KIND-FRAME-...), and a line is that or KIND FRAME RULE",
        file, row, (unsigned)(w[0] - line) + 1, w[0]);
    return false;
  }
  if (n != 3) {
    cl_error("%s:%u:%u: a line is KIND FRAME RULE, or one CAUSE", file, row,
             n < 3 ? 1 : (unsigned)(w[3] - line) + 1);
    return false;
  }
  for (unsigned i = 0; i < 3; i++) {
    if (!word_is_valid(i, w[i])) {
      cl_error("%s:%u:%u: '%s' is no %s", file, row, (unsigned)(w[i] - line) + 1, w[i], what[i]);
      return false;
    }
    if (!put_word(known, w[i], strlen(w[i]))) return false;
  }
  return true;
}

static bool load_file(cl_known *known, const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) {
    cl_error("%s: cannot open: %s", path, strerror(errno));
    return false;
  }
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  for (unsigned row = 1; ok && getline(&line, &room, f) >= 0; row++)
    ok = take_line(known, path, row, line);
  if (ok && !feof(f)) {
    cl_error("%s: cannot read: %s", path, strerror(errno));
    ok = false;
  }
  free(line);
  fclose(f);
  return ok;
}

bool cl_known_load(const cl_texts *files, cl_known *out) {
  memset(out, 0, sizeof *out);
  for (unsigned i = 0; i < files->n; i++) {
    if (strcmp(files->p[i], "rules") == 0)
      out->marks = true;
    else if (strcmp(files->p[i], "refuted") == 0)
      out->by_verdicts = true;
    else if (!load_file(out, files->p[i]))
      return false;
  }
  return true;
}

bool cl_known_verdicts(cl_known *known, const up_profile *p) {
  if (!known->by_verdicts) return true;
  if (up_profile_is_external(p))
    return cl_usage("--known refuted: the verdicts are about rules of profiles, not of adapters");
  uint32_t n = up_rule_count(p);
  up_error e = {.msg = "out of memory"};
  pf_standing *standing = calloc(n + 1, sizeof *standing);
  known->refuted = calloc(n + 1, sizeof *known->refuted);
  pf_cache *c = standing && known->refuted ? pf_cache_committed(&e) : NULL;
  bool ok = c && pf_standings(p, c, OR_IDEAL, standing, &e);
  for (uint32_t r = 0; r < n && ok; r++) known->refuted[r] = standing[r] == PF_STANDS_REFUTED;
  if (!ok) cl_error("--known refuted: %s", e.msg);
  pf_cache_free(c);
  free(standing);
  return ok;
}

static bool refuted(const cl_known *known, const cl_cause *k) {
  return known->refuted && k->rule >= 0 && known->refuted[k->rule] && k->frame == OR_IDEAL &&
         (k->kind == OR_VALUE || k->kind == OR_BOUNDS);
}

static bool marked(const up_profile *p, const cl_cause *k) {
  static const unsigned bit[] = {
      [OR_IDEAL] = UP_RULE_IDEAL, [OR_WRAP] = UP_RULE_WRAP, [OR_REFINE] = UP_RULE_REFINE};
  return k->rule >= 0 && !up_profile_is_external(p) &&
         (up_rule_at(p, (uint32_t)k->rule).wrong_in & bit[k->frame]) != 0;
}

static bool fits(const char *word, const char *name) {
  return strcmp(word, "*") == 0 || strcmp(word, name) == 0;
}

bool cl_known_has(const cl_known *known, const up_profile *p, const cl_cause *k) {
  if ((known->marks && marked(p, k)) || refuted(known, k)) return true;
  const char *name = cl_cause_rule(p, k);
  for (size_t at = 0; at < known->n;) {
    const char *w[3];
    for (unsigned i = 0; i < 3; i++) {
      w[i] = known->text + at;
      at += strlen(w[i]) + 1;
    }
    if (!w[1][0] && strcmp(w[0], k->key) == 0) return true;
    if (w[1][0] && fits(w[0], or_kind_name(k->kind)) && fits(w[1], or_frame_name(k->frame)) &&
        fits(w[2], name ? name : "unknown"))
      return true;
  }
  return false;
}

void cl_known_free(cl_known *known) {
  free(known->text);
  free(known->refuted);
  memset(known, 0, sizeof *known);
}
