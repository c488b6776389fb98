/* What became of the mutants: lines, JSON, a table, counts. */
#include "cli/mutate.h"

#include <string.h>

static bool asked(const mu_run *z, mu_layer l) {
  if (l == MU_CORPUS) return z->corpus != NULL;
  return l == MU_AIMED ? z->a->aimed > 0 : l == MU_FUZZ && z->a->runs > 0;
}

bool mu_is_wrong(const mu_outcome *o) {
  bool wrong = false;
  for (int l = 0; l < MU_ALONE; l++) {
    const cl_hit *h = &o->hit[l];
    wrong |= h->found && (h->kind == OR_VALUE || h->kind == OR_BOUNDS);
  }
  return wrong;
}

/* A value or a bound that is wrong though the rule is proved: one of the two is at fault. */
static bool contradicts(const mu_outcome *o) {
  return o->fate == PF_FATE_EQUIVALENT && mu_is_wrong(o);
}

bool mu_survives(const mu_run *z, const mu_outcome *o) {
  if (o->fate == PF_FATE_UNKNOWN || o->fate == PF_FATE_ERROR) return true;
  if (o->fate != PF_FATE_REFUTED) return false;
  return (asked(z, MU_FUZZ) && !o->hit[MU_FUZZ].found) ||
         (asked(z, MU_AIMED) && !o->hit[MU_AIMED].found);
}

/* ---- a mutant -------------------------------------------------------------------------------- */

static json_t *hit_json(const cl_hit *h) {
  if (!h->found) return json_null();
  return json_pack("{s:s,s:I}", "kind", or_kind_name(h->kind), "graph", (json_int_t)h->graph);
}

static void put_json(const mu_run *z, const cl_mutant *m, const mu_outcome *o) {
  json_t *j = json_pack("{s:s,s:s,s:i,s:i,s:s,s:s,s:s}", "rule", m->rule, "file", m->file, "line",
                        (int)m->line, "column", (int)m->col, "change", m->what, "fate",
                        pf_fate_name(o->fate), "why", o->why);
  for (int l = 0; l < MU_LAYERS; l++) {
    if (l == MU_ALONE ? !o->hit[l].found : !asked(z, (mu_layer)l)) continue;
    json_object_set_new(j, mu_layer_name((mu_layer)l), hit_json(&o->hit[l]));
  }
  if (o->hidden_by[0]) json_object_set_new(j, "hidden_by", json_string(o->hidden_by));
  json_object_set_new(j, "survives", json_boolean(mu_survives(z, o)));
  json_object_set_new(j, "contradiction", json_boolean(contradicts(o)));
  cl_print_json(j);
}

static void put_hit(mu_layer l, const cl_hit *h, bool wanted) {
  if (h->found)
    printf("  [%s: %s in graph %llu]", mu_layer_name(l), or_kind_name(h->kind),
           (unsigned long long)h->graph);
  else if (wanted)
    printf("  [%s: not found]", mu_layer_name(l));
}

static void put_line(const mu_run *z, const cl_mutant *m, const mu_outcome *o) {
  bool refuted = o->fate == PF_FATE_REFUTED;
  printf("%-11s %-28s %s:%u:%u %s", pf_fate_name(o->fate), m->rule, m->file, m->line, m->col,
         m->what);
  for (int l = 0; l < MU_LAYERS; l++)
    put_hit((mu_layer)l, &o->hit[l], refuted && asked(z, (mu_layer)l));
  if (o->hidden_by[0]) printf("  [hidden by %s]", o->hidden_by);
  if (o->why[0]) printf("\n    %s", o->why);
  printf("\n");
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef struct counts {
  uint64_t done, fate[PF_FATE_COUNT], found[MU_LAYERS], any, alone, hidden, looping, contradictions;
} counts;

static bool shown(const mu_outcome *o, uint64_t within) {
  bool any = o->hit[MU_CORPUS].found;
  for (int l = MU_AIMED; l <= MU_FUZZ; l++) any |= o->hit[l].found && o->hit[l].graph < within;
  return any;
}

static void count(counts *k, const mu_outcome *o) {
  bool refuted = o->fate == PF_FATE_REFUTED, found = shown(o, UINT64_MAX);
  k->done++;
  k->fate[o->fate]++;
  for (int l = 0; l < MU_LAYERS; l++) k->found[l] += refuted && o->hit[l].found;
  k->any += refuted && found;
  k->alone += refuted && !found && o->hit[MU_ALONE].found;
  k->hidden += refuted && !found && o->hidden_by[0];
  k->looping += found && o->fate == PF_FATE_EQUIVALENT && !contradicts(o);
  k->contradictions += contradicts(o);
}

/* How many refuted ones the layer shows within so many graphs; MU_LAYERS: any layer. */
static uint64_t within(const mu_run *z, int layer, uint64_t graphs) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < z->all.n; i++) {
    const mu_outcome *o = &z->o[i];
    if (!o->judged || o->fate != PF_FATE_REFUTED) continue;
    if (layer == MU_LAYERS)
      n += shown(o, graphs);
    else
      n += o->hit[layer].found && o->hit[layer].graph < graphs;
  }
  return n;
}

static void put_table(const mu_run *z, const counts *k) {
  double all = (double)k->fate[PF_FATE_REFUTED];
  printf("| layer | 100 | 1,000 | 10,000 | 100,000 | 1,000,000 graphs | in all | of %.0f |\n", all);
  printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int l = 0; l <= MU_LAYERS; l++) {
    if (l == MU_ALONE || (l < MU_ALONE && !asked(z, (mu_layer)l))) continue;
    printf("| %s |", l == MU_LAYERS ? "any of them" : mu_layer_name((mu_layer)l));
    for (uint64_t n = 100; n <= 1000000; n *= 10)
      printf(" %llu |", (unsigned long long)within(z, l, n));
    uint64_t n = within(z, l, UINT64_MAX);
    printf(" %llu | %.1f %% |\n", (unsigned long long)n, all > 0 ? 100 * (double)n / all : 0.0);
  }
  printf("\nHidden by other rules: %llu.\n", (unsigned long long)k->hidden);
}

static void put_found(const counts *k, const char *what, uint64_t n) {
  fprintf(stderr, "; %s found %llu of %llu refuted", what, (unsigned long long)n,
          (unsigned long long)k->fate[PF_FATE_REFUTED]);
}

static void put_count(uint64_t n, const char *what) {
  if (n) fprintf(stderr, ", %llu %s", (unsigned long long)n, what);
}

static void put_summary(const mu_run *z, const counts *k) {
  fflush(stdout);
  fprintf(stderr, "mutate: %llu mutants", (unsigned long long)k->done);
  for (int f = 0; f < PF_FATE_COUNT; f++)
    fprintf(stderr, ", %llu %s", (unsigned long long)k->fate[f], pf_fate_name((pf_fate)f));
  if (z->corpus) put_found(k, "corpus", k->found[MU_CORPUS]);
  if (z->a->aimed) put_found(k, "aimed fuzz", k->found[MU_AIMED]);
  put_count(k->hidden, "hidden by other rules");
  put_count(k->alone - k->hidden, "found alone");
  if (z->a->runs) put_found(k, "fuzz", k->found[MU_FUZZ]);
  put_count(k->looping, "true ones loop or raise");
  put_count(k->contradictions, "CONTRADICTIONS");
  fprintf(stderr, ", seed %llu\n", (unsigned long long)z->a->common.seed);
}

int mu_put_results(const mu_run *z) {
  counts k = {0};
  for (uint32_t i = 0; i < z->all.n; i++) {
    const mu_outcome *o = &z->o[i];
    if (!o->judged) continue;
    count(&k, o);
    if (z->a->common.json)
      put_json(z, &z->all.m[i], o);
    else if (z->a->each || contradicts(o) || (!z->a->table && mu_survives(z, o)))
      put_line(z, &z->all.m[i], o);
  }
  if (z->a->table && !z->a->common.json) put_table(z, &k);
  if (!z->a->common.quiet) put_summary(z, &k);
  if (k.contradictions || k.fate[PF_FATE_ERROR]) return CL_HARNESS;
  return k.fate[PF_FATE_UNKNOWN] || k.done < z->all.n ? CL_UNDECIDED : CL_SOUND;
}
