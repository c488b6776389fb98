/* cvc5 as a child process. */
#include "cvc5.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOT_FOUND 127

/* To cvc5 a limit of 0 is none. It ends with whoever asked it, however that ended. */
static void child(int in, int out, uint32_t rlimit) {
  char limit[32];
  snprintf(limit, sizeof limit, "--rlimit=%u", rlimit ? rlimit : 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int null = open("/dev/null", O_WRONLY);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || (null >= 0 && dup2(null, 2) < 0)) _exit(1);
  execlp("cvc5", "cvc5", "--lang=smt2", limit, "--nl-ext-tplanes", "-", (char *)NULL);
  _exit(errno == ENOENT ? NOT_FOUND : 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* No answer is this long; one that is counts as cut here. */
#define MAX_ANSWER (1u << 24)

/* One piece of the answer. False: there is no more. */
static bool hear(int from, up_buf *heard) {
  char piece[4096];
  ssize_t n = read(from, piece, sizeof piece);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (n <= 0 || heard->len > MAX_ANSWER) return false;
  up_buf_put(heard, piece, (size_t)n);
  return true;
}

/* Writes the query and reads the answer. False: too late. */
static bool talk(int to, int from, const up_buf *query, uint32_t seconds, up_buf *heard) {
  size_t sent = 0;
  double end = now() + seconds;
  bool more = true;
  fcntl(to, F_SETFL, O_NONBLOCK);
  while (more && now() < end) {
    bool writing = sent < query->len;
    struct pollfd f[2] = {{from, POLLIN, 0}, {writing ? to : -1, POLLOUT, 0}};
    if (poll(f, 2, 200) < 0 && errno != EINTR) break;
    if (f[1].revents) {
      ssize_t n = write(to, query->p + sent, query->len - sent);
      if (n < 0 && errno != EAGAIN && errno != EINTR)
        sent = query->len; /* it has stopped reading */
      if (n > 0) sent += (size_t)n;
      if (sent == query->len) close(to);
    }
    if (f[0].revents) more = hear(from, heard);
  }
  if (sent < query->len) close(to);
  return !more;
}

/* The first line, its end cut off; *rest: what comes behind. */
static void split(const up_buf *heard, char line[160], up_buf *rest) {
  size_t end = 0;
  while (end < heard->len && heard->p[end] != '\n') end++;
  snprintf(line, 160, "%.*s", (int)(end < 159 ? end : 159), heard->p ? heard->p : "");
  if (rest && end < heard->len) up_buf_put(rest, heard->p + end + 1, heard->len - end - 1);
}

static cv_answer read_answer(const char *line, bool in_time, int status, char *why) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) return CV_NOT_INSTALLED;
  if (strcmp(line, "unsat") == 0) return CV_UNSAT;
  if (strcmp(line, "sat") == 0) return CV_SAT;
  if (!in_time || strcmp(line, "unknown") == 0) return CV_UNKNOWN;
  /* out of resources, it ends without an answer or says so */
  if (line[0] == 0 || strstr(line, "resource") || strstr(line, "interrupted")) return CV_UNKNOWN;
  snprintf(why, 120, "cvc5: %.100s", line);
  return CV_ERROR;
}

cv_answer cv_ask(const up_buf *query, uint32_t rlimit, uint32_t seconds, up_buf *rest, char *why) {
  int to[2], from[2], status = 0;
  char line[160] = "";
  up_buf heard = {0};
  snprintf(why, 120, "cvc5 can't be run");
  if (pipe(to) != 0) return CV_ERROR;
  if (pipe(from) != 0) {
    close(to[0]);
    close(to[1]);
    return CV_ERROR;
  }
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGPIPE, &ignore, &old);
  pid_t pid = fork();
  if (pid == 0) {
    close(to[1]);
    close(from[0]);
    child(to[0], from[1], rlimit);
  }
  close(to[0]);
  close(from[1]);
  bool in_time = pid > 0 && talk(to[1], from[0], query, seconds, &heard);
  if (pid <= 0) close(to[1]);
  close(from[0]);
  if (pid > 0) {
    kill(pid, SIGKILL); /* it may go on for a while after its answer */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  sigaction(SIGPIPE, &old, NULL);
  split(&heard, line, rest);
  up_buf_free(&heard);
  return pid > 0 ? read_answer(line, in_time, status, why) : CV_ERROR;
}
