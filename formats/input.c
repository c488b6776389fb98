/* Bytes of a file or of standard input, gzip unpacked, read ahead in blocks. */
#include "internal.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK ((unsigned)1 << 16)

struct fm_input {
  gzFile gz;
  char *buf;
  size_t start, end, cap; /* buf[start..end) is read ahead */
  bool eof;
};

fm_input *fm_input_open(const char *path, up_error *err) {
  fm_input *in = calloc(1, sizeof *in);
  if (!in) {
    up_fail(err, 0, 0, "no memory");
    return NULL;
  }
  errno = 0;
  if (strcmp(path, "-") == 0) {
    int fd = dup(STDIN_FILENO);
    in->gz = fd < 0 ? NULL : gzdopen(fd, "rb");
    if (!in->gz && fd >= 0) close(fd);
  } else {
    in->gz = gzopen(path, "rb");
  }
  if (!in->gz) {
    up_fail(err, 0, 0, "cannot open: %s", errno ? strerror(errno) : "no memory");
    fm_input_close(in);
    return NULL;
  }
  return in;
}

void fm_input_close(fm_input *in) {
  if (!in) return;
  if (in->gz) gzclose(in->gz);
  free(in->buf);
  free(in);
}

/* Room for one more block behind what is read ahead, which moves to the front. */
static bool make_room(fm_input *in) {
  if (in->start > 0) {
    memmove(in->buf, in->buf + in->start, in->end - in->start);
    in->end -= in->start;
    in->start = 0;
  }
  if (in->cap - in->end >= BLOCK) return true;
  size_t cap = in->cap ? in->cap * 2 : (size_t)BLOCK * 2;
  char *p = realloc(in->buf, cap);
  if (!p) return false;
  in->buf = p;
  in->cap = cap;
  return true;
}

/* Reads a block; sets eof at the end. A gzip file that stops before its end is an error. */
static bool read_block(fm_input *in, up_error *err) {
  if (in->end - in->start > FM_MAX_TEXT)
    return up_fail(err, 0, 0, "a text or row of more than %zu bytes", FM_MAX_TEXT);
  if (!make_room(in)) return up_fail(err, 0, 0, "no memory");
  errno = 0;
  int got = gzread(in->gz, in->buf + in->end, BLOCK);
  int code = Z_OK;
  const char *why = gzerror(in->gz, &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
    return up_fail(err, 0, 0, "cannot read: %s",
                   code == Z_ERRNO       ? strerror(errno)
                   : code == Z_BUF_ERROR ? "the gzip data is cut short"
                                         : why);
  in->end += (size_t)got;
  in->eof = got == 0;
  return true;
}

bool fm_input_fill(fm_input *in, size_t need, up_error *err) {
  while (!in->eof && in->end - in->start < need)
    if (!read_block(in, err)) return false;
  return true;
}

const char *fm_input_at(const fm_input *in, size_t *n) {
  *n = in->end - in->start;
  return in->buf ? in->buf + in->start : "";
}

void fm_input_skip(fm_input *in, size_t n) {
  assert(n <= in->end - in->start);
  in->start += n;
}

int fm_input_line(fm_input *in, const char **line, size_t *n, up_error *err) {
  size_t scanned = 0;
  const char *nl;
  for (;;) {
    size_t have = in->end - in->start;
    nl = have > scanned ? memchr(in->buf + in->start + scanned, '\n', have - scanned) : NULL;
    if (nl || in->eof) break;
    scanned = have;
    if (!read_block(in, err)) return -1;
  }
  if (in->start == in->end) return 0;
  *line = in->buf + in->start;
  *n = nl ? (size_t)(nl - *line) : in->end - in->start;
  in->start += *n + (nl != NULL);
  return 1;
}
