#include "fuzz/haystack.h"

#include <string.h>

#include "fuzz/gen.h"

/* Noise stays below this, so that no sum of it leaves int. */
#define NOISE_LIMIT 1000000
/* Nodes that hay is made of before it is put around the needle. */
#define POOL 160u
/* Layers that the needle is under, whatever the size: each may hide its failure. */
#define LAYERS 10u

typedef struct hay {
  up_ctx *c;
  fz_rng rng;
  up_list needle; /* nodes of the needle, in topological order */
  up_node pool[POOL];
  uint32_t n, fresh; /* nodes in the pool; number of the next new variable */
} hay;

static uint32_t draw(hay *h, uint32_t below) { return (uint32_t)(fz_next(&h->rng) >> 33) % below; }

static up_node pick(hay *h) { return h->pool[draw(h, h->n)]; }

static up_node number(hay *h, up_dtype d, int64_t v) { return up_const_int(h->c, d, v); }

/* Does the node claim values in [lo, hi] only? */
static bool within(up_ctx *c, up_node n, int64_t lo, int64_t hi) {
  up_bounds b = up_minmax(c, n);
  return !b.lo.is_float && !b.hi.is_float && up_int_cmp(c, b.lo.i, up_int_of(lo)) >= 0 &&
         up_int_cmp(c, b.hi.i, up_int_of(hi)) <= 0;
}

static bool is_int(const up_ctx *c, up_node n) { return up_dtype_of(c, n) == up_dt(UP_INT); }

/* ---- variables ------------------------------------------------------------------------------- */

static bool name_is_taken(const hay *h, const char *name) {
  for (uint32_t i = 0; i < h->needle.n; i++) {
    char other[64];
    up_int lo, hi;
    if (up_var_domain(h->c, h->needle.p[i], other, &lo, &hi) && strcmp(name, other) == 0)
      return true;
  }
  return false;
}

static up_node new_var(hay *h, up_int lo, up_int hi, up_dtype d) {
  char name[16];
  do snprintf(name, sizeof name, "h%u", h->fresh++);
  while (name_is_taken(h, name));
  return up_var(h->c, name, lo, hi, d);
}

/* ---- noise ----------------------------------------------------------------------------------- */

static up_node rare(hay *h) {
  up_node a = pick(h);
  if (draw(h, 2)) return up_binary(h->c, UP_CMPLT, a, number(h, up_dt(UP_INT), 1 + draw(h, 5)));
  return up_binary(h->c, UP_CMPNE, a, pick(h));
}

static up_node more_noise(hay *h) {
  up_ctx *c = h->c;
  up_node a = pick(h), k = number(h, up_dt(UP_INT), 2 + draw(h, 6));
  switch (draw(h, 8)) {
  case 0: return up_binary(c, UP_MUL, a, k);
  case 1: return up_binary(c, UP_IDIV, a, k);
  case 2: return up_binary(c, UP_MOD, a, k);
  case 3: return up_binary(c, UP_MAX, a, pick(h));
  case 4: {
    up_node other = pick(h);
    return up_where(c, rare(h), a, other);
  }
  default: return up_binary(c, UP_ADD, a, pick(h));
  }
}

static void make_pool(hay *h) {
  for (uint32_t i = 0; i < 4; i++)
    h->pool[h->n++] = new_var(h, up_int_of(0), up_int_of(3 + 9 * (int64_t)i), up_dt(UP_INT));
  /* the needle's own variables live in the hay, too */
  for (uint32_t i = 0; i < h->needle.n && h->n < 8; i++) {
    up_node v = h->needle.p[i];
    if (up_op_of(h->c, v) == UP_DEFINE_VAR && is_int(h->c, v) && within(h->c, v, 0, 100))
      h->pool[h->n++] = v;
  }
  while (h->n < POOL && up_ctx_status(h->c) == UP_OK) {
    up_node m = more_noise(h);
    if (within(h->c, m, 0, NOISE_LIMIT)) h->pool[h->n++] = m;
  }
}

/* ---- the needle ------------------------------------------------------------------------------ */

/* For every variable of the needle a choice between it and a twin. */
static up_node with_twins(hay *h, up_node needle) {
  up_list key = {0}, val = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < h->needle.n; i++) {
    up_node v = h->needle.p[i];
    char name[64];
    up_int lo, hi;
    if (up_op_of(h->c, v) != UP_DEFINE_VAR || !up_var_domain(h->c, v, name, &lo, &hi)) continue;
    up_node twin = new_var(h, lo, hi, up_dtype_of(h->c, v));
    ok = up_list_push(&key, v) && up_list_push(&val, up_where(h->c, rare(h), v, twin));
  }
  up_node n = ok ? up_substitute(h->c, needle, key.p, val.p, key.n) : UP_NONE;
  up_list_free(&key);
  up_list_free(&val);
  return n;
}

/* Hay of about so many nodes. */
static up_node bale(hay *h, uint32_t nodes) {
  up_node b = pick(h);
  for (uint32_t made = 0; made < nodes && up_ctx_status(h->c) == UP_OK; made += 4) {
    up_node k = number(h, up_dt(UP_INT), 2 + draw(h, 90));
    up_node part = up_binary(h->c, UP_ADD, up_binary(h->c, UP_MOD, b, k), pick(h));
    b = draw(h, 2) ? up_binary(h->c, UP_MAX, part, pick(h)) : up_where(h->c, rare(h), part, b);
    if (!within(h->c, b, 0, 100 * NOISE_LIMIT)) b = pick(h);
  }
  return b;
}

/* One more layer around g, through which most differences of g are seen. */
static up_node layer(hay *h, up_node g, up_node other) {
  up_ctx *c = h->c;
  uint32_t how = draw(h, 6);
  bool roomy = is_int(c, g) && within(c, g, -100 * NOISE_LIMIT, 100 * NOISE_LIMIT);
  if (up_dt_is_bool(up_dtype_of(c, g))) return up_where(c, g, other, pick(h));
  if (!is_int(c, g)) {
    up_op op = how < 3 ? UP_CMPLT : UP_CMPNE;
    return up_binary(c, op, g,
                     number(h, up_dtype_of(c, g), draw(h, 2) ? draw(h, 8) : draw(h, 120)));
  }
  if (how == 0) return up_where(c, rare(h), g, other);
  if (how == 1 || !roomy) return up_where(c, rare(h), other, g);
  if (how == 2)
    return up_binary(c, UP_ADD, up_binary(c, UP_MUL, g, number(h, up_dt(UP_INT), 3)), other);
  if (how == 3) return up_binary(c, UP_ADD, g, up_where(c, rare(h), other, g));
  return up_binary(c, UP_ADD, g, other);
}

/* The rest of the nodes is given evenly to the layers that are left. */
static up_node wrap(hay *h, up_node g, uint32_t nodes) {
  for (uint32_t i = 0; !up_is_none(g) && up_ctx_status(h->c) == UP_OK; i++) {
    uint32_t have = up_count(h->c, g), left = i < LAYERS ? LAYERS - i : 1;
    if (have >= nodes) break;
    g = layer(h, g, bale(h, (nodes - have) / left));
  }
  return g;
}

up_node fz_bury(up_ctx *c, up_node needle, uint64_t seed, uint32_t nodes) {
  hay h = {.c = c, .rng = {seed}};
  up_dtype d = up_dtype_of(c, needle);
  bool plain = (up_dt_is_int(d) || up_dt_is_bool(d)) && up_dt_count(d) == 1 && !up_dt_is_ptr(d);
  up_node g = UP_NONE;
  if (plain && up_ctx_status(c) == UP_OK && up_toposort(c, needle, &h.needle)) {
    make_pool(&h);
    if (h.n == POOL) g = wrap(&h, seed % 2 ? with_twins(&h, needle) : needle, nodes);
  }
  up_list_free(&h.needle);
  return up_ctx_status(c) == UP_OK ? g : UP_NONE;
}
