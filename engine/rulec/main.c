/* rulec: the rule compiler, a host tool of the build.
 *
 *   rulec --out DIR [--docs FILE] RULES...
 *
 * writes DIR/NAME.c for each rule file, DIR/compiled_rules.c that lists them, and the
 * documentation. Without --out it only judges the files. Exit status 1 and `file:line:col: message`
 * when it refuses one; 2 for bad usage or a file that can't be read or written.
 */
#include "rulec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fail_file(const char *path, const char *what) {
  fprintf(stderr, "rulec: %s: %s\n", path, what);
  return 2;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The whole file; the caller frees. NULL: errno says why. */
static char *read_file(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  up_buf b = {0};
  char part[4096];
  if (!f) return NULL;
  for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) up_buf_put(&b, part, got);
  bool bad = ferror(f) != 0 || b.no_memory;
  fclose(f);
  if (!bad && !b.p) up_buf_puts(&b, "");
  *n = b.len;
  if (!bad) return b.p;
  up_buf_free(&b);
  return NULL;
}

static bool write_file(const char *path, const up_buf *b) {
  FILE *f = b->no_memory ? NULL : fopen(path, "wb");
  if (!f) return false;
  bool ok = b->len == 0 || fwrite(b->p, 1, b->len, f) == b->len;
  return fclose(f) == 0 && ok;
}

static bool write_in(const char *dir, const char *name, const up_buf *b) {
  up_buf path = {0};
  up_buf_printf(&path, "%s/%s.c", dir, name);
  bool ok = path.p && write_file(path.p, b);
  if (!ok) fail_file(path.p ? path.p : name, strerror(errno));
  up_buf_free(&path);
  return ok;
}

typedef struct options {
  const char *out, *docs;
  char **file;
  int nfile;
} options;

static bool parse_options(int argc, char **argv, options *o) {
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp(argv[i], "--out") == 0)
      o->out = argv[i + 1];
    else if (strcmp(argv[i], "--docs") == 0)
      o->docs = argv[i + 1];
    else
      return false;
  }
  o->file = argv + i;
  o->nfile = argc - i;
  return o->nfile > 0 && argv[i][0] != '-';
}

/* One file: judged, compiled, documented. Exit status. */
static int compile(const options *o, const char *path, up_buf *docs) {
  const char *name = base_name(path);
  rulebook book = {0};
  up_error err = {0};
  up_buf code = {0};
  gen_name symbol;
  size_t n;
  int status = 0;
  char *text = read_file(path, &n);
  if (!text) return fail_file(path, strerror(errno));
  if (!rulebook_add(&book, name, text, n, &err) || !rulebook_finish(&book, NULL, &err) ||
      !rulebook_check_conditions(&book, &err) || !rulebook_check_shadowed(&book, &err)) {
    fprintf(stderr, "%s:%u:%u: %s\n", path, err.line, err.col, err.msg);
    status = 1;
  }
  gen_symbol(name, &symbol);
  if (!status && o->out &&
      (!gen_file(&book, name, text, n, &code) || !write_in(o->out, symbol.s, &code)))
    status = 2;
  if (!status) rulec_document(&book, name, docs);
  up_buf_free(&code);
  rulebook_free(&book);
  free(text);
  return status;
}

/* The C file that lists the others. */
static bool write_index(const options *o) {
  up_buf b = {0};
  gen_name symbol;
  up_buf_puts(&b,
              "/* Made by rulec: the compiled rule files. */\n#include \"engine/compiled.h\"\n\n");
  for (int i = 0; i < o->nfile; i++) {
    gen_symbol(base_name(o->file[i]), &symbol);
    up_buf_printf(&b, "extern const compiled_file compiled_%s;\n", symbol.s);
  }
  up_buf_puts(&b, "\nconst compiled_file *const up_compiled_files[] = {\n");
  for (int i = 0; i < o->nfile; i++) {
    gen_symbol(base_name(o->file[i]), &symbol);
    up_buf_printf(&b, "  &compiled_%s,\n", symbol.s);
  }
  up_buf_puts(&b, "  NULL\n};\n");
  bool ok = write_in(o->out, "compiled_rules", &b);
  up_buf_free(&b);
  return ok;
}

int main(int argc, char **argv) {
  options o = {0};
  up_buf docs = {0};
  int worst = 0;
  if (!parse_options(argc, argv, &o)) {
    fprintf(stderr, "usage: rulec [--out DIR] [--docs FILE] RULES...\n");
    return 2;
  }
  rulec_document_head(&docs);
  for (int i = 0; i < o.nfile; i++) {
    int status = compile(&o, o.file[i], &docs);
    if (status > worst) worst = status;
  }
  if (!worst && o.out && !write_index(&o)) worst = 2;
  if (!worst && o.docs && !write_file(o.docs, &docs)) worst = fail_file(o.docs, strerror(errno));
  up_buf_free(&docs);
  return worst;
}
