/* uproof oracle: the solver in a process of its own. Private to oracle/.
 *
 * Z3 does not always keep to its resource limit, and can crash. So questions cross to a child, which
 * answers one after the other and is replaced when it dies, says nonsense, or does not answer within
 * a limit in seconds that is far beyond what the resource limit takes: a safety net, not a limit of
 * verdicts. Any of that costs the one question.
 */
#ifndef UPROOF_ORACLE_SOLVER_H
#define UPROOF_ORACLE_SOLVER_H

#include "program.h"
#include <sys/types.h>

typedef struct sv_child {
  pid_t pid; /* 0: none */
  int fd;    /* of a stream socket */
  bool deaf; /* did not answer a question of this inquiry: no more are asked in it */
} sv_child;

/* ---- what crosses ---------------------------------------------------------------------------- */

/* A question as bytes: the program without its context, the claims, which arithmetic, the limit. */
typedef struct sv_question {
  const pr_program *p;
  const pr_range *claim; /* or NULL */
  uint32_t root_limit;
  bool bits; /* as bit-vectors, else as integers */
  uint32_t rlimit;
} sv_question;
/* False: no memory. */
bool sv_pack(const sv_question *q, up_buf *out);
/* Into a program that was zero-initialised or used before, and claims that the caller frees. False:
 * the bytes are not a question, or no memory. */
bool sv_unpack(const char *data, size_t n, pr_program *p, pr_range **claim, sv_question *out);

/* ---- transport ------------------------------------------------------------------------------- */

/* In the child: answers the question in data. */
typedef void (*sv_serve)(void *state, const char *data, size_t n, up_buf *reply);

typedef enum sv_status { SV_OK, SV_SILENT, SV_DIED, SV_FAILED } sv_status;
/* Asks, in a child that is started when there is none: `serve` runs there, with `state` as it is now.
 * After anything but OK there is no child any more; why (120 bytes) says what happened. SILENT: no
 * answer after its process has used `seconds` of a processor, or none for `seconds`. FAILED: it could not be started or reached. */
sv_status sv_ask(sv_child *s, sv_serve serve, void *state, uint32_t seconds, const up_buf *question,
                 up_buf *reply, char *why);
void sv_stop(sv_child *s);

#endif
