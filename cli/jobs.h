/* Work in forked processes, its results in order.
 *
 * Work is a row of units 0, 1, 2, ... of unknown length, each made of items. Worker w of J does the
 * units w, w + J, ...; the parent merges their replies in the order of units, so that what it sees
 * does not depend on J. A worker that dies or hangs is started again at its unit, and the item at
 * fault is named: the unit then reports it as failed. So a crash costs one item.
 */
#ifndef UPROOF_CLI_JOBS_H
#define UPROOF_CLI_JOBS_H

#include "engine/uop.h"

/* A worker's place in the work, seen by the parent too. */
typedef struct cl_cursor cl_cursor;
#define CL_OUT_OF_MEMORY "out of memory"
/* To call before an item is worked on. NULL: go on; else why the item failed before ("killed by
 * signal 11", CL_OUT_OF_MEMORY), to be reported and not tried again. */
const char *cl_cursor_item(cl_cursor *at, uint64_t item);
/* True once the work is to end early; a unit then ends at its next item. */
const volatile bool *cl_cursor_stop(const cl_cursor *at);

typedef struct cl_work {
  void *arg;                /* of open */
  void *merge_arg;          /* of merge */
  unsigned jobs;            /* processes, at least 1 */
  uint64_t hang_seconds;    /* an item that takes longer is killed; 0: never */
  uint64_t seconds;         /* stop after; 0: when the units are done */
  bool heed_signals;        /* SIGINT and SIGTERM stop the work (both must be blocked) */
  void *(*open)(void *arg); /* in the worker, once; NULL: it fails */
  /* In the worker: does a unit, appends the reply. False: there is no such unit, nor later ones. */
  bool (*unit)(void *state, uint64_t unit, cl_cursor *at, up_buf *reply);
  void (*close)(void *state);
  /* In the parent, in order of units. False: stop the work. */
  bool (*merge)(void *arg, uint64_t unit, const char *reply, size_t n);
  /* In the parent, several times a second, with merge_arg. False: stop the work. May be NULL. */
  bool (*tick)(void *arg);
} cl_work;

typedef enum cl_end { CL_END_DONE, CL_END_STOPPED, CL_END_FAILED } cl_end;
/* FAILED: a worker could not be run, or failed outside its items; one line says why. */
cl_end cl_work_run(const cl_work *w);

/* The same beside other things: what merges and ticks does so in _step, which waits for at most so long
 * for a reply, and is true when all is done. */
typedef struct cl_pool cl_pool;
/* NULL after a message. */
cl_pool *cl_work_start(const cl_work *w);
bool cl_work_step(cl_pool *p, int milliseconds);
/* As a signal does. */
void cl_work_stop(cl_pool *p);
/* To be called when all is done. */
cl_end cl_work_end(cl_pool *p);

/* Blocks SIGINT and SIGTERM for the rest of the process, so that work can be ended in good order.
 */
void cl_block_signals(void);
bool cl_signal_pending(void);

#endif
