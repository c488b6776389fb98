/* The parent's side of a campaign: merges the workers' blocks in order, so that the first case of
 * each cause, and with it all output of a run with --runs, is the same whatever --jobs is. A finding
 * is on disk before it is printed. */
#include "cli/campaign.h"
#include "cli/viewers.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SAVE_SECONDS 0.5

double cl_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool cl_campaign_note(cl_campaign *g, const cl_cause *one, uint32_t *at, bool *is_new) {
  bool fresh;
  if (!cl_causes_add(&g->causes, one, at, &fresh)) return false;
  cl_record *r = &g->record[0];
  if (fresh) {
    r = realloc(g->record, g->causes.n * sizeof *r);
    if (!r) {
      g->causes.n--;
      return false;
    }
    g->record = r;
    memset(&r[*at], 0, sizeof *r);
    r[*at].first_seen = (int64_t)time(NULL);
    r[*at].known = cl_known_has(&g->known, g->profile, one);
  }
  g->record[*at].last_seen = (int64_t)time(NULL);
  if (is_new) *is_new = fresh;
  return true;
}

uint32_t cl_campaign_new_causes(const cl_campaign *g) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->causes.n; i++) n += !g->record[i].known;
  return n;
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* Findings are printed all the same, and tried again at the end. */
void cl_campaign_keep_fails(cl_campaign *g, const char *what) {
  if (!g->keep_failed)
    cl_error("%s: %s can't be written: %s; findings are printed, and kept at the end if that "
             "works again",
             g->a->out, what, strerror(errno));
  g->keep_failed = true;
}

static bool keep_state(cl_campaign *g) {
  up_buf state = {0}, status = {0};
  if (!g->frozen) cl_state_put(g, &state);
  cl_status_json(g, &status);
  const up_buf *text = g->frozen ? &g->frozen_state : &state;
  errno = ENOMEM;
  bool ok = !state.no_memory && !status.no_memory && cl_keep_file(g->a->out, "state.json", text) &&
            cl_keep_file(g->a->out, "status.json", &status);
  up_buf_free(&state);
  up_buf_free(&status);
  return ok;
}

void cl_campaign_save(cl_campaign *g, bool now) {
  if (!g->a->out || (!now && cl_clock() - g->saved < SAVE_SECONDS)) return;
  if (!keep_state(g)) cl_campaign_keep_fails(g, "state.json");
  g->saved = cl_clock();
}

static void freeze(cl_campaign *g) {
  if (g->frozen || !g->a->out) return;
  cl_state_put(g, &g->frozen_state);
  g->frozen = true;
}

/* causes/NAME.json: the finding with its counts, without times, so that a campaign that was
 * interrupted ends with the same files as one that was not. */
static bool keep_cause_json(const cl_campaign *g, uint32_t i) {
  const cl_cause *k = &g->causes.p[i];
  const cl_line *l = cl_store_line(&g->store, k);
  json_error_t e;
  json_t *finding = l ? json_loadb(l->text.p, l->text.len, 0, &e) : NULL;
  json_t *j = json_pack("{s:s,s:I,s:o,s:o,s:b,s:o?}", "cause", k->key, "count",
                        (json_int_t)k->count, "first_case", cl_case_json(k->first), "last_case",
                        cl_case_json(k->last), "known", g->record[i].known, "finding", finding);
  up_buf text = {0};
  char file[OR_CAUSE_ROOM + 8];
  snprintf(file, sizeof file, "%s.json", k->key);
  cl_put_json(&text, j);
  errno = ENOMEM;
  bool ok = text.len > 0 && !text.no_memory && cl_keep_file(g->store.causes, file, &text);
  up_buf_free(&text);
  return ok;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The end of --seconds is for writing up, where something is left of that: so much of them at most. */
#define LAST_PART 0.25
#define LAST_SECONDS 30.0

bool cl_campaign_begin(cl_campaign *g) {
  if (!cl_writers_open(g)) return false;
  g->started = cl_clock();
  cl_campaign_save(g, true);
  for (uint32_t i = 0; i < g->causes.n; i++) {
    const cl_line *l = g->a->out ? cl_store_line(&g->store, &g->causes.p[i]) : NULL;
    if (!cl_store_is_final(l, &g->causes.p[i])) cl_writers_add(g, i);
  }
  return true;
}

/* Until --seconds are over. */
static double seconds_left(const cl_campaign *g) {
  return g->a->seconds ? g->started + (double)g->a->seconds - cl_clock() : HUGE_VAL;
}

static bool is_over(const cl_campaign *g) { return cl_signal_pending() || seconds_left(g) <= 0; }

bool cl_campaign_goes_on(cl_campaign *g) {
  uint32_t left = cl_writers_step(g, false, 0);
  double last = LAST_PART * (double)g->a->seconds;
  if (last > LAST_SECONDS) last = LAST_SECONDS;
  return !is_over(g) && (left == 0 || seconds_left(g) > last);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void cl_campaign_progress(cl_campaign *g) {
  if (!g->a->common.progress || cl_clock() - g->shown < 1.0) return;
  up_buf b = {0};
  bool terminal = isatty(STDERR_FILENO) != 0 && !g->a->common.json;
  if (g->a->common.json)
    cl_status_json(g, &b);
  else
    cl_status_line(g, &b);
  if (b.p) fprintf(stderr, "%s%s%s", terminal ? "\r" : "", b.p, terminal ? "\033[K" : "");
  if (!terminal && !g->a->common.json) fputc('\n', stderr);
  up_buf_free(&b);
  g->shown = cl_clock();
}

static bool merge_causes(cl_campaign *g, const cl_block *b, const char *causes) {
  for (uint32_t i = 0; i < b->ncauses; i++) {
    cl_cause one;
    uint32_t at;
    bool is_new;
    memcpy(&one, causes + i * sizeof one, sizeof one);
    if (!cl_campaign_note(g, &one, &at, &is_new)) {
      g->failed = true;
      return false;
    }
    if (is_new) cl_writers_add(g, at);
    if (is_new) g->saved = 0; /* the sooner its case counts as done, the less is done again */
  }
  return true;
}

bool cl_campaign_merge(void *campaign, uint64_t unit, const char *reply, size_t n) {
  cl_campaign *g = campaign;
  cl_block b;
  (void)unit;
  memcpy(&b, reply, sizeof b);
  if (b.from != g->next) freeze(g);
  cl_tally_add(&g->total, &b.tally);
  const char *causes = reply + sizeof b, *covered = causes + b.ncauses * sizeof(cl_cause);
  if (!merge_causes(g, &b, causes)) return false;
  for (uint32_t i = 0; i < b.ncovered; i++) {
    uint32_t rule;
    memcpy(&rule, covered + i * sizeof rule, sizeof rule);
    g->covered[rule] = true;
  }
  const char *notes = covered + b.ncovered * sizeof(uint32_t);
  if (b.nnotes && n >= b.nnotes) fwrite(notes, 1, b.nnotes, stderr);
  g->next = b.to;
  cl_campaign_save(g, false);
  cl_campaign_progress(g);
  return !ferror(stdout);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What could not be kept is tried again, and the counts are written beside the findings. */
static void keep_all(cl_campaign *g) {
  int why = 0;
  for (uint32_t i = 0; i < g->causes.n; i++) {
    cl_record *r = &g->record[i];
    if (!r->kept) r->kept = cl_store_cause(&g->store, &g->causes.p[i], &r->text);
    if ((!r->kept || !keep_cause_json(g, i)) && why == 0) why = errno;
  }
  if (!cl_store_order(&g->store, &g->causes) && why == 0) why = errno;
  if (!keep_state(g) && why == 0) why = errno;
  errno = why;
  if (why) cl_campaign_keep_fails(g, "causes/ or state.json");
  g->keep_failed = why != 0;
}

/* What the key tells beyond kind, frame and rule: "-IDIV-positive". */
static const char *detail(const cl_cause *k, const char *rule) {
  size_t n = strlen(or_kind_name(k->kind)) + strlen(or_frame_name(k->frame)) + 2 +
             strlen(rule ? rule : "unknown");
  return strlen(k->key) > n && k->key[n] == '-' ? k->key + n : "";
}

static void put_causes(const cl_campaign *g, up_buf *b) {
  for (uint32_t i = 0; i < g->causes.n; i++) {
    const cl_cause *k = &g->causes.p[i];
    const char *rule = cl_cause_rule(g->profile, k);
    up_buf_printf(b, "fuzz: %8llu x %s in %s, %s%s", (unsigned long long)k->count,
                  or_kind_name(k->kind), or_frame_name(k->frame), rule ? rule : "cause unknown",
                  detail(k, rule));
    if (k->first != CL_NO_CASE)
      up_buf_printf(b, " (first: case %llu)", (unsigned long long)k->first);
    up_buf_puts(b, g->record[i].known ? ", known\n" : "\n");
  }
}

static void put_json_summary(const cl_campaign *g, bool stopped) {
  up_buf b = {0};
  json_t *j = cl_tally_json(&g->total);
  json_object_set_new(j, "causes", json_integer(g->causes.n));
  json_object_set_new(j, "new_causes", json_integer(cl_campaign_new_causes(g)));
  json_object_set_new(j, "faults", json_integer(g->faults));
  json_object_set_new(j, "seed", json_integer((json_int_t)g->a->common.seed));
  json_object_set_new(j, "stopped", json_boolean(stopped));
  cl_put_json(&b, j);
  if (b.p) fputs(b.p, stderr);
  up_buf_free(&b);
}

static void put_summary(const cl_campaign *g, bool stopped) {
  up_buf b = {0}, t = {0};
  if (g->a->common.json) {
    put_json_summary(g, stopped);
    return;
  }
  put_causes(g, &b);
  cl_tally_put(&g->total, &t);
  const char *rest = t.p ? strstr(t.p, " findings") : NULL;
  up_buf_printf(&b, "fuzz: %llu graphs, %llu findings in %u causes",
                (unsigned long long)g->total.graphs, (unsigned long long)g->total.findings,
                g->causes.n);
  if (g->a->known.n)
    up_buf_printf(&b, " (%u known, %u new)", g->causes.n - cl_campaign_new_causes(g),
                  cl_campaign_new_causes(g));
  if (g->faults) up_buf_printf(&b, ", %u faults of the harness", g->faults);
  up_buf_printf(&b, "%s, seed %llu%s\n", rest ? rest + strlen(" findings") : "",
                (unsigned long long)g->a->common.seed, stopped ? ", stopped early" : "");
  if (g->a->common.progress) fputc('\n', stderr);
  if (b.p) fwrite(b.p, 1, b.len, stderr);
  up_buf_free(&b);
  up_buf_free(&t);
}

/* What is new goes to the viewers. */
static void write_views(cl_campaign *g) {
  cl_viewers v = {
      .junit = g->a->junit, .sarif = g->a->sarif, .command = "fuzz", .rules = g->a->common.rules};
  for (uint32_t i = 0; i < g->causes.n; i++) {
    const cl_line *l = g->a->out ? cl_store_line(&g->store, &g->causes.p[i]) : NULL;
    const up_buf *text = l ? &l->text : &g->record[i].text.json;
    if (!g->record[i].known) cl_viewers_add(&v, text->p, text->len);
  }
  cl_tally t = g->total;
  t.verdict[OR_ERROR] += g->faults;
  if (!cl_viewers_write(&v, g->profile, &t)) g->failed = true;
  cl_viewers_free(&v);
}

void cl_campaign_finish(cl_campaign *g, bool stopped) {
  while (g->writing && cl_writers_step(g, is_over(g), 100) > 0) cl_campaign_progress(g);
  g->ended = true;
  if (g->a->out) keep_all(g);
  write_views(g);
  if (!g->a->common.quiet) put_summary(g, stopped);
}

int cl_campaign_status(const cl_campaign *g) {
  if (g->keep_failed || g->failed || g->faults) return CL_HARNESS;
  cl_tally t = g->total;
  if (g->a->known.n && cl_campaign_new_causes(g) == 0) t.findings = 0;
  return cl_tally_status(&t);
}

void cl_campaign_free(cl_campaign *g) {
  for (uint32_t i = 0; i < g->causes.n; i++) cl_write_up_free(&g->record[i].text);
  free(g->record);
  free(g->writing);
  free(g->causes.p);
  free(g->covered);
  up_buf_free(&g->frozen_state);
  cl_known_free(&g->known);
  if (g->a->out) cl_store_close(&g->store);
  up_profile_free(g->profile);
  json_decref(g->state);
  json_decref(g->engine);
}
