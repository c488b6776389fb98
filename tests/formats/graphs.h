/* What the tests of the text forms share: contexts, and the rows of the corpus. */
#ifndef UPROOF_TESTS_FORMATS_GRAPHS_H
#define UPROOF_TESTS_FORMATS_GRAPHS_H

#include "../support/cm.h"
#include "engine/uop.h"
#include "formats/formats.h"
#include <stdlib.h>
#include <string.h>

/* Text forms ask nothing of a profile. */
static inline up_ctx *new_ctx(void) {
  up_ctx *c = up_ctx_new(NULL);
  assert_non_null(c);
  return c;
}

static inline up_node iconst(up_ctx *c, int64_t v) { return up_const_int(c, up_dt(UP_INT), v); }
static inline up_node ivar(up_ctx *c, const char *name, int64_t lo, int64_t hi) {
  return up_var(c, name, up_int_of(lo), up_int_of(hi), up_dt(UP_INT));
}
static inline up_arg text_arg(up_ctx *c, const char *s) { return up_arg_str(c, s, strlen(s)); }

static const char *const corpus_files[] = {
    "corpus/real/v0.11.0-real.jsonl.gz", "corpus/real/v0.11.0-real-sinks.jsonl.gz",
    "corpus/golden/v0.10.0-fuzz.jsonl.gz", "corpus/golden/v0.10.0-suite.jsonl.gz"};

typedef void (*row_fn)(up_ctx *c, const fm_item *it, void *arg);

/* Calls fn for each row of a file of the source folder, each in a fresh context; returns how many.
 */
static inline unsigned each_row(const char *file, row_fn fn, void *arg) {
  const char *src = getenv("SRC");
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", src ? src : ".", file);
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (!r) fail_msg("%s: %s", path, err.msg);
  up_ctx *c = new_ctx();
  unsigned n = 0;
  for (;;) {
    fm_item it;
    int got = fm_next(r, c, &it, &err);
    if (got < 0) fail_msg("%s:%u:%u: %s", path, err.line, err.col, err.msg);
    if (got == 0) break;
    fn(c, &it, arg);
    fm_item_clear(&it);
    up_ctx_reset(c);
    n++;
  }
  fm_close(r);
  up_ctx_free(c);
  return n;
}

static inline unsigned each_corpus_row(row_fn fn, void *arg) {
  unsigned n = 0;
  for (size_t i = 0; i < sizeof corpus_files / sizeof *corpus_files; i++)
    n += each_row(corpus_files[i], fn, arg);
  return n;
}

#endif
