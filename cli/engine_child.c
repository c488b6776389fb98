/* A fuzzer's process: started, watched, started again, ended. */
#include "cli/engine.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A process that ends sooner has failed at its start. */
#define START_SECONDS 5.0
#define MOST_FAILURES 3u
#define GRACE_SECONDS 10.0

void cl_words_add(cl_words *w, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  char *text = malloc((size_t)n + 1), **p = realloc(w->p, (w->n + 2) * sizeof *p);
  if (p) w->p = p;
  if (!text || !p) {
    w->no_memory = true;
    free(text);
    return;
  }
  va_start(ap, fmt);
  vsnprintf(text, (size_t)n + 1, fmt, ap);
  va_end(ap);
  p[w->n++] = text;
  p[w->n] = NULL;
}

void cl_words_free(cl_words *w) {
  for (unsigned i = 0; i < w->n; i++) free(w->p[i]);
  free(w->p);
  memset(w, 0, sizeof *w);
}

/* ---- starting -------------------------------------------------------------------------------- */

_Noreturn static void become(const cl_child *c, pid_t parent) {
  sigset_t none;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(127); /* it was killed before that */
  setpgid(0, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int in = open("/dev/null", O_RDONLY);
  int out = open(c->log, O_WRONLY | O_CREAT | O_APPEND, 0666);
  for (unsigned i = 0; i < c->env.n; i++) {
    char *value = strchr(c->env.p[i], '=');
    *value = 0;
    setenv(c->env.p[i], value + 1, 1);
  }
  if (in >= 0 && out >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
    execvp(c->argv.p[0], c->argv.p);
  fprintf(stderr, "%s: %s\n", c->argv.p[0], strerror(errno));
  _exit(127);
}

bool cl_child_start(cl_child *c) {
  pid_t parent = getpid();
  unlink(c->log);
  fflush(stdout);
  fflush(stderr);
  c->pid = fork();
  if (c->pid == 0) become(c, parent);
  c->since = cl_clock();
  if (c->pid > 0) return true;
  c->pid = 0;
  cl_error("%s can't be started: %s", c->name, strerror(errno));
  return false;
}

/* ---- its end --------------------------------------------------------------------------------- */

/* The line of the log that tells most about why: a demand that failed, a sanitizer's or a fuzzer's
 * last word, else the last line. */
static void last_words(const cl_child *c, char out[256]) {
  static const char *const telling[] = {"uproof: ", "SUMMARY: ", "PROGRAM ABORT"};
  FILE *f = fopen(c->log, "r");
  char *line = NULL;
  size_t room = 0, best = 0;
  out[0] = 0;
  while (f && getline(&line, &room, f) >= 0) {
    size_t rank = 1;
    line[strcspn(line, "\r\n")] = 0;
    for (size_t i = 0; i < 3; i++)
      if (strstr(line, telling[i])) rank = 4 - i;
    if (!*line || rank < best) continue;
    best = rank;
    snprintf(out, 256, "%s", line);
  }
  free(line);
  if (f) fclose(f);
}

static void tell_end(const cl_child *c, int status) {
  char why[256], how[64];
  last_words(c, why);
  if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "killed by signal %d", WTERMSIG(status));
  else
    snprintf(how, sizeof how, "exited with status %d", WEXITSTATUS(status));
  cl_error("fuzz: %s %s: %s%s", c->name, how, why[0] ? why : "it printed nothing",
           c->given_up ? "; not started again" : "");
}

void cl_child_watch(cl_child *c) {
  int status = 0;
  if (c->pid == 0 || waitpid(c->pid, &status, WNOHANG) != c->pid) return;
  c->pid = 0;
  c->failures = cl_clock() - c->since < START_SECONDS ? c->failures + 1 : 0;
  c->given_up = c->failures >= MOST_FAILURES;
  tell_end(c, status);
  if (!c->given_up && !cl_child_start(c)) c->given_up = true;
}

static bool is_running(cl_child *c) {
  if (c->pid && waitpid(c->pid, NULL, WNOHANG) == c->pid) c->pid = 0;
  return c->pid != 0;
}

static void signal_all(cl_child *c, unsigned n, int signal) {
  for (unsigned i = 0; i < n; i++)
    if (is_running(&c[i])) kill(c[i].pid, signal);
}

void cl_children_stop(cl_child *c, unsigned n) {
  double until = cl_clock() + GRACE_SECONDS;
  bool left = true;
  signal_all(c, n, SIGTERM);
  while (left && cl_clock() < until) {
    left = false;
    for (unsigned i = 0; i < n; i++) left |= is_running(&c[i]);
    if (left) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  signal_all(c, n, SIGKILL);
  for (unsigned i = 0; i < n; i++) {
    while (c[i].pid && waitpid(c[i].pid, NULL, 0) < 0 && errno == EINTR) {
    }
    c[i].pid = 0;
  }
}
