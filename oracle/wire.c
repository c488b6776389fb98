/* Questions to the solver's process as bytes. Both ends are the same program, so that structures
 * cross as they lie in memory; sizes are checked all the same, since a process that is failing may
 * send anything. */
#include "solver.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x75505131u

typedef struct head {
  uint32_t magic, frame, n, nvar, nroot, nassume, nhuge, bits;
  uint32_t root_limit, rlimit, claims, as_bits; /* no room between or behind: every byte is set */
} head;

static void put(up_buf *out, const void *p, size_t n) {
  if (n > 0) up_buf_put(out, p, n);
}

bool sv_pack(const sv_question *q, up_buf *out) {
  const pr_program *p = q->p;
  head h = {.magic = MAGIC,
            .frame = p->frame,
            .n = p->n,
            .nvar = p->nvar,
            .nroot = p->nroot,
            .nassume = p->nassume,
            .nhuge = p->nhuge,
            .bits = p->bits,
            .root_limit = q->root_limit,
            .rlimit = q->rlimit,
            .claims = q->claim != NULL,
            .as_bits = q->bits};
  put(out, &h, sizeof h);
  put(out, p->ins, p->n * sizeof *p->ins);
  put(out, p->var, p->nvar * sizeof *p->var);
  put(out, p->root, p->nroot * sizeof *p->root);
  put(out, p->assume, p->nassume * sizeof *p->assume);
  if (q->claim) put(out, q->claim, p->nroot * sizeof *q->claim);
  for (uint32_t i = 0; i < p->nhuge; i++) put(out, p->huge[i], strlen(p->huge[i]) + 1);
  return !out->no_memory;
}

typedef struct input {
  const char *p;
  size_t n;
} input;

/* The next count * size bytes in memory of their own. NULL: there are not so many, or no memory. */
static void *take(input *in, uint32_t count, size_t size) {
  size_t n = (size_t)count * size;
  if (n > in->n) return NULL;
  void *copy = malloc(n + 1);
  if (!copy) return NULL;
  if (n > 0) memcpy(copy, in->p, n);
  in->p += n;
  in->n -= n;
  return copy;
}

static bool take_huge(input *in, pr_program *p, uint32_t count) {
  if (count > in->n) return false; /* each has its end at least */
  p->huge = calloc(count + 1, sizeof *p->huge);
  if (!p->huge) return false;
  p->huge_cap = count + 1;
  while (p->nhuge < count) {
    const char *end = memchr(in->p, 0, in->n);
    char *text = end ? take(in, 1, (size_t)(end - in->p) + 1) : NULL;
    if (!text) return false;
    p->huge[p->nhuge++] = text;
  }
  return true;
}

/* Do slots, variables and texts refer to what is there? */
static bool sound(const pr_program *p, const head *h) {
  bool ok = h->frame < OR_FRAME_COUNT && h->root_limit <= p->nroot;
  for (uint32_t i = 0; ok && i < p->n; i++) {
    const pr_ins *d = &p->ins[i];
    ok = d->nsrc <= 3 && (!(d->flags & PR_HUGE) || d->var < p->nhuge) &&
         (!fr_is_variable((up_op)d->op) || d->var < p->nvar);
    for (unsigned s = 0; ok && s < d->nsrc; s++) ok = d->src[s] < i;
  }
  for (uint32_t i = 0; ok && i < p->nvar; i++) ok = p->var[i].slot < p->n;
  for (uint32_t i = 0; ok && i < p->nroot; i++) ok = p->root[i].a < p->n && p->root[i].b < p->n;
  for (uint32_t i = 0; ok && i < p->nassume; i++) ok = p->assume[i] < p->n;
  return ok;
}

bool sv_unpack(const char *data, size_t n, pr_program *p, pr_range **claim, sv_question *out) {
  head h;
  input in = {data, n};
  *claim = NULL;
  if (n < sizeof h) return false;
  memcpy(&h, data, sizeof h);
  if (h.magic != MAGIC) return false;
  in.p += sizeof h;
  in.n -= sizeof h;
  pr_free(p);
  *p = (pr_program){.frame = (or_frame)h.frame, .bits = h.bits};
  p->ins = take(&in, h.n, sizeof *p->ins);
  p->var = take(&in, h.nvar, sizeof *p->var);
  p->root = take(&in, h.nroot, sizeof *p->root);
  p->assume = take(&in, h.nassume, sizeof *p->assume);
  if (h.claims) *claim = take(&in, h.nroot, sizeof **claim);
  if (!p->ins || !p->var || !p->root || !p->assume || (h.claims && !*claim)) return false;
  p->n = p->cap = h.n;
  p->nvar = p->var_cap = h.nvar;
  p->nroot = p->root_cap = h.nroot;
  p->nassume = p->assume_cap = h.nassume;
  if (!take_huge(&in, p, h.nhuge) || in.n != 0 || !sound(p, &h)) return false;
  *out = (sv_question){p, *claim, h.root_limit, h.as_bits != 0, h.rlimit};
  return true;
}
