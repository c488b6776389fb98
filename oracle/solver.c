/* The child of a checker: started, asked, killed and buried. */
#include "solver.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define MAGIC 0x75505132u
/* No question or answer is this large; one that says so is garbled. */
#define MAX_BYTES (UINT64_C(1) << 31)

typedef struct message {
  uint32_t magic, zero;
  uint64_t size;
} message;

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool send_all(int fd, const void *data, size_t n) {
  const char *p = data;
  while (n > 0) {
    ssize_t put = send(fd, p, n, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    p += put;
    n -= (size_t)put;
  }
  return true;
}

static bool send_message(int fd, const up_buf *b) {
  message m = {.magic = MAGIC, .size = b->len};
  return !b->no_memory && send_all(fd, &m, sizeof m) && send_all(fd, b->p, b->len);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* How long an answer is waited for: until its process has used so many seconds of a processor, or has
 * used none for as long. So a busy machine ends no question that a quiet one would have answered. */
typedef struct patience {
  clockid_t clock;             /* of the process */
  double seconds, used, moved; /* used: at the question; moved: when it was last seen to run */
  double last;                 /* used up to then */
} patience;

static double used_by(clockid_t clock) {
  struct timespec t;
  return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec * 1e-9 : 0;
}

static patience patience_with(pid_t pid, uint32_t seconds) {
  patience p = {.seconds = seconds, .moved = now()};
  if (clock_getcpuclockid(pid, &p.clock) != 0) p.clock = CLOCK_MONOTONIC;
  p.used = p.last = used_by(p.clock);
  return p;
}

static bool out_of_patience(patience *p) {
  double used = used_by(p->clock);
  if (used > p->last) {
    p->last = used;
    p->moved = now();
  }
  return used - p->used > p->seconds || now() - p->moved > p->seconds;
}

/* wait NULL: for ever. SILENT: there was no answer. DIED: the other end is gone. */
static sv_status read_all(int fd, void *data, size_t n, patience *wait) {
  char *p = data;
  while (n > 0) {
    if (wait && out_of_patience(wait)) return SV_SILENT;
    struct pollfd f = {.fd = fd, .events = POLLIN};
    int ready = poll(&f, 1, wait ? 100 : -1);
    if (ready <= 0) continue; /* a signal, or nothing yet */
    ssize_t got = read(fd, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return SV_DIED;
    p += got;
    n -= (size_t)got;
  }
  return SV_OK;
}

/* FAILED: what came is no message, or there is no memory for it. */
static sv_status read_message(int fd, up_buf *out, patience *wait) {
  message m;
  out->len = 0;
  sv_status s = read_all(fd, &m, sizeof m, wait);
  if (s != SV_OK) return s;
  if (m.magic != MAGIC || m.zero != 0 || m.size > MAX_BYTES) return SV_FAILED;
  char *data = malloc((size_t)m.size + 1);
  if (!data) return SV_FAILED;
  s = read_all(fd, data, (size_t)m.size, wait);
  if (s == SV_OK) up_buf_put(out, data, (size_t)m.size);
  free(data);
  return s == SV_OK && out->no_memory ? SV_FAILED : s;
}

/* ---- the child ------------------------------------------------------------------------------- */

/* For tests: UPROOF_TEST_SOLVER=hang:3 makes the third question of each child go wrong that way. */
typedef struct fault {
  char how; /* h, c, g (garbage), 0 */
  unsigned long at;
} fault;

static fault planned_fault(void) {
  const char *text = getenv("UPROOF_TEST_SOLVER"), *at = text ? strchr(text, ':') : NULL;
  fault f = {0};
  if (!text) return f;
  f.how = text[0];
  f.at = at ? strtoul(at + 1, NULL, 10) : 1;
  return f;
}

static void go_wrong(char how, int fd) {
  if (how == 'c') raise(SIGKILL);
  while (how == 'h') pause();
  static const char nonsense[64] = "unsat or so";
  send_all(fd, nonsense, sizeof nonsense);
}

/* What belongs to the parent is closed: a pipe must end when the parent does. */
static void close_others(int fd) {
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 1024) most = 1024;
  for (int i = 3; i < most; i++) {
    if (i != fd) close(i);
  }
}

static void child(int fd, sv_serve serve, void *state) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  close_others(fd);
  fault f = planned_fault();
  up_buf question = {0}, reply = {0};
  for (unsigned long i = 1; read_message(fd, &question, NULL) == SV_OK; i++) {
    if (f.how != 0 && i == f.at) go_wrong(f.how, fd);
    reply.len = 0;
    serve(state, question.p, question.len, &reply);
    if (!send_message(fd, &reply)) break;
  }
  _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

static bool start(sv_child *s, sv_serve serve, void *state) {
  int fd[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0) return false;
  fflush(stdout);
  fflush(stderr);
  s->pid = fork();
  if (s->pid == 0) {
    close(fd[0]);
    child(fd[1], serve, state);
  }
  close(fd[1]);
  s->fd = fd[0];
  if (s->pid > 0) return true;
  close(fd[0]);
  s->pid = 0;
  return false;
}

/* Ends the child whatever it does; its wait status. */
static int bury(sv_child *s) {
  int status = 0;
  kill(s->pid, SIGKILL);
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(s->fd);
  s->pid = 0;
  return status;
}

void sv_stop(sv_child *s) {
  if (s->pid > 0) bury(s);
}

/* A child that ends by itself is a zombie by now: its own end is told, not the kill. */
static void describe_end(sv_child *s, char *why) {
  int status = 0;
  pid_t got;
  while ((got = waitpid(s->pid, &status, 0)) < 0 && errno == EINTR) {
  }
  close(s->fd);
  s->pid = 0;
  if (got < 0)
    snprintf(why, 120, "the solver's process is gone");
  else if (WIFSIGNALED(status))
    snprintf(why, 120, "the solver was killed by signal %d", WTERMSIG(status));
  else
    snprintf(why, 120, "the solver exited with status %d", WEXITSTATUS(status));
}

sv_status sv_ask(sv_child *s, sv_serve serve, void *state, uint32_t seconds, const up_buf *question,
                 up_buf *reply, char *why) {
  if (s->pid == 0 && !start(s, serve, state)) {
    snprintf(why, 120, "the solver's process can't be started");
    return SV_FAILED;
  }
  bool sent = send_message(s->fd, question);
  patience wait = patience_with(s->pid, seconds);
  sv_status got = sent ? read_message(s->fd, reply, &wait) : SV_DIED;
  switch (got) {
  case SV_OK: return got;
  case SV_DIED: describe_end(s, why); return got;
  case SV_SILENT: snprintf(why, 120, "the solver did not answer in %u seconds", seconds); break;
  default: snprintf(why, 120, "the solver's answer is garbled");
  }
  bury(s);
  return got;
}
