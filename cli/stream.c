#include "cli/stream.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The next item of the row, whatever its number. */
static cl_got advance(cl_stream *s, up_ctx *c, fm_item *item, const char **file, up_error *err) {
  memset(item, 0, sizeof *item);
  memset(err, 0, sizeof *err);
  for (; s->at < s->files->n; s->at++) {
    *file = s->files->p[s->at];
    if (!s->reader) {
      s->reader = fm_open(s->spooled && strcmp(*file, "-") == 0 ? s->spooled : *file, err);
      if (!s->reader) {
        s->at++;
        return CL_GOT_ERROR;
      }
    }
    int got = fm_next(s->reader, c, item, err);
    if (got > 0) return CL_GOT_ITEM;
    bool more = got < 0 && strcmp(fm_form(s->reader), "jsonl") == 0;
    if (!more) {
      fm_close(s->reader);
      s->reader = NULL;
      if (got < 0) s->at++;
    }
    if (got < 0) return CL_GOT_ERROR;
  }
  return CL_GOT_END;
}

cl_got cl_stream_get(cl_stream *s, uint64_t index, up_ctx *c, fm_item *item, const char **file,
                     up_error *err) {
  for (;;) {
    up_ctx_reset(c);
    cl_got got = advance(s, c, item, file, err);
    if (got == CL_GOT_END) return got;
    if (s->next++ == index) {
      if (got == CL_GOT_ITEM && !s->quiet) cl_note(*file, item);
      return got;
    }
    if (got == CL_GOT_ITEM) fm_item_clear(item);
  }
}

void cl_stream_close(cl_stream *s) {
  if (s->reader) fm_close(s->reader);
  s->reader = NULL;
}

static bool copy_stdin(int fd) {
  char part[65536];
  ssize_t got;
  while ((got = read(STDIN_FILENO, part, sizeof part)) > 0) {
    for (ssize_t at = 0; at < got;) {
      ssize_t put = write(fd, part + at, (size_t)(got - at));
      if (put <= 0) return false;
      at += put;
    }
  }
  return got == 0;
}

bool cl_spool_stdin(const cl_texts *files, char path[64]) {
  bool wanted = false;
  for (unsigned i = 0; i < files->n; i++) wanted |= strcmp(files->p[i], "-") == 0;
  path[0] = 0;
  if (!wanted) return true;
  /* without a name nothing stays behind, however this process ends; each opening of it in /dev/fd
   * begins at its start */
  FILE *f = tmpfile();
  bool ok = f && copy_stdin(fileno(f));
  if (ok)
    snprintf(path, 64, "/dev/fd/%d", fileno(f));
  else
    cl_error("standard input can't be copied to a temporary file: %s", strerror(errno));
  return ok;
}
