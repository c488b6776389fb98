/* What a target tells its surroundings: findings in a folder, counts in a shared file. */
#include "formats/formats.h"
#include "fuzz/harness.h"
#include "fuzz/stats.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_metas(up_ctx *c, const or_finding *f, const char *cause, up_metas *m) {
  const up_profile *p = up_ctx_profile(c);
  up_buf w = {0};
  up_metas_set(m, "profile", up_profile_name(p));
  up_metas_set(m, "kind", or_kind_name(f->kind));
  up_metas_set(m, "frame", or_frame_name(f->frame));
  up_metas_set(m, "rule", f->rule < 0 ? "unknown" : up_rule_at(p, (uint32_t)f->rule).name);
  up_metas_set(m, "cause", cause);
  if (f->witness.n) or_witness_put(c, &f->witness, &w);
  if (w.p) up_metas_set(m, "witness", w.p);
  if (f->expected[0]) up_metas_set(m, "expected", f->expected);
  if (f->actual[0]) up_metas_set(m, "actual", f->actual);
  up_buf_free(&w);
}

/* What a simplification under a valid is about has no `.uop` form: a JSON row, which `uproof check` reads. */
static void put_row(up_ctx *c, const or_finding *f, const char *cause, up_buf *out) {
  json_t *j =
      json_pack("{s:s,s:s,s:s,s:s,s:s,s:o,s:o}", "profile", up_profile_name(up_ctx_profile(c)),
                "kind", or_kind_name(f->kind), "frame", or_frame_name(f->frame), "cause", cause,
                "mode", or_valid_mode_name(f->mode), "nodes", fm_nodes_to_json(c, f->graph),
                "valid", fm_nodes_to_json(c, f->valid));
  char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;
  if (text) up_buf_printf(out, "%s\n", text);
  if (!text) out->no_memory = true;
  free(text);
  json_decref(j);
}

static void put_uop(up_ctx *c, const or_finding *f, const char *cause, up_buf *out) {
  up_metas m = {0};
  put_metas(c, f, cause, &m);
  up_print_uop(c, f->graph, &m, out);
  up_metas_free(&m);
}

static void fail(const char *path) {
  fprintf(stderr, "uproof: %s: %s\n", path, strerror(errno));
  fz_require(false, "the finding is saved");
}

/* On the disk before it has its name. The part is this process's own: others may save the same. A
 * signal that is to end the process waits for it. */
static void write_file(const char *path, const up_buf *text) {
  char part[1100];
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
  FILE *out = fopen(part, "wb");
  bool ok = out && fwrite(text->p, 1, text->len, out) == text->len && fflush(out) == 0 &&
            fsync(fileno(out)) == 0;
  if (out && fclose(out) != 0) ok = false;
  if (!ok || rename(part, path) != 0) fail(part);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

void fz_harness_save(fz_harness *h, const or_finding *f, const char *cause) {
  const char *dir = getenv("UPROOF_FINDINGS");
  if (!dir) return;
  up_ctx *c = fz_harness_ctx(h);
  char path[1024];
  bool plain = f->mode == OR_NO_VALID;
  int n = snprintf(path, sizeof path, "%s/%s-%s.%s", dir, cause, up_profile_name(up_ctx_profile(c)),
                   plain ? "uop" : "jsonl");
  fz_require(n > 0 && (size_t)n < sizeof path, "UPROOF_FINDINGS is a path of sensible length");
  if (access(path, F_OK) == 0) return;
  up_buf text = {0};
  if (plain)
    put_uop(c, f, cause, &text);
  else
    put_row(c, f, cause, &text);
  fz_require(!text.no_memory, "memory");
  write_file(path, &text);
  up_buf_free(&text);
}

static void count(fz_stats *s, const fz_case *k, const or_report *r, const uint8_t *hits) {
  uint32_t rules = up_rule_count(up_ctx_profile(k->c));
  atomic_fetch_add(&s->verdict[r->verdict], 1);
  if (r->nfindings) atomic_fetch_add(&s->findings, r->nfindings);
  for (uint32_t i = 0; i < rules; i++)
    if (hits[i] && !atomic_load_explicit(&s->rule[i], memory_order_relaxed)) s->rule[i] = 1;
}

void fz_case_tell(const fz_case *k, const or_report *r, const uint8_t *hits) {
  if (k->stats) count(k->stats, k, r, hits);
  for (uint32_t i = 0; i < r->nfindings; i++) {
    char cause[OR_CAUSE_ROOM];
    or_finding_cause(k->c, &r->finding[i], cause);
    fz_harness_save(k->h, &r->finding[i], cause);
    if (k->stats) fz_stats_add(k->stats, cause);
  }
}

/* ---- what the surroundings tell -------------------------------------------------------------- */

static int number_of_profile(const char *name) {
  for (int i = 0; up_profile_known((unsigned)i); i++)
    if (strcmp(up_profile_known((unsigned)i), name) == 0) return i;
  fz_require(false, "UPROOF_PROFILE is a profile");
  return -1;
}

static void ask(fz_harnesses *all) {
  const char *profile = getenv("UPROOF_PROFILE"), *frame = getenv("UPROOF_FRAME"),
             *stats = getenv("UPROOF_STATS");
  or_frame f = OR_IDEAL;
  all->asked = true;
  fz_require(!frame || or_frame_parse(frame, &f), "UPROOF_FRAME is a frame");
  all->profile = profile ? number_of_profile(profile) : -1;
  all->frame = frame ? (int)f : -1;
  all->stats = stats ? fz_stats_map(stats, false) : NULL;
  fz_require(!stats || all->stats, "UPROOF_STATS is a file of counts");
}

void fz_run_begin(fz_harnesses *all) {
  if (!all->asked) ask(all);
  if (all->stats) atomic_fetch_add(&all->stats->runs, 1);
}
