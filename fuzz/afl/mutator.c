#include "fuzz/afl/mutator.h"
#include "fuzz/shape.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 16)

typedef struct state {
  fz_shaper *shaper;
  fz_rng rng;
  uint8_t *out, *best, *attempt; /* MOST_BYTES each */
  size_t nbest, nattempt;
  uint32_t step, steps; /* of the best so far */
  bool smaller;         /* ... since the steps began */
  uint32_t promised;    /* steps announced at the start: what ends the trimming */
  char text[256];
} state;

void *afl_custom_init(void *afl, unsigned seed) {
  (void)afl;
  state *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->rng.s = seed;
  s->shaper = fz_shaper_new();
  s->out = malloc(MOST_BYTES);
  s->best = malloc(MOST_BYTES);
  s->attempt = malloc(MOST_BYTES);
  if (s->shaper && s->out && s->best && s->attempt) return s;
  afl_custom_deinit(s);
  return NULL;
}

/* With UPROOF_MUTATORS=FILE in the environment, what each mutator was good for is written there. */
static void report(const state *s) {
  const char *path = getenv("UPROOF_MUTATORS");
  FILE *f = path && s->shaper ? fopen(path, "w") : NULL;
  if (!f) return;
  fz_shaper_report(s->shaper, f);
  if (fclose(f) != 0) fprintf(stderr, "uproof: %s: not written\n", path);
}

void afl_custom_deinit(void *data) {
  state *s = data;
  report(s);
  if (s->shaper) fz_shaper_free(s->shaper);
  free(s->out);
  free(s->best);
  free(s->attempt);
  free(s);
}

static size_t copy_input(const state *s, const uint8_t *buf, size_t n, size_t max) {
  if (n > max) n = max;
  if (n > MOST_BYTES) n = MOST_BYTES;
  memcpy(s->out, buf, n);
  return n;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out, uint8_t *add_buf,
                       size_t add_n, size_t max_size) {
  state *s = data;
  size_t cap = max_size < MOST_BYTES ? max_size : MOST_BYTES, made = 0;
  bool join = add_buf && add_n && fz_next(&s->rng) % 3 == 0;
  for (unsigned tries = 0; made == 0 && tries < 4; tries++)
    made = fz_shape(s->shaper, buf, n, join ? add_buf : NULL, join ? add_n : 0, s->out, cap,
                    fz_next(&s->rng));
  if (made == 0) made = copy_input(s, buf, n, max_size);
  *out = s->out;
  return made;
}

size_t afl_custom_post_process(void *data, uint8_t *buf, size_t n, uint8_t **out) {
  (void)data;
  *out = buf;
  return n < MOST_BYTES ? n : MOST_BYTES;
}

int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t n) {
  state *s = data;
  if (n > MOST_BYTES) return 0;
  memcpy(s->best, buf, n);
  s->nbest = n;
  s->step = 0;
  s->smaller = false;
  s->steps = fz_smaller_count(s->shaper, s->best, n);
  /* a step is a run of the target: graphs too large for that many are left as they are */
  if (s->steps > 400) s->steps = 0;
  s->promised = s->steps;
  return (int32_t)s->promised;
}

/* To a fixed point: what did not help before a success may help after it. */
static bool begin_again(state *s) {
  bool again = s->smaller;
  s->smaller = false;
  if (again) s->step = 0;
  return again;
}

size_t afl_custom_trim(void *data, uint8_t **out) {
  state *s = data;
  *out = s->attempt;
  do {
    for (; s->step < s->steps; s->step++) {
      s->nattempt = fz_smaller(s->shaper, s->best, s->nbest, s->step, s->attempt, MOST_BYTES);
      if (s->nattempt && s->nattempt < s->nbest) return s->nattempt;
    }
  } while (begin_again(s));
  /* nothing smaller is left: what is best already must be given, as is */
  memcpy(s->attempt, s->best, s->nbest);
  s->nattempt = s->nbest;
  return s->nattempt;
}

int32_t afl_custom_post_trim(void *data, unsigned char success) {
  state *s = data;
  if (success && s->step < s->steps && s->nattempt < s->nbest) {
    memcpy(s->best, s->attempt, s->nattempt);
    s->nbest = s->nattempt;
    s->smaller = true;
    s->steps = fz_smaller_count(s->shaper, s->best, s->nbest);
  } else {
    s->step++;
  }
  bool more = s->step < s->steps || s->smaller;
  uint32_t last = s->promised - 1;
  return (int32_t)(!more ? s->promised : s->step < last ? s->step : last);
}

const char *afl_custom_describe(void *data, size_t max_description) {
  state *s = data;
  size_t room = max_description < sizeof s->text ? max_description : sizeof s->text;
  if (room) snprintf(s->text, room, "%s", fz_shaper_latest(s->shaper));
  return s->text;
}

uint8_t afl_custom_queue_new_entry(void *data, const uint8_t *file, const uint8_t *from) {
  state *s = data;
  (void)from;
  FILE *f = fopen((const char *)file, "rb");
  if (!f) return 0;
  size_t n = fread(s->out, 1, MOST_BYTES, f);
  fclose(f);
  fz_shaper_kept(s->shaper, s->out, n);
  return 0; /* the file is left as it is */
}
