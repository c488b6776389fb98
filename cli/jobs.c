/* glibc declares MAP_ANONYMOUS only with this. */
#define _DEFAULT_SOURCE
#include "cli/jobs.h"
#include "cli/cli.h"
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define NO_ITEM UINT64_MAX
/* After a stop, how long a worker may take to reach the end of its item. */
#define GRACE_SECONDS 10.0

/* ---- what parent and workers share ----------------------------------------------------------- */

typedef struct place {
  _Atomic uint64_t unit, item, beats;
} place;

typedef struct shared {
  volatile bool stop;
  place at[];
} shared;

typedef struct failed_item {
  uint64_t unit, item;
  char why[64];
} failed_item;

struct cl_cursor {
  place *at;
  const volatile bool *stop;
  uint64_t unit;
  const failed_item *failed;
  size_t nfailed;
};

const char *cl_cursor_item(cl_cursor *at, uint64_t item) {
  atomic_store(&at->at->item, item);
  atomic_fetch_add(&at->at->beats, 1);
  for (size_t i = 0; i < at->nfailed; i++) {
    if (at->failed[i].unit == at->unit && at->failed[i].item == item) return at->failed[i].why;
  }
  return NULL;
}

const volatile bool *cl_cursor_stop(const cl_cursor *at) { return at->stop; }

/* ---- a worker process ------------------------------------------------------------------------ */

/* In front of each reply in the pipe. */
typedef struct frame {
  uint64_t unit, size;
  uint64_t last; /* no reply: the worker has no more units */
} frame;

static bool write_all(int fd, const void *p, size_t n) {
  for (const char *s = p; n > 0;) {
    ssize_t done = write(fd, s, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    s += done;
    n -= (size_t)done;
  }
  return true;
}

static bool send_reply(int fd, uint64_t unit, const up_buf *reply) {
  frame f = {.unit = unit, .size = reply->len};
  return write_all(fd, &f, sizeof f) && write_all(fd, reply->p, reply->len);
}

/* Exit status of the worker. */
static int work(const cl_work *w, cl_cursor *at, uint64_t unit, int fd) {
  void *state = w->open(w->arg);
  if (!state) return 1;
  up_buf reply = {0};
  int status = 0;
  /* the first unit is begun even when the work is to stop: one unit may be all there is */
  do {
    at->unit = unit;
    atomic_store(&at->at->item, NO_ITEM);
    atomic_store(&at->at->unit, unit);
    reply.len = 0;
    if (!w->unit(state, unit, at, &reply)) break;
    if (reply.no_memory || !send_reply(fd, unit, &reply)) {
      status = 1;
      break;
    }
    unit += w->jobs;
  } while (!*at->stop);
  frame end = {.unit = unit, .last = 1};
  if (status == 0 && !write_all(fd, &end, sizeof end)) status = 1;
  up_buf_free(&reply);
  w->close(state);
  return status;
}

/* ---- the parent ------------------------------------------------------------------------------ */

typedef struct worker {
  pid_t pid;
  int fd;        /* -1: not running */
  bool ended;    /* no more units will come */
  uint64_t next; /* unit whose reply is the next to arrive */
  char *buf;     /* bytes of the pipe: [head, whole) replies to merge, [whole, len) part of one */
  size_t head, whole, len, cap;
  uint64_t beats; /* last seen, and when */
  double since;
  bool hung;
} worker;

struct cl_pool {
  cl_work work;
  const cl_work *w; /* = &work */
  shared *shared;
  size_t shared_size;
  worker *worker;
  struct pollfd *fds;
  failed_item *failed;
  size_t nfailed;
  uint64_t merged;          /* next unit to merge */
  double deadline, kill_at; /* 0: none */
  bool stopped, broken;
};
typedef cl_pool pool;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void cl_block_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

bool cl_signal_pending(void) {
  sigset_t set;
  return sigpending(&set) == 0 &&
         (sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1);
}

/* Workers that wait for a program's answer look for signals, which they block as the parent does. */
static void stop_work(pool *p) {
  p->shared->stop = true;
  if (p->stopped) return;
  p->kill_at = now() + GRACE_SECONDS;
  p->stopped = true;
  for (unsigned i = 0; p->w->heed_signals && i < p->w->jobs; i++)
    if (p->worker[i].fd >= 0) kill(p->worker[i].pid, SIGTERM);
}

static void break_work(pool *p, const char *why) {
  if (!p->broken) cl_error("%s", why);
  p->broken = true;
  stop_work(p);
}

/* The child never returns from here. */
static void child(pool *p, unsigned i, int fd) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  /* the pipes of the other workers must end with their writers */
  for (unsigned j = 0; j < p->w->jobs; j++) {
    if (p->worker[j].fd >= 0) close(p->worker[j].fd);
  }
  cl_cursor at = {.at = &p->shared->at[i],
                  .stop = &p->shared->stop,
                  .failed = p->failed,
                  .nfailed = p->nfailed};
  int status = work(p->w, &at, p->worker[i].next, fd);
  fflush(stderr);
  _exit(status);
}

static bool start(pool *p, unsigned i) {
  worker *k = &p->worker[i];
  int fd[2];
  if (pipe(fd) != 0) return false;
  fflush(stdout);
  fflush(stderr);
  atomic_store(&p->shared->at[i].unit, NO_ITEM);
  atomic_store(&p->shared->at[i].item, NO_ITEM);
  k->pid = fork();
  if (k->pid == 0) {
    close(fd[0]);
    child(p, i, fd[1]);
  }
  close(fd[1]);
  if (k->pid < 0) {
    close(fd[0]);
    return false;
  }
  k->fd = fd[0];
  k->since = now();
  k->hung = false;
  return true;
}

static void describe_death(const worker *k, int status, uint64_t seconds, char why[64]) {
  if (k->hung)
    snprintf(why, 64, "no answer in %llu seconds", (unsigned long long)seconds);
  else if (WIFSIGNALED(status))
    snprintf(why, 64, "killed by signal %d", WTERMSIG(status));
  else if (WEXITSTATUS(status) == CL_HARNESS)
    snprintf(why, 64, CL_OUT_OF_MEMORY);
  else
    snprintf(why, 64, "exited with status %d", WEXITSTATUS(status));
}

static bool note_failure(pool *p, uint64_t unit, uint64_t item, const char *why) {
  for (size_t i = 0; i < p->nfailed; i++) {
    if (p->failed[i].unit == unit && p->failed[i].item == item) return false;
  }
  failed_item *f = realloc(p->failed, (p->nfailed + 1) * sizeof *f);
  if (!f) return false;
  p->failed = f;
  f[p->nfailed] = (failed_item){.unit = unit, .item = item};
  memcpy(f[p->nfailed++].why, why, 64);
  return true;
}

/* The pipe ended without the worker's last word: it goes on behind the item at fault. */
static void bury(pool *p, unsigned i) {
  worker *k = &p->worker[i];
  int status = 0;
  while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(k->fd);
  k->fd = -1;
  if (k->ended) return;
  k->len = k->whole;
  if (p->stopped) {
    k->ended = true;
    return;
  }
  char why[64], line[160];
  describe_death(k, status, p->w->hang_seconds, why);
  uint64_t unit = atomic_load(&p->shared->at[i].unit), item = atomic_load(&p->shared->at[i].item);
  if (item == NO_ITEM || unit != k->next || !note_failure(p, unit, item, why) || !start(p, i)) {
    k->ended = true;
    snprintf(line, sizeof line, "a worker process failed outside its work: %s", why);
    break_work(p, line);
  }
}

/* Takes note of the replies that have become whole. */
static void note_replies(const pool *p, worker *k) {
  frame f;
  while (k->len - k->whole >= sizeof f) {
    memcpy(&f, k->buf + k->whole, sizeof f);
    if (k->len - k->whole - sizeof f < f.size) return;
    if (f.last) k->ended = true;
    if (!f.last) k->next = f.unit + p->w->jobs;
    k->whole += sizeof f + (size_t)f.size;
  }
}

/* Makes room behind what is in the buffer. */
static bool make_room(worker *k) {
  if (k->head > 0) memmove(k->buf, k->buf + k->head, k->len - k->head);
  k->len -= k->head;
  k->whole -= k->head;
  k->head = 0;
  if (k->cap - k->len >= 65536) return true;
  char *grown = realloc(k->buf, k->cap * 2 + 65536);
  if (!grown) return false;
  k->buf = grown;
  k->cap = k->cap * 2 + 65536;
  return true;
}

static void receive(pool *p, unsigned i) {
  worker *k = &p->worker[i];
  if (!make_room(k)) {
    break_work(p, CL_OUT_OF_MEMORY);
    return;
  }
  ssize_t got = read(k->fd, k->buf + k->len, k->cap - k->len);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) {
    bury(p, i);
    return;
  }
  k->len += (size_t)got;
  note_replies(p, k);
}

/* Merges the worker's first reply if it is of this unit. */
static bool merge_first(pool *p, worker *k, uint64_t unit) {
  frame f;
  if (k->whole - k->head < sizeof f) return false;
  memcpy(&f, k->buf + k->head, sizeof f);
  if (f.last || f.unit != unit) return false;
  if (!p->w->merge(p->w->merge_arg, unit, k->buf + k->head + sizeof f, (size_t)f.size))
    stop_work(p);
  k->head += sizeof f + (size_t)f.size;
  return true;
}

/* The worker has nothing more to merge. */
static bool spent(const worker *k) {
  frame f;
  if (!k->ended) return false;
  if (k->whole - k->head < sizeof f) return true;
  memcpy(&f, k->buf + k->head, sizeof f);
  return f.last != 0;
}

/* Merges what can be merged; true when all is done. */
static bool merge_ready(pool *p) {
  unsigned jobs = p->w->jobs, passed = 0;
  while (passed < jobs) {
    worker *k = &p->worker[p->merged % jobs];
    if (merge_first(p, k, p->merged)) {
      passed = 0;
    } else if (spent(k)) {
      passed++;
    } else {
      return false;
    }
    p->merged++;
  }
  return true;
}

static void kill_hung(pool *p) {
  double t = now();
  for (unsigned i = 0; i < p->w->jobs; i++) {
    worker *k = &p->worker[i];
    uint64_t beats = atomic_load(&p->shared->at[i].beats);
    if (k->fd < 0) continue;
    if (beats != k->beats || k->ended) {
      k->beats = beats;
      k->since = t;
    }
    bool late = p->w->hang_seconds && t - k->since > (double)p->w->hang_seconds;
    if (p->kill_at > 0 && t > p->kill_at) late = true;
    if (late && !k->hung) {
      k->hung = true;
      kill(k->pid, SIGKILL);
    }
  }
}

static void wait_for_replies(pool *p, int milliseconds) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->w->jobs; i++) {
    p->fds[i] = (struct pollfd){.fd = p->worker[i].fd, .events = POLLIN};
    if (p->worker[i].fd >= 0) n++;
  }
  if (n == 0) return;
  if (poll(p->fds, p->w->jobs, milliseconds) <= 0) return;
  for (unsigned i = 0; i < p->w->jobs; i++) {
    if (p->worker[i].fd >= 0 && p->fds[i].revents) receive(p, i);
  }
}

bool cl_work_step(cl_pool *p, int milliseconds) {
  if (merge_ready(p)) return true;
  if (p->w->heed_signals && cl_signal_pending()) stop_work(p);
  if (p->deadline > 0 && now() > p->deadline) stop_work(p);
  if (p->w->tick && !p->w->tick(p->w->merge_arg)) stop_work(p);
  kill_hung(p);
  wait_for_replies(p, milliseconds);
  return false;
}

void cl_work_stop(cl_pool *p) { stop_work(p); }

static void close_pool(pool *p) {
  for (unsigned i = 0; p->worker && i < p->w->jobs; i++) {
    worker *k = &p->worker[i];
    if (k->fd >= 0) {
      /* its pipe may have another reader: a process of other work that was started meanwhile */
      if (!k->ended) kill(k->pid, SIGKILL);
      close(k->fd);
      while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR) {
      }
    }
    free(k->buf);
  }
  free(p->worker);
  free(p->failed);
  free(p->fds);
  if (p->shared != MAP_FAILED) munmap(p->shared, p->shared_size);
  free(p);
}

static bool open_pool(pool *p) {
  p->shared_size = sizeof(shared) + p->w->jobs * sizeof(place);
  p->shared = mmap(NULL, p->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  p->worker = calloc(p->w->jobs, sizeof *p->worker);
  p->fds = calloc(p->w->jobs, sizeof *p->fds);
  if (p->shared == MAP_FAILED || !p->worker || !p->fds) return false;
  for (unsigned i = 0; i < p->w->jobs; i++) p->worker[i] = (worker){.fd = -1, .next = i};
  for (unsigned i = 0; i < p->w->jobs; i++) {
    if (!start(p, i)) return false;
  }
  return true;
}

cl_pool *cl_work_start(const cl_work *w) {
  assert(w->jobs >= 1);
  pool *p = calloc(1, sizeof *p);
  if (p) {
    p->work = *w;
    p->w = &p->work;
    p->shared = MAP_FAILED;
    if (w->seconds) p->deadline = now() + (double)w->seconds;
    if (open_pool(p)) return p;
    close_pool(p);
  }
  cl_error("worker processes can't be started");
  return NULL;
}

cl_end cl_work_end(cl_pool *p) {
  cl_end end = p->broken ? CL_END_FAILED : p->stopped ? CL_END_STOPPED : CL_END_DONE;
  close_pool(p);
  return end;
}

cl_end cl_work_run(const cl_work *w) {
  cl_pool *p = cl_work_start(w);
  if (!p) return CL_END_FAILED;
  while (!cl_work_step(p, 100)) {
  }
  return cl_work_end(p);
}
