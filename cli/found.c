/* What fuzz targets found, folded into a campaign. */
#include "cli/campaign.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool path_of(const char *out, const char *cause, const char *profile, char path[CL_PATH]) {
  int n = snprintf(path, CL_PATH, "%s/found/%s-%s.uop", out, cause, profile);
  return n > 0 && n < CL_PATH;
}

bool cl_found_read(up_ctx *c, const char *out, const char *cause, up_node *root, up_metas *m) {
  char path[CL_PATH];
  up_error e = {0};
  fm_item item = {0};
  if (!path_of(out, cause, up_profile_name(up_ctx_profile(c)), path)) return false;
  fm_reader *r = fm_open(path, &e);
  bool ok = r && fm_next(r, c, &item, &e) == 1;
  if (ok) {
    *root = item.root;
    *m = item.meta;
    item.meta = (up_metas){0};
  } else {
    cl_input_error(path, &e);
  }
  fm_item_clear(&item);
  fm_close(r);
  return ok;
}

void cl_found_text(const char *out, const char *cause, const char *profile, up_buf *text) {
  char path[CL_PATH];
  FILE *f = path_of(out, cause, profile, path) ? fopen(path, "rb") : NULL;
  char part[4096];
  size_t got;
  while (f && (got = fread(part, 1, sizeof part, f)) > 0) up_buf_put(text, part, got);
  if (f) fclose(f);
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* The cause of a file's name, if the campaign's profile ends it and it has not been noted. */
static bool is_news(const cl_campaign *g, const char *file, char cause[OR_CAUSE_ROOM]) {
  char end[128];
  snprintf(end, sizeof end, "-%s.uop", up_profile_name(g->profile));
  size_t n = strlen(file), m = strlen(end);
  if (n <= m || strcmp(file + n - m, end) != 0 || n - m >= OR_CAUSE_ROOM) return false;
  memcpy(cause, file, n - m);
  cause[n - m] = 0;
  for (uint32_t i = 0; i < g->causes.n; i++)
    if (strcmp(g->causes.p[i].key, cause) == 0) return false;
  return true;
}

/* The value of a line `meta KEY VALUE`, up to its end; NULL: there is none. */
static const char *meta_of(const up_buf *text, const char *key, char out[128]) {
  char start[32];
  snprintf(start, sizeof start, "\nmeta %s ", key);
  const char *at = text->len ? strstr(text->p, start) : NULL;
  if (!at) return NULL;
  at += strlen(start);
  snprintf(out, 128, "%.*s", (int)strcspn(at, "\n"), at);
  return out;
}

/* True: *k is the cause as the target saw it. The graph is not looked at: one that can't be read, by a
 * target of another version, is kept all the same. */
static bool read_cause(const cl_campaign *g, const char *cause, cl_cause *k) {
  up_buf text = {0};
  char kind[128], frame[128], rule[128];
  *k = (cl_cause){.rule = -1, .first = CL_NO_CASE, .last = CL_NO_CASE};
  snprintf(k->key, sizeof k->key, "%s", cause);
  cl_found_text(g->a->out, cause, up_profile_name(g->profile), &text);
  up_buf_put(&text, "", 1);
  bool ok = !text.no_memory && meta_of(&text, "kind", kind) && meta_of(&text, "frame", frame) &&
            or_kind_parse(kind, &k->kind) && or_frame_parse(frame, &k->frame);
  if (ok && meta_of(&text, "rule", rule)) k->rule = up_rule_find(g->profile, rule);
  up_buf_free(&text);
  return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static bool take_file(cl_campaign *g, const char *file) {
  char cause[OR_CAUSE_ROOM];
  cl_cause k;
  uint32_t at;
  if (!is_news(g, file, cause)) return true;
  if (!read_cause(g, cause, &k)) {
    char path[CL_PATH], other[CL_PATH];
    path_of(g->a->out, cause, up_profile_name(g->profile), path);
    cl_error("%s/found/%s: not a finding of a fuzz target", g->a->out, file);
    g->faults++;
    /* told once */
    snprintf(other, sizeof other, "%.*s.bad", CL_PATH - 8, path);
    return rename(path, other) == 0;
  }
  if (!cl_campaign_note(g, &k, &at, NULL)) return false;
  cl_writers_add(g, at);
  cl_campaign_save(g, true);
  return true;
}

bool cl_found_take(cl_campaign *g) {
  char dir[CL_PATH];
  struct dirent **entry = NULL;
  snprintf(dir, sizeof dir, "%.*s/found", CL_PATH - 8, g->a->out);
  int n = scandir(dir, &entry, NULL, by_name);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    ok = ok && take_file(g, entry[i]->d_name);
    free(entry[i]);
  }
  free(entry);
  return ok;
}
