/* Messages, profiles and reading. */
#include "cli/cli.h"
#include "cli/adapter.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void message(const char *fmt, va_list ap) {
  fputs("uproof: ", stderr);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
}

bool cl_usage(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  message(fmt, ap);
  va_end(ap);
  return false;
}

void cl_error(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  message(fmt, ap);
  va_end(ap);
}

void cl_put_input_error(up_buf *out, const char *file, const up_error *e) {
  up_buf_printf(out, "uproof: %s:", file);
  if (e->line) up_buf_printf(out, "%u:%u:", e->line, e->col);
  up_buf_printf(out, " %s\n", e->msg);
}

void cl_input_error(const char *file, const up_error *e) {
  up_buf b = {0};
  cl_put_input_error(&b, file, e);
  if (b.p) fputs(b.p, stderr);
  up_buf_free(&b);
}

bool cl_flush(up_buf *b) {
  bool ok = !b->no_memory;
  if (!ok) cl_error("out of memory");
  if (ok && b->len) fwrite(b->p, 1, b->len, stdout);
  up_buf_free(b);
  return ok;
}

/* Rules, lists, caches: a text beyond this is a device, or no such file. */
#define MOST_TEXT (UINT32_C(1) << 26)

/* The whole file in memory; NULL after a message. */
char *cl_read_text(const char *path, size_t *n) {
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!f) {
    cl_error("%s: cannot open: %s", path, strerror(errno));
    return NULL;
  }
  up_buf b = {0};
  char part[4096];
  size_t got;
  while (b.len <= MOST_TEXT && (got = fread(part, 1, sizeof part, f)) > 0)
    up_buf_put(&b, part, got);
  int why = ferror(f) ? errno : b.len > MOST_TEXT ? EFBIG : 0;
  if (f != stdin) fclose(f);
  if (why || b.no_memory) {
    cl_error("%s: cannot read: %s", path, why ? strerror(why) : "no memory");
    up_buf_free(&b);
    return NULL;
  }
  up_buf_puts(&b, "");
  /* the mark that some editors put in front of a text is no part of it */
  if (b.len >= 3 && memcmp(b.p, "\xef\xbb\xbf", 3) == 0) memmove(b.p, b.p + 3, (b.len -= 3) + 1);
  *n = b.len;
  return b.p ? b.p : calloc(1, 1);
}

static up_profile *load_adapter(const cl_common *a) {
  if (a->profile == cl_default_profile && !a->rules)
    return cl_adapter_profile(a->adapter, a->adapter_seconds);
  cl_usage("--adapter has rules of its own: no --profile and no --rules with it");
  return NULL;
}

up_profile *cl_load_profile(const cl_common *a) {
  up_error err = {0};
  if (a->adapter) return load_adapter(a);
  if (!a->rules) {
    up_profile *p = up_profile_load(a->profile, &err);
    if (!p) cl_error("%s", err.msg);
    return p;
  }
  size_t n = 0;
  char *text = cl_read_text(a->rules, &n);
  if (!text) return NULL;
  up_profile *p = up_profile_parse(a->profile, text, n, &err);
  if (!p)
    cl_input_error(a->rules, &err);
  else if (!a->quiet && !up_rules_can_apply(text, n, &err))
    cl_error("%s:%u:%u: warning: %s", a->rules, err.line, err.col, err.msg);
  free(text);
  return p;
}

or_limits cl_limits(const cl_common *a) {
  or_limits l = or_limits_default();
  l.samples = a->samples > UINT32_MAX ? UINT32_MAX : (uint32_t)a->samples;
  l.max_points = a->points;
  l.max_steps = a->steps;
  l.solver_rlimit = a->rlimit > UINT32_MAX ? UINT32_MAX : (uint32_t)a->rlimit;
  l.solver_seconds = a->solver_seconds > 86400 ? 86400 : (uint32_t)a->solver_seconds;
  l.seed = a->seed;
  /* neither the releases nor a user's rules promise it */
  bool promised = !a->rules && !a->adapter && strcmp(a->profile, cl_default_profile) == 0;
  l.idempotence = a->idempotence || promised;
  return l;
}

/* One rule for all commands, README "Exit status": a run that failed or lost its output; bad usage and
 * input, since a run that could not read everything has no full answer; findings; a verdict that is an
 * error (cl_tally_status), which costs that one verdict and not the rest; something undecided. */
static int worse(int a, int b) {
  static const int rank[] = {
      [CL_SOUND] = 0, [CL_UNDECIDED] = 1, [CL_FINDINGS] = 2, [CL_USAGE] = 3, [CL_HARNESS] = 4};
  return rank[a] >= rank[b] ? a : b;
}

void cl_note(const char *file, const fm_item *item) {
  if (item->note) cl_error("%s:%u: %s", file, item->line, item->note);
}

static int each_of_file(up_ctx *c, const char *file, bool quiet, uint32_t *index, cl_each each,
                        void *arg) {
  up_error err = {0};
  fm_reader *r = fm_open(file, &err);
  if (!r) {
    cl_input_error(file, &err);
    return CL_USAGE;
  }
  int status = CL_SOUND, got;
  fm_item item = {0};
  for (up_ctx_reset(c); (got = fm_next(r, c, &item, &err)) != 0; up_ctx_reset(c)) {
    if (got < 0) {
      cl_input_error(file, &err);
      status = worse(status, CL_USAGE);
      if (strcmp(fm_form(r), "jsonl") != 0) break;
    } else {
      cl_graph g = {file, &item, (*index)++};
      if (!quiet) cl_note(file, &item);
      status = worse(status, each(c, &g, arg));
      fm_item_clear(&item);
    }
    memset(&item, 0, sizeof item);
    memset(&err, 0, sizeof err);
  }
  fm_close(r);
  return status;
}

int cl_for_each_of(const cl_common *a, const up_profile *p, cl_each each, void *arg) {
  up_ctx *c = up_ctx_new(p);
  int status = c ? CL_SOUND : CL_HARNESS;
  uint32_t index = 0;
  if (!c) cl_error("out of memory");
  for (unsigned i = 0; c && i < a->operands.n; i++) {
    status = worse(status, each_of_file(c, a->operands.p[i], a->quiet, &index, each, arg));
  }
  up_ctx_free(c);
  return status;
}

int cl_for_each(const cl_common *a, cl_each each, void *arg) {
  up_profile *p = cl_load_profile(a);
  if (!p) return CL_USAGE;
  int status = cl_for_each_of(a, p, each, arg);
  up_profile_free(p);
  return status;
}

bool cl_read_one(up_ctx *c, const char *file, fm_item *item) {
  up_error err = {0};
  memset(item, 0, sizeof *item);
  fm_reader *r = fm_open(file, &err);
  int got = r ? fm_next(r, c, item, &err) : -1;
  if (r) fm_close(r);
  if (got == 1) cl_note(file, item);
  if (got == 1) return true;
  if (got == 0) up_fail(&err, 0, 0, "no graph in it");
  cl_input_error(file, &err);
  return false;
}

unsigned cl_frames(const char *word, or_frame out[OR_FRAME_COUNT]) {
  if (or_frame_parse(word, &out[0])) return 1;
  for (unsigned i = 0; i < OR_FRAME_COUNT; i++) out[i] = (or_frame)i;
  return OR_FRAME_COUNT;
}

unsigned cl_jobs(const cl_common *a) {
  uint64_t n = a->jobs < 1 ? 1 : a->jobs;
  return n > 256 ? 256 : (unsigned)n;
}

up_result cl_rewrite(up_ctx *c, up_node root, uint64_t max_steps, up_trace *trace,
                     uint32_t *loop_from) {
  return up_rewrite(c, root, up_ctx_rules(c), max_steps, trace, loop_from);
}
