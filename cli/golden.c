/* uproof golden: the engine against recorded answers of the engine that it models. */
#include "cli/golden.h"
#include "cli/jobs.h"
#include "cli/stream.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct golden_args {
  cl_common common;
  bool verbose;
  const char *also;
} golden_args;

static const cl_option options[] = {
    {"--profile", "P", CL_TEXT, offsetof(golden_args, common) + offsetof(cl_common, profile), NULL,
     "the release whose answers were recorded: v0.10.0, v0.11.0 ..."},
    {"--verbose", NULL, CL_FLAG, offsetof(golden_args, verbose), NULL,
     "each row that differs, with what was expected and what came"},
    {"--also", "PROFILE", CL_TEXT, offsetof(golden_args, also), NULL,
     "compare a row that differs once more, with this profile (a test may set a flag)"},
};

/* A worker's own. */
typedef struct comparer {
  const golden_args *a;
  up_profile *profile, *also; /* also may be NULL */
  up_ctx *c, *also_c;
  cl_stream stream;
} comparer;

/* What a row replies, followed by its counts and its text. */
typedef struct row_reply {
  bool agree, differ, out_of_scope, bad_input, failed;
  uint32_t ncounts;
  size_t text;
} row_reply;

typedef struct golden {
  const golden_args *a;
  const char *spooled;
  uint64_t rows, agree, differ, out_of_scope, bad_input, failed;
  gd_counts counts;
  bool no_memory;
} golden;

static void close_comparer(void *state) {
  comparer *k = state;
  cl_stream_close(&k->stream);
  up_ctx_free(k->c);
  up_ctx_free(k->also_c);
  up_profile_free(k->profile);
  up_profile_free(k->also);
  free(k);
}

/* The profile of --also; *ok is false, with a line printed, when there is no such profile. */
static up_profile *load_also(const golden_args *a, bool *ok) {
  if (!a->also) return NULL;
  cl_common with = a->common;
  with.profile = a->also;
  with.rules = NULL;
  up_profile *p = cl_load_profile(&with);
  *ok = *ok && p;
  return p;
}

static void *open_comparer(void *arg) {
  const golden *g = arg;
  comparer *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->a = g->a;
  k->stream = (cl_stream){.files = &g->a->common.operands, .spooled = g->spooled};
  k->profile = cl_load_profile(&g->a->common);
  k->c = k->profile ? up_ctx_new(k->profile) : NULL;
  bool ok = k->c != NULL;
  k->also = load_also(k->a, &ok);
  k->also_c = k->also ? up_ctx_new(k->also) : NULL;
  if (ok && (k->also_c || !k->also)) return k;
  close_comparer(k);
  return NULL;
}

static void compare_row(gd_row *r) {
  const char *call = json_string_value(json_object_get(r->json, "call"));
  if (call)
    gd_call_row(r, call);
  else if (json_object_get(r->json, "toposort"))
    gd_parts_row(r);
  else
    gd_graph_row(r);
  up_ctx_clear_status(r->c);
}

/* The row as a whole, from what was compared in it. */
static void conclude(const gd_row *r, row_reply *reply) {
  uint64_t compared = 0, differ = 0;
  for (uint32_t i = 0; i < r->counts.n; i++) {
    const gd_count *k = &r->counts.p[i];
    if (!k->out_of_scope) compared += k->agree + k->differ;
    differ += k->differ;
  }
  reply->differ = differ > 0;
  reply->agree = compared > 0 && differ == 0;
  reply->out_of_scope = compared == 0;
}

static void put_row(const comparer *k, const char *file, const fm_item *it, const gd_row *r,
                    const row_reply *reply, up_buf *text) {
  if (!reply->differ || !(k->a->verbose || k->a->common.json)) return;
  if (!k->a->common.json) {
    up_buf_printf(text, "%s:%u id %s\n%s", file, it->line, it->id ? it->id : "none",
                  r->log.p ? r->log.p : "");
    return;
  }
  json_t *fields = json_array();
  for (uint32_t i = 0; i < r->counts.n; i++) {
    if (r->counts.p[i].differ) json_array_append_new(fields, json_string(r->counts.p[i].name));
  }
  json_t *j = json_pack("{s:s,s:i,s:o,s:o,s:o}", "file", file, "line", (int)it->line, "id",
                        it->id ? json_loads(it->id, JSON_DECODE_ANY, NULL) : json_null(), "differ",
                        fields, "detail", cl_json_text(r->log.p ? r->log.p : ""));
  cl_put_json(text, j);
}

static void put_reply(up_buf *reply, row_reply *head, const gd_counts *counts, const up_buf *text) {
  head->ncounts = counts->n;
  head->text = text->len;
  up_buf_put(reply, (const char *)head, sizeof *head);
  if (counts->n) up_buf_put(reply, (const char *)counts->p, counts->n * sizeof *counts->p);
  if (text->len) up_buf_put(reply, text->p, text->len);
}

/* The row once more with the other profile; r and head are replaced if it agrees there. */
static void try_also(comparer *k, const fm_item *it, row_reply *head, gd_row *r) {
  up_ctx_reset(k->also_c);
  gd_row second = {.c = k->also_c, .json = it->row, .root = up_copy(k->also_c, k->c, it->root)};
  row_reply h = {0};
  compare_row(&second);
  conclude(&second, &h);
  if (h.agree) {
    gd_count only = {.agree = 1};
    snprintf(only.name, sizeof only.name, "only with --also");
    if (!gd_counts_add(&second.counts, &only)) second.no_memory = true;
    gd_row swap = *r;
    *r = second;
    second = swap;
    *head = h;
  }
  up_buf_free(&second.log);
  free(second.counts.p);
}

static void compare_item(comparer *k, const char *file, const fm_item *it, row_reply *head,
                         up_buf *text, gd_row *r) {
  *r = (gd_row){.c = k->c, .json = it->row, .root = it->root};
  if (it->row)
    compare_row(r);
  else
    gd_skip(r, "not a row of JSON lines");
  conclude(r, head);
  if (head->differ && k->also_c) try_also(k, it, head, r);
  put_row(k, file, it, r, head, text);
}

static bool compare_unit(void *state, uint64_t unit, cl_cursor *at, up_buf *reply) {
  comparer *k = state;
  fm_item it;
  const char *file;
  up_error e;
  row_reply head = {0};
  gd_row r = {0};
  up_buf text = {0};
  cl_got got = cl_stream_get(&k->stream, unit, k->c, &it, &file, &e);
  if (got == CL_GOT_END) return false;
  const char *failed = cl_cursor_item(at, 0);
  if (got == CL_GOT_ERROR) {
    head.bad_input = true;
    cl_put_input_error(&text, file, &e);
  } else if (failed) {
    head.failed = true;
    up_buf_printf(&text, "uproof: %s:%u: %s\n", file, it.line, failed);
  } else {
    compare_item(k, file, &it, &head, &text, &r);
  }
  put_reply(reply, &head, &r.counts, &text);
  if (text.no_memory || r.no_memory || r.log.no_memory) reply->no_memory = true;
  if (got == CL_GOT_ITEM) fm_item_clear(&it);
  up_buf_free(&text);
  up_buf_free(&r.log);
  free(r.counts.p);
  return true;
}

static bool merge_row(void *arg, uint64_t unit, const char *reply, size_t n) {
  golden *g = arg;
  row_reply head;
  memcpy(&head, reply, sizeof head);
  reply += sizeof head;
  g->rows++;
  g->agree += head.agree;
  g->differ += head.differ;
  g->out_of_scope += head.out_of_scope;
  g->bad_input += head.bad_input;
  g->failed += head.failed;
  for (uint32_t i = 0; i < head.ncounts; i++, reply += sizeof(gd_count)) {
    gd_count one;
    memcpy(&one, reply, sizeof one);
    if (!gd_counts_add(&g->counts, &one)) g->no_memory = true;
  }
  fwrite(reply, 1, head.text, head.bad_input || head.failed ? stderr : stdout);
  if (g->a->common.progress && unit % 256 == 0) {
    fprintf(stderr, "\rgolden: %llu rows", (unsigned long long)g->rows);
  }
  return n >= sizeof head && !ferror(stdout) && !g->no_memory;
}

static void put_counts(const golden *g, bool out_of_scope) {
  for (uint32_t i = 0; i < g->counts.n; i++) {
    const gd_count *k = &g->counts.p[i];
    if (k->out_of_scope != out_of_scope) continue;
    if (out_of_scope) {
      fprintf(stderr, "golden: not compared %llu x: %s\n", (unsigned long long)k->agree, k->name);
    } else {
      fprintf(stderr, "golden: %-18s %8llu compared, %llu differ\n", k->name,
              (unsigned long long)(k->agree + k->differ), (unsigned long long)k->differ);
    }
  }
}

static void put_summary(const golden *g, bool stopped) {
  if (g->a->common.progress) fputc('\n', stderr);
  put_counts(g, false);
  put_counts(g, true);
  if (g->failed) fprintf(stderr, "golden: %llu rows failed\n", (unsigned long long)g->failed);
  if (g->bad_input) {
    fprintf(stderr, "golden: %llu rows unreadable\n", (unsigned long long)g->bad_input);
  }
  if (stopped) fprintf(stderr, "golden: stopped early\n");
  fprintf(stderr, "golden: %llu rows, %llu agree, %llu differ, %llu out of scope\n",
          (unsigned long long)g->rows, (unsigned long long)g->agree, (unsigned long long)g->differ,
          (unsigned long long)g->out_of_scope);
}

static int status_of(const golden *g, cl_end end) {
  if (end == CL_END_FAILED || g->no_memory) return CL_HARNESS;
  if (g->bad_input) return CL_USAGE;
  if (g->differ) return CL_FINDINGS;
  if (g->failed) return CL_HARNESS;
  return end == CL_END_STOPPED ? CL_UNDECIDED : CL_SOUND;
}

static int run(void *args) {
  golden g = {.a = args};
  if (!g.a->common.profile) {
    cl_usage("golden: which release was recorded? (--profile)");
    return CL_USAGE;
  }
  up_profile *p = cl_load_profile(&g.a->common);
  bool ok = p != NULL;
  up_profile_free(ok ? load_also(g.a, &ok) : NULL);
  up_profile_free(p);
  if (!ok) return CL_USAGE;
  char spool[64];
  if (!cl_spool_stdin(&g.a->common.operands, spool)) return CL_HARNESS;
  g.spooled = spool[0] ? spool : NULL;
  cl_block_signals();
  cl_work w = {.arg = &g,
               .merge_arg = &g,
               .jobs = cl_jobs(&g.a->common),
               .hang_seconds = g.a->common.hang,
               .heed_signals = true,
               .open = open_comparer,
               .unit = compare_unit,
               .close = close_comparer,
               .merge = merge_row};
  cl_end end = cl_work_run(&w);
  if (!g.a->common.quiet) put_summary(&g, end == CL_END_STOPPED);
  free(g.counts.p);
  return status_of(&g, end);
}

const cl_command cl_golden = {
    .name = "golden",
    .operands = "FILE.jsonl[.gz]...",
    .summary = "compare with recorded results of another engine",
    .about =
        "Compares what the profile answers with what the engine that it models was recorded to\n"
        "answer: vmin and vmax, the simplified graph, its bounds, its rendering, errors, and\n"
        "single calls. Counts agreement field by field; what is not compared is counted with\n"
        "the reason. --verbose shows every row that differs.",
    .min_operands = 1,
    .max_operands = UINT_MAX,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(golden_args),
    .run = run,
};
