/* The cache of verdicts: a text file, one line a query, sorted by key. */
#include "ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pf_cache {
  char **line;
  uint32_t n, cap;
  bool sorted;
};

static int by_key(const void *a, const void *b) {
  return strncmp(*(char *const *)a, *(char *const *)b, PF_KEY - 1);
}

static void sort(pf_cache *c) {
  if (!c->sorted && c->n > 1) qsort(c->line, c->n, sizeof *c->line, by_key);
  c->sorted = true;
}

static bool add(pf_cache *c, const char *line, size_t n) {
  if (c->n == c->cap) {
    uint32_t cap = c->cap ? 2 * c->cap : 256;
    char **p = realloc(c->line, cap * sizeof *p);
    if (!p) return false;
    c->line = p;
    c->cap = cap;
  }
  char *copy = malloc(n + 1);
  if (!copy) return false;
  memcpy(copy, line, n);
  copy[n] = 0;
  c->line[c->n++] = copy;
  c->sorted = false;
  return true;
}

/* Key, a tab, and the right number of fields; what they hold is judged when they are used. */
static bool is_entry(const char *line, size_t n) {
  unsigned tabs = 0;
  if (n < PF_KEY || line[PF_KEY - 1] != '\t') return false;
  for (size_t k = 0; k + 1 < PF_KEY; k++)
    if (!strchr("0123456789abcdef", line[k]) || line[k] == 0) return false;
  for (size_t k = 0; k < n; k++) tabs += line[k] == '\t';
  return tabs + 1 == PF_FIELDS || tabs + 1 == PF_MOST_FIELDS;
}

/* Line number `row`, n bytes without its end. */
static bool read_line(pf_cache *c, unsigned row, const char *line, size_t n, up_error *err) {
  if (n == 0 || line[0] == '#') return true;
  if (!is_entry(line, n)) return up_fail(err, row, 1, "not a cached verdict");
  return add(c, line, n) || up_fail(err, 0, 0, "out of memory");
}

static bool read_lines(pf_cache *c, FILE *f, up_error *err) {
  char *line = NULL;
  size_t cap = 0;
  unsigned row = 0;
  bool ok = true;
  ssize_t n;
  while (ok && (n = getline(&line, &cap, f)) >= 0) {
    if (n > 0 && line[n - 1] == '\n') n--;
    ok = read_line(c, ++row, line, (size_t)n, err);
  }
  if (ok && !feof(f)) ok = up_fail(err, 0, 0, "%s", strerror(errno));
  free(line);
  return ok;
}

pf_cache *pf_cache_parse(const char *text, size_t n, up_error *err) {
  pf_cache *c = calloc(1, sizeof *c);
  bool ok = c || up_fail(err, 0, 0, "out of memory");
  unsigned row = 0;
  for (size_t at = 0; ok && at < n;) {
    const char *end = memchr(text + at, '\n', n - at);
    size_t len = end ? (size_t)(end - text) - at : n - at;
    ok = read_line(c, ++row, text + at, len, err);
    at += len + 1;
  }
  if (ok) {
    sort(c);
    return c;
  }
  pf_cache_free(c);
  return NULL;
}

pf_cache *pf_cache_load(const char *file, bool create, up_error *err) {
  pf_cache *c = calloc(1, sizeof *c);
  FILE *f = fopen(file, "r");
  bool ok = c != NULL;
  if (!c) up_fail(err, 0, 0, "out of memory");
  if (!f && !(create && errno == ENOENT)) ok = up_fail(err, 0, 0, "%s", strerror(errno));
  if (ok && f) ok = read_lines(c, f, err);
  if (f) fclose(f);
  if (ok) {
    sort(c);
    return c;
  }
  pf_cache_free(c);
  return NULL;
}

void pf_cache_free(pf_cache *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->n; i++) free(c->line[i]);
  free(c->line);
  free(c);
}

static char **find(const pf_cache *c, const char *key) {
  uint32_t lo = 0, hi = c->n;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    int k = strncmp(c->line[mid], key, PF_KEY - 1);
    if (k == 0) return &c->line[mid];
    if (k < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return NULL;
}

/* Is the line's verdict good for this resource limit? */
static bool usable(const pf_row *r, uint32_t rlimit) {
  return r->verdict != PF_UNKNOWN || r->rlimit >= rlimit;
}

uint32_t pf_cache_answer(const pf_cache *c, pf_ledger *l, uint32_t rlimit) {
  uint32_t hits = 0;
  for (uint32_t i = 0; i < pf_ledger_count(l); i++) {
    const pf_row *r = pf_ledger_row(l, i);
    char **line = r->answered ? NULL : find(c, r->key);
    if (line && pf_ledger_take(l, i, *line, strlen(*line))) {
      if (usable(r, rlimit)) {
        pf_ledger_mark_cached(l, i);
        hits++;
      } else {
        pf_ledger_forget(l, i);
      }
    }
  }
  return hits;
}

/* One query may have two rows: one answer stays. Sorted. */
static void drop_doubles(pf_cache *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    if (n > 0 && by_key(&c->line[n - 1], &c->line[i]) == 0)
      free(c->line[i]);
    else
      c->line[n++] = c->line[i];
  }
  c->n = n;
}

/* A later verdict replaces the earlier one of its key. */
static bool put(pf_cache *c, uint32_t known, const char *line, size_t n) {
  pf_cache sorted = {.line = c->line, .n = known};
  char **old = find(&sorted, line);
  if (!old) return add(c, line, n);
  char *copy = malloc(n + 1);
  if (!copy) return false;
  memcpy(copy, line, n + 1);
  free(*old);
  *old = copy;
  return true;
}

/* Not asked: stopped before, or not in a cache that may not be added to. */
static bool was_asked(const pf_row *r) { return r->verdict != PF_UNKNOWN || r->rlimit > 0; }

bool pf_cache_add(pf_cache *c, const pf_ledger *l) {
  up_buf line = {0};
  sort(c);
  uint32_t known = c->n; /* those before it are sorted */
  bool ok = true;
  for (uint32_t i = 0; ok && i < pf_ledger_count(l); i++) {
    const pf_row *r = pf_ledger_row(l, i);
    if (!r->answered || r->verdict == PF_ERROR || r->key[0] == 0 || r->cached) continue;
    if (!was_asked(r)) continue;
    line.len = 0;
    pf_ledger_put(l, i, &line);
    ok = !line.no_memory && put(c, known, line.p, line.len);
  }
  up_buf_free(&line);
  sort(c);
  drop_doubles(c);
  return ok;
}

static bool write_lines(pf_cache *c, FILE *f) {
  fprintf(f,
          "# Verdicts of `uproof prove` by the hash of their query: key, verdict, by, resource,\n"
          "# limit, second opinion, premises hold at, counterexample, reason; of wrap and refine\n"
          "# what has to stay in range, by, is the left side in range at the counterexample.\n");
  for (uint32_t i = 0; i < c->n; i++) fprintf(f, "%s\n", c->line[i]);
  return fflush(f) == 0 && fsync(fileno(f)) == 0;
}

bool pf_cache_save(pf_cache *c, const char *file, up_error *err) {
  up_buf temporary = {0};
  sort(c);
  up_buf_printf(&temporary, "%s.new", file);
  FILE *f = temporary.no_memory ? NULL : fopen(temporary.p, "w");
  bool ok = f && write_lines(c, f);
  int why = errno;
  if (f && fclose(f) != 0 && ok) {
    ok = false;
    why = errno;
  }
  if (ok && rename(temporary.p, file) != 0) {
    ok = false;
    why = errno;
  }
  if (!ok && f) remove(temporary.p);
  up_buf_free(&temporary);
  return ok || up_fail(err, 0, 0, "%s", strerror(why));
}
