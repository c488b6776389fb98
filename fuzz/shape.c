#include "fuzz/shape.h"
#include "fuzz/mutate.h"
#include "fuzz/nodes.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MUTATORS 32u
#define MAX_PROFILES 8u
#define REMEMBERED 4096u /* mutants of which is known who made them; a power of two */

typedef struct counts {
  uint64_t tried, changed, kept;
} counts;

typedef struct mutant {
  uint64_t digest;
  uint32_t by; /* a bit a mutator; 0: empty */
} mutant;

struct fz_shaper {
  up_profile *profile[MAX_PROFILES];
  up_ctx *c[MAX_PROFILES]; /* the rule shapes are those of the context's profile */
  unsigned n;
  counts count[MAX_MUTATORS];
  mutant mutant[REMEMBERED];
  uint32_t latest; /* a bit a mutator */
  char text[200];
};

fz_shaper *fz_shaper_new(void) {
  fz_shaper *s = calloc(1, sizeof *s);
  bool ok = s != NULL;
  assert(fz_mutator_count() <= MAX_MUTATORS);
  for (; ok && s->n < MAX_PROFILES && up_profile_known(s->n); s->n++) {
    s->profile[s->n] = up_profile_load(up_profile_known(s->n), NULL);
    s->c[s->n] = s->profile[s->n] ? up_ctx_new(s->profile[s->n]) : NULL;
    ok = s->c[s->n] != NULL;
  }
  if (ok) return s;
  if (s) fz_shaper_free(s);
  return NULL;
}

void fz_shaper_free(fz_shaper *s) {
  for (unsigned i = 0; i < MAX_PROFILES; i++) {
    up_ctx_free(s->c[i]);
    up_profile_free(s->profile[i]);
  }
  free(s);
}

/* ---- who made what --------------------------------------------------------------------------- */

static uint64_t digest_of(const uint8_t *data, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) h = (h ^ data[i]) * UINT64_C(0x100000001b3);
  return h;
}

static mutant *place_of(fz_shaper *s, uint64_t digest) {
  return &s->mutant[(digest ^ digest >> 32) % REMEMBERED];
}

void fz_shaper_kept(fz_shaper *s, const uint8_t *data, size_t n) {
  uint64_t digest = digest_of(data, n);
  mutant *m = place_of(s, digest);
  if (m->by == 0 || m->digest != digest) return;
  for (unsigned i = 0; i < fz_mutator_count(); i++) s->count[i].kept += (m->by >> i) & 1;
  m->by = 0;
}

const char *fz_shaper_latest(const fz_shaper *s) { return s->text; }

static void name_latest(fz_shaper *s) {
  size_t n = 0;
  s->text[0] = 0;
  for (unsigned i = 0; i < fz_mutator_count(); i++) {
    if (!((s->latest >> i) & 1)) continue;
    int k = snprintf(s->text + n, sizeof s->text - n, "%s%s", n ? "+" : "", fz_mutator_name(i));
    n += k > 0 ? (size_t)k : 0;
    if (n >= sizeof s->text) break;
  }
}

void fz_shaper_report(const fz_shaper *s, FILE *out) {
  fprintf(out, "%-16s %12s %12s %9s\n", "mutator", "tried", "changed", "kept");
  for (unsigned i = 0; i < fz_mutator_count(); i++)
    fprintf(out, "%-16s %12llu %12llu %9llu\n", fz_mutator_name(i),
            (unsigned long long)s->count[i].tried, (unsigned long long)s->count[i].changed,
            (unsigned long long)s->count[i].kept);
}

/* ---- mutants --------------------------------------------------------------------------------- */

static up_node decode(up_ctx *c, const uint8_t *data, size_t n) {
  fz_opts o = fz_opts_default();
  fz_input in = fz_input_of(data, n);
  return fz_decode(c, &o, in.graph, in.n);
}

static size_t encode(up_ctx *c, up_node root, uint8_t choice, uint8_t *out, size_t cap) {
  if (cap < 2) return 0;
  out[0] = choice;
  size_t n = fz_encode(c, root, out + 1, cap - 1);
  return n ? n + 1 : 0;
}

static up_node mutate_once(fz_shaper *s, up_ctx *c, up_node root, up_node other, fz_rng *r) {
  unsigned i = fz_mutator_pick(r, !up_is_none(other));
  s->count[i].tried++;
  up_node made = fz_mutate(c, root, other, i, r);
  if (up_is_none(made)) return root;
  s->count[i].changed++;
  s->latest |= UINT32_C(1) << i;
  return made;
}

static up_ctx *fresh_context(fz_shaper *s, fz_rng *r) {
  up_ctx *c = s->c[fz_next(r) % s->n];
  up_ctx_reset(c);
  return c;
}

size_t fz_shape(fz_shaper *s, const uint8_t *data, size_t n, const uint8_t *other, size_t nother,
                uint8_t *out, size_t cap, uint64_t seed) {
  fz_rng r = {seed};
  up_ctx *c = fresh_context(s, &r);
  fz_shaper_kept(s, data, n);
  uint8_t choice = n ? data[0] : 0;
  if (fz_next(&r) % 16 == 0) choice = (uint8_t)fz_next(&r);
  up_node first = decode(c, data, n), second = other ? decode(c, other, nother) : UP_NONE;
  up_node root = first;
  unsigned stack = 1;
  while (stack < 4 && fz_next(&r) % 2) stack++;
  s->latest = 0;
  for (unsigned k = 0; k < 4 * stack && !up_is_none(root); k++) {
    root = mutate_once(s, c, root, second, &r);
    if (k + 1 >= stack && !up_same(root, first)) break;
  }
  name_latest(s);
  if (up_ctx_status(c) != UP_OK || up_is_none(root) || up_same(root, first)) return 0;
  size_t made = encode(c, root, choice, out, cap);
  if (made) {
    uint64_t digest = digest_of(out, made);
    *place_of(s, digest) = (mutant){digest, s->latest};
  }
  return made;
}

/* ---- trimming -------------------------------------------------------------------------------- */

enum { WAYS = 5 }; /* for one of its first three sources, for a constant, the node alone */

uint32_t fz_smaller_count(fz_shaper *s, const uint8_t *data, size_t n) {
  up_ctx *c = s->c[0];
  up_ctx_reset(c);
  up_node root = decode(c, data, n);
  return up_is_none(root) ? 0 : up_count(c, root) * WAYS;
}

/* The graph with node n changed in this way; UP_NONE: there is no such way. */
static up_node smaller(up_ctx *c, up_node root, up_node n, unsigned way) {
  up_dtype dt = up_dtype_of(c, n);
  up_node val = UP_NONE;
  if (way < 3 && way < up_nsrc(c, n)) val = up_src(c, n, way);
  if (way == 3 && up_nsrc(c, n) && (up_dt_is_int(dt) || up_dt_is_bool(dt)))
    val = up_const_int(c, dt, 1);
  if (way == 4) return up_same(n, root) ? UP_NONE : n;
  if (up_is_none(val) || up_dtype_of(c, val) != dt) return UP_NONE;
  return up_substitute(c, root, &n, &val, 1);
}

size_t fz_smaller(fz_shaper *s, const uint8_t *data, size_t n, uint32_t i, uint8_t *out,
                  size_t cap) {
  up_ctx *c = s->c[0];
  up_list topo = {0};
  up_node made = UP_NONE;
  up_ctx_reset(c);
  up_node root = decode(c, data, n);
  if (!up_is_none(root) && up_toposort(c, root, &topo) && i / WAYS < topo.n)
    made = smaller(c, root, topo.p[topo.n - 1 - i / WAYS], i % WAYS);
  uint32_t before = topo.n;
  up_list_free(&topo);
  if (up_is_none(made) || up_ctx_status(c) != UP_OK || up_count(c, made) >= before) return 0;
  return encode(c, made, n ? data[0] : 0, out, cap);
}
