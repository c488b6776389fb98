/* The findings of new causes are written up by processes of their own, while the campaign goes on. On
 * disk they are as soon as they are done; printed they are in the order in which they were found, so
 * that the output of a run with --runs does not depend on which is done first. */
#include "cli/campaign.h"
#include <stdlib.h>
#include <string.h>

bool cl_writers_open(cl_campaign *g) {
  g->writing = calloc(cl_jobs(&g->a->common), sizeof *g->writing);
  return g->writing != NULL;
}

uint32_t cl_writers_left(const cl_campaign *g) {
  uint32_t n = 0;
  for (uint32_t i = g->told; i < g->causes.n; i++)
    n += g->record[i].stage == CL_WAITS || g->record[i].stage == CL_IN_WRITING;
  return n;
}

static void print_in_order(cl_campaign *g) {
  for (; g->told < g->causes.n; g->told++) {
    cl_record *r = &g->record[g->told];
    if (r->stage == CL_WAITS || r->stage == CL_IN_WRITING) break;
    if (r->stage == CL_WRITTEN && !r->known) fwrite(r->text.json.p, 1, r->text.json.len, stdout);
    r->stage = CL_TOLD;
  }
  fflush(stdout);
}

void cl_writers_add(cl_campaign *g, uint32_t at) {
  const cl_cause *k = &g->causes.p[at];
  cl_record *r = &g->record[at];
  const cl_line *l = g->a->out ? cl_store_line(&g->store, k) : NULL;
  r->stage = CL_WAITS;
  if (!cl_store_is_final(l, k)) return;
  /* kept by a run that was cut off before it could tell that the case is done */
  up_buf_put(&r->text.json, l->text.p, l->text.len);
  r->kept = true;
  r->stage = CL_WRITTEN;
}

static void start_next(cl_campaign *g, uint32_t at, cl_writing **w) {
  const cl_cause *k = &g->causes.p[at];
  char path[CL_PATH + OR_CAUSE_ROOM + 8];
  snprintf(path, sizeof path, "%s/%s.uop", g->store.causes, k->key);
  *w = cl_write_up_start(g->a, k, g->a->out ? path : NULL);
  g->record[at].stage = *w ? CL_IN_WRITING : CL_TOLD;
  if (!*w) g->failed = true;
}

static void finish(cl_campaign *g, cl_writing **w) {
  cl_cause k;
  cl_write_up text = cl_write_up_end(*w, g->profile, &k);
  uint32_t at = 0;
  *w = NULL;
  while (strcmp(g->causes.p[at].key, k.key) != 0) at++;
  cl_record *r = &g->record[at];
  cl_write_up_free(&r->text);
  r->text = text;
  r->stage = CL_WRITTEN;
  if (text.failed || text.json.no_memory || text.uop.no_memory || text.py.no_memory)
    g->failed = true;
  if (!g->a->out || text.json.len == 0) return;
  r->kept = cl_store_cause(&g->store, &k, &text);
  if (!r->kept) cl_campaign_keep_fails(g, "findings.jsonl or causes/");
}

/* The first that waits; those that are not on disk at all before those to be reduced again. */
static bool next_to_write(const cl_campaign *g, uint32_t *at) {
  bool found = false;
  for (uint32_t i = g->told; i < g->causes.n; i++) {
    if (g->record[i].stage != CL_WAITS) continue;
    if (!found) *at = i;
    found = true;
    if (!g->a->out || !cl_store_line(&g->store, &g->causes.p[i])) {
      *at = i;
      return true;
    }
  }
  return found;
}

uint32_t cl_writers_step(cl_campaign *g, bool stop, int milliseconds) {
  unsigned jobs = cl_jobs(&g->a->common);
  uint32_t at;
  for (unsigned i = 0; i < jobs; i++) {
    cl_writing **w = &g->writing[i];
    if (!*w && next_to_write(g, &at)) start_next(g, at, w);
    if (*w && stop) cl_write_up_stop(*w);
    if (*w && cl_write_up_step(*w, milliseconds)) finish(g, w);
  }
  print_in_order(g);
  return cl_writers_left(g);
}
