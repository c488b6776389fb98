/* One mutant: the prover's word, then layer by layer what shows it. */
#include "cli/corpus.h"
#include "cli/mutate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Nodes at which the mutant would do wrong, if it came to it: all of them have to be hidden. */
#define SHOWN 20u
#define HIDERS 4u

const char *mu_layer_name(mu_layer l) {
  static const char *const name[MU_LAYERS] = {"corpus", "aimed", "fuzz", "alone"};
  return name[l];
}

/* ---- the corpus ------------------------------------------------------------------------------ */

/* FNV-1a of the graph as text. */
static void digest_graph(mu_run *z, up_node root) {
  up_buf text = {0};
  up_print_uop(z->corpus, root, NULL, &text);
  for (size_t i = 0; i < text.len; i++)
    z->digest = (z->digest ^ (unsigned char)text.p[i]) * UINT64_C(0x100000001b3);
  up_buf_free(&text);
}

static bool add_graph(mu_run *z, up_node root) {
  if (up_is_none(root) || !up_list_push(&z->graphs, root)) return cl_usage("out of memory");
  digest_graph(z, root);
  return true;
}

/* Rows that ask about a valid have no graph of their own. */
static int take_graph(up_ctx *c, const cl_graph *g, void *arg) {
  mu_run *z = arg;
  if (cl_item_mode(g->item) != OR_NO_VALID) return CL_SOUND;
  return add_graph(z, up_copy(z->corpus, c, g->item->root)) ? CL_SOUND : CL_USAGE;
}

static bool take_folder(mu_run *z, const char *dir) {
  cp_inputs in = {0};
  fz_opts o = fz_opts_default();
  bool ok = cp_collect(dir, &in);
  cp_sort(&in);
  for (size_t i = 0; i < in.n && ok; i++) {
    fz_input x = fz_input_of(in.p[i].bytes, in.p[i].n);
    up_node root = fz_decode(z->corpus, &o, x.graph, x.n);
    ok = add_graph(z, root);
  }
  cp_free(&in);
  return ok;
}

bool mu_read_corpus(mu_run *z, const up_profile *p) {
  const cl_texts *files = &z->a->common.operands;
  if (files->n == 0) return true;
  z->digest = UINT64_C(0xcbf29ce484222325);
  z->corpus = up_ctx_new(p);
  bool ok = z->corpus != NULL;
  for (unsigned i = 0; i < files->n && ok; i++) {
    struct stat s;
    cl_common one = z->a->common;
    one.operands = (cl_texts){.p = files->p + i, .n = 1};
    if (stat(files->p[i], &s) == 0 && S_ISDIR(s.st_mode))
      ok = take_folder(z, files->p[i]);
    else
      ok = cl_for_each_of(&one, p, take_graph, z) == CL_SOUND;
  }
  return ok;
}

/* ---- who hides it ---------------------------------------------------------------------------- */

typedef struct hiders {
  up_ctx *c;       /* with all rules */
  uint32_t mutant; /* its number there */
  uint32_t rule[HIDERS], times[HIDERS], n, others, shown;
  bool itself; /* at one of these nodes the mutant is the first that applies, or nothing is */
} hiders;

static void count_hider(hiders *h, uint32_t rule) {
  uint32_t i = 0;
  while (i < h->n && h->rule[i] != rule) i++;
  if (i == HIDERS) {
    h->others++;
    return;
  }
  if (i == h->n) h->n++;
  h->rule[i] = rule;
  h->times[i]++;
}

/* The first step behind which the mutant does not apply to the node any more: UINT32_MAX: none. */
static uint32_t first_in_the_way(const hiders *h, up_node n, const up_trace *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    const up_step *s = &t->step[i];
    if (s->rule < 0 || (uint32_t)s->rule == h->mutant) break;
    n = up_substitute(h->c, n, &s->before, &s->after, 1);
    if (up_is_none(n) || up_rule_distance(h->c, h->mutant, n) > 0) return (uint32_t)s->rule;
  }
  return UINT32_MAX;
}

/* A node at which the mutant, alone, does wrong: what do all rules do to it before? */
static bool note_hider(up_ctx *c, const or_finding *f, void *arg) {
  hiders *h = arg;
  up_trace t = {0};
  up_ctx_reset(h->c);
  up_node n = up_copy(h->c, c, up_is_none(f->before) ? f->graph : f->before);
  if (up_is_none(n)) return true;
  cl_rewrite(h->c, n, 0, &t, NULL);
  uint32_t rule = first_in_the_way(h, n, &t);
  if (rule == UINT32_MAX)
    h->itself = true;
  else
    count_hider(h, rule);
  up_trace_free(&t);
  return ++h->shown < SHOWN && !h->itself;
}

static void put_hiders(const hiders *h, const up_profile *p, char out[96]) {
  size_t at = 0;
  out[0] = 0;
  if (h->itself || h->shown < SHOWN) return;
  for (uint32_t i = 0; i < h->n && at < 95; i++)
    at += (size_t)snprintf(out + at, 96 - at, "%s%s (%u)", i ? ", " : "",
                           up_rule_at(p, h->rule[i]).name, h->times[i]);
  if (h->others && at < 95) snprintf(out + at, 96 - at, ", others (%u)", h->others);
}

/* ---- layers ---------------------------------------------------------------------------------- */

typedef struct judge {
  const mu_run *z;
  const cl_mutant *m;
  const up_profile *p; /* with the mutant in it, */
  uint32_t number;     /* as this rule */
  const volatile bool *stop;
  mu_outcome *out;
} judge;

/* Goes on where the layer ended, as far as it may go. */
static void fuzz_layer(const judge *j, mu_layer layer, const up_profile *p, cl_fuzzing how) {
  cl_hit *h = &j->out->hit[layer];
  double limit = (double)j->z->a->seconds;
  if ((h->found && !how.go_on) || h->tried >= how.runs || (limit > 0 && h->seconds >= limit))
    return;
  how.seed = j->z->a->common.seed;
  how.from = h->tried;
  how.seconds = limit > 0 ? limit - h->seconds : 0;
  how.stop = j->stop;
  double before = h->seconds;
  *h = cl_mutant_fuzz(p, &how);
  h->seconds += before;
}

static void fuzz_aimed(const judge *j, uint64_t runs) {
  up_error err = {0};
  cl_fuzzing how = {.number = j->number, .runs = runs};
  up_profile *delta = cl_mutant_delta(&j->z->all, j->m, &how.at_delta, &err);
  how.delta = delta;
  fuzz_layer(j, MU_AIMED, j->p, how);
  up_profile_free(delta);
}

static void fuzz_alone(const judge *j, uint64_t runs) {
  up_error err = {0};
  hiders h = {.c = up_ctx_new(j->p), .mutant = j->number};
  cl_fuzzing how = {.runs = runs, .go_on = note_hider, .arg = &h};
  up_profile *p = cl_mutant_profile(&j->z->all, j->m, true, &how.number, &err);
  up_profile *delta = p ? cl_mutant_delta(&j->z->all, j->m, &how.at_delta, &err) : NULL;
  how.delta = delta;
  j->out->hit[MU_ALONE] = (cl_hit){0}; /* all of it again: few nodes that tell are no proof */
  if (p && h.c) fuzz_layer(j, MU_ALONE, p, how);
  put_hiders(&h, j->p, j->out->hidden_by);
  if (*j->stop) { /* half of it: to be asked again */
    j->out->hit[MU_ALONE] = (cl_hit){0};
    j->out->hidden_by[0] = 0;
  }
  up_profile_free(delta);
  up_profile_free(p);
  up_ctx_free(h.c);
}

static void check_corpus(const judge *j) {
  const mu_run *z = j->z;
  if (!z->corpus || (j->out->corpus == z->digest && j->out->hit[MU_CORPUS].tried > 0)) return;
  j->out->hit[MU_CORPUS] = cl_mutant_check(j->p, z->corpus, &z->graphs, j->stop);
  j->out->corpus = *j->stop ? 0 : z->digest;
}

static void layers(const judge *j, const mu_budget *b) {
  mu_outcome *o = j->out;
  check_corpus(j);
  if (b->aimed && !o->hidden_by[0]) fuzz_aimed(j, b->aimed);
  if (b->runs) {
    const cl_fuzzing how = {.number = FZ_ANY_RULE, .runs = b->runs};
    fuzz_layer(j, MU_FUZZ, j->p, how);
  }
  bool shown = o->hit[MU_AIMED].found || o->hit[MU_FUZZ].found || o->hit[MU_CORPUS].found;
  bool open = !shown && !o->hidden_by[0] && o->hit[MU_ALONE].tried < b->aimed;
  if (o->fate == PF_FATE_REFUTED && open) fuzz_alone(j, b->aimed);
}

/* Of C code the prover looked at a small scope; a graph that lies outside of it is no contradiction. */
static void graph_decides(const judge *j) {
  mu_outcome *o = j->out;
  if (o->fate != PF_FATE_EQUIVALENT || !j->m->native || !mu_is_wrong(o)) return;
  o->fate = PF_FATE_REFUTED;
  snprintf(o->why, sizeof o->why, "by a graph: the small scope of its C code does not show it");
}

void mu_judge(const mu_run *z, uint32_t mutant, const mu_budget *b, pf_prover *prover,
              const volatile bool *stop, mu_outcome *out) {
  judge j = {.z = z, .m = &z->all.m[mutant], .stop = stop, .out = out};
  up_error err = {0};
  if (!out->judged) out->fate = cl_mutant_fate(&z->all, j.m, prover, out->why);
  out->judged = true;
  if (out->fate == PF_FATE_NO_RULE || (!b->aimed && !b->runs && !z->corpus)) return;
  up_profile *p = cl_mutant_profile(&z->all, j.m, false, &j.number, &err);
  j.p = p;
  if (p) {
    layers(&j, b);
    graph_decides(&j);
  } else {
    out->fate = PF_FATE_NO_RULE;
    snprintf(out->why, sizeof out->why, "%.150s", err.msg);
  }
  up_profile_free(p);
}
