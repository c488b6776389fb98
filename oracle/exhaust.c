/* Every point of the box, in blocks. */
#include "box.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Boxes from this size on are worth processes. */
#define SLICE_POINTS (UINT64_C(1) << 22)
#define MAX_SLICES 256u

static int by_size(const void *a, const void *b) {
  const bx_axis *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return x->var < y->var ? -1 : x->var > y->var;
}

static bool make_axes(bx_box *b) {
  const pr_program *p = b->t->p;
  b->n = p->nvar;
  b->axis = calloc(b->n + 1, sizeof *b->axis);
  if (!b->axis) return false;
  for (uint32_t v = 0; v < p->nvar; v++) {
    pr_range d = p->var[v].domain;
    b->axis[v] = (bx_axis){v, d.lo, (uint64_t)(d.hi - d.lo + 1), 0};
  }
  qsort(b->axis, b->n, sizeof *b->axis, by_size);
  return true;
}

/* Fills the axes that are the same in every block. */
static void fill_inner(bx_box *b) {
  bl_machine *m = &b->t->k->machine;
  b->period = 1;
  for (b->inner = 0; b->inner < b->n; b->inner++) {
    bx_axis *x = &b->axis[b->inner];
    if (x->size > m->lanes / b->period) break;
    uint32_t whole = b->period * (uint32_t)x->size;
    for (uint32_t at = 0; at < m->lanes; at += whole) {
      uint32_t count = m->lanes - at < whole ? m->lanes - at : whole;
      bl_fill(m, x->var, at, count, x->lo, b->period);
    }
    b->period = whole;
  }
  b->steps = m->lanes / b->period;
}

static void fill_outer(bx_box *b, uint32_t i) {
  bl_machine *m = &b->t->k->machine;
  bl_fill(m, b->axis[i].var, 0, m->lanes, b->axis[i].lo + (or_i128)b->axis[i].at, m->lanes);
}

/* To the next block: false when the box is done. Refills what changes. */
static bool advance(bx_box *b) {
  for (uint32_t i = b->inner; i < b->n; i++) {
    bx_axis *x = &b->axis[i];
    uint64_t step = i == b->inner ? b->steps : 1;
    x->at = x->size - x->at > step ? x->at + step : 0;
    if (i > b->inner) fill_outer(b, i);
    if (x->at != 0) return true;
  }
  return false;
}

static uint32_t lanes_now(bx_box *b) {
  bl_machine *m = &b->t->k->machine;
  if (b->inner == b->n) return b->period;
  bx_axis *x = &b->axis[b->inner];
  uint64_t left = x->size - x->at;
  uint32_t steps = left < b->steps ? (uint32_t)left : b->steps;
  bl_fill(m, x->var, 0, steps * b->period, x->lo + (or_i128)x->at, b->period);
  return steps * b->period;
}

static bool make_witness(const bx_box *b, uint32_t lane, or_witness *w) {
  if (!pr_witness_init(b->t->p, w)) return false;
  uint32_t stride = 1;
  for (uint32_t i = 0; i < b->n; i++) {
    const bx_axis *x = &b->axis[i];
    uint64_t at = x->at;
    if (i < b->inner) {
      at = lane / stride % x->size;
      stride *= (uint32_t)x->size;
    } else if (i == b->inner) {
      at += lane / b->period;
    }
    or_i128_to_mpz(x->lo + (or_i128)at, w->value[x->var]);
  }
  return true;
}

/* Goes on after a failure, to find a lesser root; stops when there is none. */
static or_found run_blocks(bx_box *b, or_witness *w, uint32_t *root) {
  bl_machine *m = &b->t->k->machine;
  or_found found = OR_CLEAN;
  do {
    uint32_t n = lanes_now(b);
    bl_failure f = bl_run(m, n);
    b->t->k->points += n;
    if (f.root == BL_NONE) continue;
    if (found == OR_FOUND) or_witness_clear(w);
    if (!make_witness(b, f.lane, w)) return OR_BROKEN;
    found = OR_FOUND;
    *root = m->root_limit = f.root;
    /* where roots are pairs, one failure is as good as another */
  } while (m->root_limit > 0 && !(found == OR_FOUND && !b->t->claim) && advance(b));
  return found;
}

/* Slice number `part` of `parts` of the box, which follow each other in the order of points. */
static or_found run_lanes(const or_task *t, uint32_t part, uint32_t parts, or_witness *w,
                          uint32_t *root) {
  bx_box b = {.t = t};
  if (!make_axes(&b)) return OR_BROKEN;
  if (parts > 1) {
    bx_axis *last = &b.axis[b.n - 1];
    uint64_t each = last->size / parts, more = last->size % parts;
    last->lo += (or_i128)(each * part + (part < more ? part : more));
    last->size = each + (part < more);
  }
  t->k->machine.root_limit = t->root_limit;
  fill_inner(&b);
  or_found f = OR_CLEAN;
  if (!bx_clean(&b)) {
    for (uint32_t i = b.inner + 1; i < b.n; i++) fill_outer(&b, i);
    f = run_blocks(&b, w, root);
  }
  free(b.axis);
  return f;
}

/* ---- slices in processes --------------------------------------------------------------------- */

typedef struct slice {
  pid_t pid;
  int fd;
} slice;

static bool write_all(int fd, const void *data, size_t n) {
  const char *p = data;
  while (n > 0) {
    ssize_t put = write(fd, p, n);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    p += put;
    n -= (size_t)put;
  }
  return true;
}

static bool read_all(int fd, void *data, size_t n) {
  char *p = data;
  while (n > 0) {
    ssize_t got = read(fd, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    n -= (size_t)got;
  }
  return true;
}

/* The child: found, root, what became of compiling, the ranges that are looked for, and the point. */
_Noreturn static void do_slice(const or_task *t, uint32_t part, uint32_t parts, int fd) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  signal(SIGPIPE, SIG_IGN);
  or_witness w = {0};
  uint32_t root = 0;
  t->k->jit = (or_jit_stats){0};
  or_found f = run_lanes(t, part, parts, &w, &root);
  bool ok = write_all(fd, &f, sizeof f) && write_all(fd, &root, sizeof root) &&
            write_all(fd, &t->k->jit, sizeof t->k->jit);
  const pr_range *seen = t->k->machine.seen;
  if (ok && seen) ok = write_all(fd, seen, t->p->nroot * sizeof *seen);
  for (uint32_t i = 0; ok && f == OR_FOUND && i < w.n; i++) {
    or_i128 v = 0;
    ok = or_i128_from_mpz(w.value[i], &v) && write_all(fd, &v, sizeof v);
  }
  _exit(ok ? 0 : 1);
}

static bool start_slice(const or_task *t, uint32_t part, uint32_t parts, slice *s) {
  int fd[2];
  if (pipe(fd) != 0) return false;
  fflush(stdout); /* the child may end in another way than _exit */
  s->pid = fork();
  if (s->pid == 0) {
    close(fd[0]);
    do_slice(t, part, parts, fd[1]);
  }
  close(fd[1]);
  s->fd = fd[0];
  if (s->pid < 0) close(fd[0]);
  return s->pid > 0;
}

static void add_jit(or_jit_stats *to, const or_jit_stats *s) {
  to->compiled += s->compiled;
  to->failed += s->failed;
  to->points += s->points;
  if (s->failed > 0) memcpy(to->why, s->why, sizeof to->why);
}

/* Into the machine's own. */
static bool read_ranges(const or_task *t, int fd) {
  pr_range *seen = t->k->machine.seen, one;
  for (uint32_t i = 0; seen && i < t->p->nroot; i++) {
    if (!read_all(fd, &one, sizeof one)) return false;
    if (one.lo < seen[i].lo) seen[i].lo = one.lo;
    if (one.hi > seen[i].hi) seen[i].hi = one.hi;
  }
  return true;
}

static or_found read_slice(const or_task *t, const slice *s, or_witness *w, uint32_t *root) {
  or_found f;
  or_jit_stats jit;
  if (!read_all(s->fd, &f, sizeof f) || !read_all(s->fd, root, sizeof *root) ||
      !read_all(s->fd, &jit, sizeof jit) || !read_ranges(t, s->fd))
    return OR_BROKEN;
  add_jit(&t->k->jit, &jit);
  if (f != OR_FOUND) return f;
  if (!pr_witness_init(t->p, w)) return OR_BROKEN;
  for (uint32_t i = 0; i < w->n; i++) {
    or_i128 v;
    if (!read_all(s->fd, &v, sizeof v)) return OR_BROKEN;
    or_i128_to_mpz(v, w->value[i]);
  }
  return OR_FOUND;
}

/* What one process would have found: the least root that fails, at the first point where it does. */
static or_found merge_slices(const or_task *t, const slice *s, uint32_t n, or_witness *w,
                             uint32_t *root) {
  or_found found = OR_CLEAN;
  for (uint32_t i = 0; i < n; i++) {
    or_witness one = {0};
    uint32_t least = 0;
    or_found f = read_slice(t, &s[i], &one, &least);
    if (f == OR_FOUND && (found == OR_CLEAN || least < *root)) {
      or_witness_clear(w);
      *w = one;
      *root = least;
      found = f;
    } else {
      or_witness_clear(&one);
    }
    if (f == OR_BROKEN) {
      or_witness_clear(w);
      return f;
    }
    if (found == OR_FOUND && !t->claim) break; /* later slices have later points */
  }
  return found;
}

static or_found run_slices(const or_task *t, uint64_t points, or_witness *w, uint32_t *root) {
  uint32_t n = t->k->limits.jobs < MAX_SLICES ? t->k->limits.jobs : MAX_SLICES, started = 0;
  slice s[MAX_SLICES];
  while (started < n && start_slice(t, started, n, &s[started])) started++;
  or_found f = started == n ? merge_slices(t, s, n, w, root) : OR_BROKEN;
  for (uint32_t i = 0; i < started; i++) {
    close(s[i].fd);
    kill(s[i].pid, SIGKILL);
    while (waitpid(s[i].pid, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  t->k->points += points;
  return f;
}

/* The slow way, point by point. */
static bool next_point(const pr_program *p, or_witness *w) {
  for (uint32_t v = 0; v < p->nvar; v++) {
    or_i128 now = 0;
    or_i128_from_mpz(w->value[v], &now);
    if (now < p->var[v].domain.hi) {
      mpz_add_ui(w->value[v], w->value[v], 1);
      return true;
    }
    or_i128_to_mpz(p->var[v].domain.lo, w->value[v]);
  }
  return false;
}

static or_found run_slow(const or_task *task, or_witness *w, uint32_t *root) {
  or_task t = *task;
  or_witness at;
  or_points seen = {0};
  if (!pr_witness_init(t.p, &at)) return OR_BROKEN;
  for (uint32_t v = 0; v < t.p->nvar; v++) or_i128_to_mpz(t.p->var[v].domain.lo, at.value[v]);
  or_found found = OR_CLEAN;
  do {
    or_found f = or_refute_next(&t, &at, &seen, root);
    t.k->points++;
    if (f == OR_CLEAN) continue;
    if (found == OR_FOUND) or_witness_clear(w);
    found = f == OR_FOUND && or_witness_copy(w, &at) ? OR_FOUND : f == OR_FOUND ? OR_BROKEN : f;
    if (found != OR_FOUND || !t.claim) break;
    t.root_limit = *root;
  } while (t.root_limit > 0 && next_point(t.p, &at));
  or_points_clear(&seen);
  or_witness_clear(&at);
  return found;
}

static uint64_t longest_axis(const pr_program *p) {
  uint64_t most = 0;
  for (uint32_t v = 0; v < p->nvar; v++) {
    uint64_t size = (uint64_t)(p->var[v].domain.hi - p->var[v].domain.lo + 1);
    if (size > most) most = size;
  }
  return most;
}

or_found or_exhaust(const or_task *t, uint64_t most, or_witness *w, uint32_t *root) {
  assert(!t->p->vacuous);
  uint64_t points = pr_points(t->p);
  if (points > most) return OR_SKIPPED;
  bl_status s = bl_prepare(&t->k->machine, t->p, t->claim, points);
  if (s == BL_NO_MEMORY) return OR_BROKEN;
  bool shared = t->k->limits.jobs > 1 && points >= SLICE_POINTS;
  if (s == BL_OK && shared && longest_axis(t->p) >= t->k->limits.jobs)
    return run_slices(t, points, w, root);
  if (s == BL_OK) return run_lanes(t, 0, 1, w, root);
  bool few = points <= t->k->limits.wide_points && !t->k->machine.seen;
  return few ? run_slow(t, w, root) : OR_SKIPPED;
}
