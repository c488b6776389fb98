/* The folder of a campaign: one campaign at a time, what an interrupted one left behind, and the
 * three places in which a cause is kept. */
#include "cli/campaign.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool failed(const char *path, const char *why) {
  cl_error("%s: %s", path, why);
  return false;
}

static bool path_of(char out[CL_PATH], const char *dir, const char *name) {
  int n = snprintf(out, CL_PATH, "%s/%s", dir, name);
  return (n > 0 && n < CL_PATH) || failed(dir, "path too long");
}

/* A record lock, not flock: workers would inherit that, and hold it for a while after their parent
 * was killed. */
static bool take_lock(cl_store *s) {
  char path[CL_PATH];
  if (!path_of(path, s->dir, "lock")) return false;
  s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->lock < 0) return failed(path, strerror(errno));
  struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(s->lock, F_SETLK, &l) == 0) return true;
  if (errno != EACCES && errno != EAGAIN) return failed(path, strerror(errno));
  if (fcntl(s->lock, F_GETLK, &l) == 0 && l.l_type != F_UNLCK)
    cl_error("%s: another campaign runs in it (process %ld)", s->dir, (long)l.l_pid);
  else
    cl_error("%s: another campaign runs in it", s->dir);
  return false;
}

/* Removes files that were being written when a run was cut off. */
static bool remove_parts(const char *dir) {
  DIR *d = opendir(dir);
  if (!d) return errno == ENOENT || failed(dir, strerror(errno));
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    size_t n = strlen(e->d_name);
    char path[CL_PATH];
    if (n <= 5 || strcmp(e->d_name + n - 5, ".part") != 0) continue;
    if (path_of(path, dir, e->d_name)) unlink(path);
  }
  closedir(d);
  return true;
}

/* ---- findings.jsonl -------------------------------------------------------------------------- */

static cl_line *new_line(cl_store *s, const char *key) {
  if (s->nlines == s->cap) {
    uint32_t cap = s->cap ? s->cap * 2 : 16;
    cl_line *p = realloc(s->line, cap * sizeof *p);
    if (!p) return NULL;
    s->line = p;
    s->cap = cap;
  }
  cl_line *l = &s->line[s->nlines++];
  memset(l, 0, sizeof *l);
  snprintf(l->key, sizeof l->key, "%s", key);
  return l;
}

static bool take_line(cl_store *s, const char *path, unsigned number, const char *text, size_t n) {
  json_error_t e;
  json_t *j = json_loadb(text, n, 0, &e);
  const char *key = json_string_value(json_object_get(j, "cause"));
  cl_line *l = key ? new_line(s, key) : NULL;
  if (l) {
    const json_t *index = json_object_get(j, "case");
    l->first = index ? (uint64_t)json_integer_value(index) : CL_NO_CASE;
    l->interrupted = json_is_true(json_object_get(j, "interrupted"));
    up_buf_put(&l->text, text, n);
  } else {
    cl_error("%s:%u: %s", path, number, key ? "out of memory" : "not a finding with its cause");
  }
  json_decref(j);
  return l && !l->text.no_memory;
}

/* Whole lines; the rest of one that was cut off goes. */
static bool take_lines(cl_store *s, const char *path, const up_buf *all) {
  size_t at = 0;
  unsigned number = 0;
  while (at < all->len) {
    const char *end = memchr(all->p + at, '\n', all->len - at);
    if (!end) break;
    size_t n = (size_t)(end - (all->p + at)) + 1;
    if (!take_line(s, path, ++number, all->p + at, n)) return false;
    at += n;
  }
  if (at == all->len || truncate(path, (off_t)at) == 0) return true;
  return failed(path, strerror(errno));
}

static bool read_findings(cl_store *s) {
  char path[CL_PATH], part[4096];
  if (!path_of(path, s->dir, "findings.jsonl")) return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT || failed(path, strerror(errno));
  up_buf all = {0};
  ssize_t got;
  while ((got = read(fd, part, sizeof part)) > 0) up_buf_put(&all, part, (size_t)got);
  bool ok = got == 0 && !all.no_memory;
  /* a folder of that name: keeping will fail, and say so, when there is something to keep */
  if (!ok) ok = (got < 0 && errno == EISDIR) || failed(path, "can't be read");
  close(fd);
  ok = ok && take_lines(s, path, &all);
  up_buf_free(&all);
  return ok;
}

static bool rewrite_findings(cl_store *s) {
  up_buf all = {0};
  for (uint32_t i = 0; i < s->nlines; i++) up_buf_put(&all, s->line[i].text.p, s->line[i].text.len);
  bool ok = !all.no_memory && cl_keep_file(s->dir, "findings.jsonl", &all);
  up_buf_free(&all);
  return ok;
}

static cl_line *find_line(const cl_store *s, const cl_cause *k) {
  for (uint32_t i = 0; i < s->nlines; i++) {
    if (strcmp(s->line[i].key, k->key) == 0) return &s->line[i];
  }
  return NULL;
}

const cl_line *cl_store_line(const cl_store *s, const cl_cause *k) { return find_line(s, k); }

bool cl_store_is_final(const cl_line *l, const cl_cause *k) {
  return l && !l->interrupted && (l->first == k->first || l->first == CL_NO_CASE);
}

bool cl_store_order(cl_store *s, const cl_causes *all) {
  uint32_t done = 0;
  bool moved = false;
  for (uint32_t i = 0; i < all->n; i++) {
    cl_line *l = find_line(s, &all->p[i]);
    if (!l) continue;
    cl_line swapped = s->line[done];
    moved = moved || l != &s->line[done];
    s->line[done++] = *l;
    *l = swapped;
  }
  return !moved || rewrite_findings(s);
}

/* ---- a cause --------------------------------------------------------------------------------- */

static bool keep_text(cl_store *s, const cl_cause *k, const char *suffix, const up_buf *text) {
  char file[OR_CAUSE_ROOM + 8];
  snprintf(file, sizeof file, "%s%s", k->key, suffix);
  return text->len == 0 || cl_keep_file(s->causes, file, text);
}

/* The line comes last: where it is, the rest is too. */
static bool keep_finding_line(cl_store *s, const cl_cause *k, const cl_write_up *w) {
  cl_line *l = find_line(s, k);
  bool had = l != NULL;
  if (!had && !cl_keep_line(s->dir, "findings.jsonl", &w->json)) return false;
  if (!had) l = new_line(s, k->key);
  if (!l) return false;
  l->text.len = 0;
  up_buf_put(&l->text, w->json.p, w->json.len);
  l->interrupted = w->interrupted;
  l->first = k->first;
  return !had || rewrite_findings(s);
}

bool cl_store_cause(cl_store *s, const cl_cause *k, const cl_write_up *w) {
  const cl_line *l = find_line(s, k);
  /* nothing better is at hand than what is there */
  if (cl_store_is_final(l, k) || (l && w->json.len == 0)) return true;
  return keep_text(s, k, ".uop", &w->uop) && keep_text(s, k, ".py", &w->py) &&
         keep_finding_line(s, k, w);
}

/* ---- the folder ------------------------------------------------------------------------------ */

bool cl_store_has_state(const cl_store *s) {
  char path[CL_PATH];
  return path_of(path, s->dir, "state.json") && access(path, F_OK) == 0;
}

bool cl_store_tidy(const cl_store *s) {
  char found[CL_PATH];
  return path_of(found, s->dir, "found") && remove_parts(s->dir) && remove_parts(s->causes) &&
         remove_parts(found);
}

bool cl_store_open(cl_store *s, const char *dir) {
  memset(s, 0, sizeof *s);
  s->lock = -1;
  /* room for the names below it */
  if (strlen(dir) + OR_CAUSE_ROOM + 32 > CL_PATH) return failed(dir, "path too long");
  strcpy(s->dir, dir);
  return path_of(s->causes, dir, "causes") && cl_keep_dir(dir) && take_lock(s) &&
         cl_keep_dir(s->causes) && cl_store_tidy(s) && read_findings(s);
}

void cl_store_close(cl_store *s) {
  if (s->lock >= 0) close(s->lock);
  for (uint32_t i = 0; i < s->nlines; i++) up_buf_free(&s->line[i].text);
  free(s->line);
  memset(s, 0, sizeof *s);
  s->lock = -1;
}
