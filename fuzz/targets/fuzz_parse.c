/* The first byte chooses a reader, the rest is its text: `.uop`, infix, tinygrad's tree, and whatever
 * the reader of files makes of it (JSON lines, gzip). Bad text is an error with a place inside of the
 * text; what is read must print to a text that reads back as the same graph, and its release's type
 * spec either takes all of its nodes or tells one, and what that one should be. */
#include "formats/formats.h"
#include "fuzz/harness.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

typedef enum form { FORM_UOP, FORM_INFIX, FORM_TREE, FORM_FILE, FORMS } form;

static bool parse(up_ctx *c, form f, const char *text, size_t n, up_node *root, up_error *err) {
  up_metas meta = {0};
  size_t at = 0;
  bool ok;
  switch (f) {
  case FORM_UOP: ok = up_parse_uop(c, text, n, root, &meta, err); break;
  case FORM_INFIX: ok = up_parse_infix(c, text, n, root, err); break;
  default: ok = up_parse_tree(c, text, n, &at, root, err); break;
  }
  up_metas_free(&meta);
  return ok;
}

static void print(up_ctx *c, form f, up_node root, up_buf *out) {
  if (f == FORM_UOP) up_print_uop(c, root, NULL, out);
  if (f == FORM_INFIX) up_print_infix(c, root, out);
  if (f == FORM_TREE) up_print_tree(c, root, out);
  fz_require(!out->no_memory, "memory");
}

static void require_place(const char *text, size_t n, const up_error *err) {
  unsigned lines = 1;
  for (size_t i = 0; i < n; i++) lines += text[i] == '\n';
  fz_require(err->msg[0] != 0, "an error says what is wrong");
  fz_require(err->line <= lines + 1, "an error is inside of the text");
}

/* The first byte chooses the release, too. */
static void require_spec(up_ctx *c, up_node root) {
  up_list topo = {0};
  up_node bad = UP_NONE;
  bool all = true, fits = up_type_verify(c, root, &bad);
  fz_require(up_toposort(c, root, &topo), "memory");
  for (uint32_t i = 0; i < topo.n; i++) {
    bool one = up_type_fits(c, topo.p[i]);
    fz_require(one || up_type_wants(c, topo.p[i])[0] != 0, "what a node should be is told");
    all = all && one;
  }
  fz_require(fits == all, "the spec takes a graph, or one of its nodes is refused");
  fz_require(fits || (!up_is_none(bad) && !up_type_fits(c, bad)), "the one that is told");
  fz_require(up_type_kept(c, root, root, &bad), "a graph is as well typed as itself");
  up_list_free(&topo);
}

static void try_text(up_ctx *c, form f, const char *text, size_t n) {
  up_error err = {0};
  up_node root = UP_NONE, again = UP_NONE;
  if (!parse(c, f, text, n, &root, &err)) {
    require_place(text, n, &err);
    return;
  }
  fz_require(!up_is_none(root), "what is read has a root");
  require_spec(c, root);
  up_buf out = {.limit = 1u << 20}, twice = {.limit = 1u << 20};
  print(c, f, root, &out);
  if (!out.overflow) {
    if (!parse(c, f, out.p, out.len, &again, &err)) {
      fprintf(stderr, "%s\n", out.p);
      fz_require(false, err.msg);
    }
    print(c, f, again, &twice);
    fz_require(out.len == twice.len && memcmp(out.p, twice.p, out.len) == 0,
               "what is printed reads back as the same graph");
    if (f != FORM_TREE) /* a tree's floats and opaque args are texts */
      fz_require(up_same(root, again), "to the node");
  }
  up_buf_free(&out);
  up_buf_free(&twice);
}

/* By way of a file, which is what the reader takes. */
static void try_file(up_ctx *c, const char *text, size_t n) {
  static FILE *file; /* one for all runs */
  char path[64];
  up_error err = {0};
  fm_item it = {0};
  if (!file) file = tmpfile();
  fz_require(file != NULL, "a file for inputs");
  int fd = fileno(file);
  bool written = ftruncate(fd, 0) == 0 && pwrite(fd, text, n, 0) == (ssize_t)n;
  fz_require(written, "the input is written");
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  fm_reader *r = fm_open(path, &err);
  int got = r ? 1 : -1;
  for (unsigned i = 0; r && got != 0 && i < 100; i++) {
    got = fm_next(r, c, &it, &err);
    if (got == -1) fz_require(err.msg[0] != 0, "an error says what is wrong");
    if (got == 1) fz_require(!up_is_none(it.root), "what is read has a root");
    fm_item_clear(&it);
    if (got == -1) err = (up_error){0};
  }
  fm_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  fz_run_begin(&all);
  up_ctx *c = fz_harness_ctx(fz_harness_of(&all, n && data[0] / FORMS % 2 ? 0 : 1));
  form f = n ? (form)(data[0] % FORMS) : FORM_UOP;
  const char *text = n ? (const char *)data + 1 : "";
  if (f == FORM_FILE)
    try_file(c, text, n ? n - 1 : 0);
  else
    try_text(c, f, text, n ? n - 1 : 0);
  return 0;
}
