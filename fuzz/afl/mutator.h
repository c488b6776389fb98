/* The mutators of uproof as AFL++'s custom mutator (AFL_CUSTOM_MUTATOR_LIBRARY). The functions and
 * their contracts are AFL++'s, version 4; `data` is what afl_custom_init returned. */
#ifndef UPROOF_AFL_MUTATOR_H
#define UPROOF_AFL_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: no memory. afl is not looked at. */
void *afl_custom_init(void *afl, unsigned seed);
void afl_custom_deinit(void *data);
/* A mutant of buf in *out, which is valid until the next call; add_buf is another input, or NULL. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out, uint8_t *add_buf,
                       size_t add_n, size_t max_size);
/* Every byte string is a graph: nothing has to be put right. Longer than the target reads is cut. */
size_t afl_custom_post_process(void *data, uint8_t *buf, size_t n, uint8_t **out);
/* Trimming node by node: number of steps (0: nothing to do), the next attempt, and how it went. */
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t n);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, unsigned char success);
/* The mutators of the latest mutant, for the file's name. */
const char *afl_custom_describe(void *data, size_t max_description);
/* Counts what was kept. */
uint8_t afl_custom_queue_new_entry(void *data, const uint8_t *file, const uint8_t *from);

#endif
