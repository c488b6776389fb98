/* The process of an adapter: started when it is asked, asked line by line, killed when it is silent. */
#include "cli/adapter.h"
#include "cli/jobs.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* No answer is this long; a program that says so much is no adapter. */
#define MAX_ANSWER ((size_t)1 << 28)

struct cl_pipe {
  char *command;
  uint64_t seconds;
  pid_t pid; /* 0: not running */
  int fd;
  up_buf in;   /* the answer that is being read, and what came behind it */
  size_t used; /* bytes of it that the last answer took */
  char why[64];
};

cl_pipe *cl_pipe_new(const char *command, uint64_t seconds) {
  cl_pipe *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->command = strdup(command);
  p->seconds = seconds;
  if (p->command) return p;
  free(p);
  return NULL;
}

/* ---- the watch ------------------------------------------------------------------------------- */

/* Between uproof and the program is a process of ours, the watch: however uproof ends, killed outright
 * included, the program and what it started itself do not outlive it. Both are groups of their own, so
 * that Ctrl-C is uproof's to handle. */

static void become_program(const cl_pipe *p, int fd) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  setpgid(0, 0);
  if (dup2(fd, STDIN_FILENO) >= 0 && dup2(fd, STDOUT_FILENO) >= 0)
    execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
  _exit(127);
}

/* Pipes that other processes wait for the end of must not stay open here. */
static void close_all(void) {
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 1024) most = 1024;
  for (int i = 0; i < most; i++) close(i);
}

/* Ends as the program did. */
static void end_as(int status) {
  if (WIFSIGNALED(status)) {
    sigset_t none;
    sigemptyset(&none);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* Until the program ends, or SIGTERM says that uproof has no more use for it or is gone. */
static void watch(const cl_pipe *p, int fd, const sigset_t *signals, pid_t parent) {
  int status = 0, signal_number = 0;
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (getppid() != parent) _exit(127);
  pid_t program = fork();
  if (program == 0) become_program(p, fd);
  if (program < 0) _exit(127);
  setpgid(program, program); /* whoever comes first */
  close_all();
  pid_t got = 0;
  while (got == 0 && signal_number != SIGTERM) {
    if (sigwait(signals, &signal_number) == 0) got = waitpid(program, &status, WNOHANG);
  }
  kill(-program, SIGKILL); /* what it may have started itself, too */
  while (got == 0) got = waitpid(program, &status, 0) == program ? program : 0;
  end_as(status);
}

/* ---- start and end --------------------------------------------------------------------------- */

static bool start(cl_pipe *p) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  p->in.len = p->used = 0;
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, &before); /* the watch must miss none */
  pid_t self = getpid();
  p->pid = fork();
  if (p->pid == 0) watch(p, pair[1], &signals, self);
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(pair[1]);
  p->fd = pair[0];
  if (p->pid > 0) return true;
  close(p->fd);
  p->pid = 0;
  return false;
}

/* Buries the program. Its status, as waitpid has it. */
static int bury(cl_pipe *p, bool kill_first) {
  int status = 0;
  if (p->pid == 0) return 0;
  if (kill_first) kill(p->pid, SIGTERM);
  close(p->fd);
  while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
  }
  p->pid = 0;
  return status;
}

void cl_pipe_free(cl_pipe *p) {
  if (!p) return;
  bury(p, true);
  up_buf_free(&p->in);
  free(p->command);
  free(p);
}

static cl_pipe_got ended(cl_pipe *p) {
  int status = bury(p, false);
  if (WIFSIGNALED(status))
    snprintf(p->why, sizeof p->why, "killed by signal %d", WTERMSIG(status));
  else
    snprintf(p->why, sizeof p->why, "ended with status %d", WEXITSTATUS(status));
  return CL_PIPE_ENDED;
}

static cl_pipe_got failed(cl_pipe *p, const char *why) {
  bury(p, true);
  snprintf(p->why, sizeof p->why, "%s", why);
  return CL_PIPE_FAILED;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waits for the program to be ready. False: the time is over, or uproof is to end. */
static bool wait_for(const cl_pipe *p, short event, double until) {
  for (;;) {
    struct pollfd f = {.fd = p->fd, .events = event};
    if (poll(&f, 1, 100) > 0) return true;
    if (now() > until || cl_signal_pending()) return false;
  }
}

static cl_pipe_got silent(cl_pipe *p) {
  bury(p, true);
  if (cl_signal_pending()) {
    snprintf(p->why, sizeof p->why, "interrupted");
    return CL_PIPE_STOPPED;
  }
  snprintf(p->why, sizeof p->why, "no answer in %llu s", (unsigned long long)p->seconds);
  return CL_PIPE_SILENT;
}

static cl_pipe_got put(cl_pipe *p, const char *text, size_t n, double until) {
  while (n > 0) {
    ssize_t sent = send(p->fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      text += sent;
      n -= (size_t)sent;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(p, POLLOUT, until)) return silent(p);
    } else if (errno != EINTR) {
      return ended(p);
    }
  }
  return CL_PIPE_ANSWER;
}

static cl_pipe_got get_line(cl_pipe *p, double until, const char **answer, size_t *n) {
  size_t looked = 0;
  for (;;) {
    const char *end =
        p->in.len > looked ? memchr(p->in.p + looked, '\n', p->in.len - looked) : NULL;
    if (end) {
      *answer = p->in.p;
      *n = (size_t)(end - p->in.p);
      p->used = *n + 1;
      return CL_PIPE_ANSWER;
    }
    looked = p->in.len;
    if (looked > MAX_ANSWER) return failed(p, "an answer without end");
    char part[65536];
    if (!wait_for(p, POLLIN, until)) return silent(p);
    ssize_t got = read(p->fd, part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ended(p);
    up_buf_put(&p->in, part, (size_t)got);
    if (p->in.no_memory) return failed(p, "out of memory");
  }
}

cl_pipe_got cl_pipe_ask(cl_pipe *p, const char *line, const char **answer, size_t *n) {
  p->why[0] = 0;
  if (p->pid == 0 && cl_signal_pending()) return silent(p);
  if (p->pid == 0 && !start(p)) return failed(p, strerror(errno));
  if (p->used > 0) {
    memmove(p->in.p, p->in.p + p->used, p->in.len - p->used);
    p->in.len -= p->used;
    p->used = 0;
  }
  double until = now() + (double)p->seconds;
  cl_pipe_got got = put(p, line, strlen(line), until);
  if (got == CL_PIPE_ANSWER) got = put(p, "\n", 1, until);
  return got == CL_PIPE_ANSWER ? get_line(p, until, answer, n) : got;
}

const char *cl_pipe_why(const cl_pipe *p) { return p->why; }
