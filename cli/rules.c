/* uproof rules: the rule table of a profile or of a rule file. */
#include "cli/cli.h"
#include <string.h>

typedef struct rules_args {
  cl_common common;
  bool native, wrong;
} rules_args;

#define AT(field) offsetof(rules_args, field)
static const cl_option options[] = {
    {"--native", NULL, CL_FLAG, AT(native), NULL, "only rules whose right side is a C function"},
    {"--known-wrong", NULL, CL_FLAG, AT(wrong), NULL, "only rules that are marked as wrong"},
};
#undef AT

static const struct {
  unsigned frame;
  const char *name;
} frames[] = {{UP_RULE_IDEAL, "ideal"}, {UP_RULE_WRAP, "wrap"}, {UP_RULE_REFINE, "refine"}};
#define NFRAMES (sizeof frames / sizeof frames[0])

static const char *kind_of(const up_rule_info *r) {
  return r->kind == UP_RULE_BOUND ? "bound" : "rule";
}

/* The statement behind its name. */
static const char *statement_of(const up_rule_info *r) {
  const char *s = strchr(r->text, ':');
  return s && s[1] ? s + 1 + (s[1] == ' ') : r->text;
}

static json_t *json_of(const up_rule_info *r) {
  json_t *wrong = json_array();
  for (size_t i = 0; i < NFRAMES; i++)
    if (r->wrong_in & frames[i].frame) json_array_append_new(wrong, json_string(frames[i].name));
  json_t *counterexample = r->counterexample ? cl_json_text(r->counterexample) : json_null();
  return json_pack("{s:s, s:s, s:s, s:i, s:b, s:b, s:o, s:o, s:o}", "name", r->name, "kind",
                   kind_of(r), "file", r->file, "line", (int)r->line, "native", r->native,
                   "reads_bounds", r->reads_bounds, "wrong_in", wrong, "counterexample",
                   counterexample, "text", cl_json_text(r->text));
}

/* "native, wrong in wrap" */
static void put_marks(const up_rule_info *r, char out[64]) {
  snprintf(out, 64, "%s%s", r->native ? "native" : "", r->native && r->wrong_in ? ", " : "");
  for (size_t i = 0; i < NFRAMES; i++) {
    if (!(r->wrong_in & frames[i].frame)) continue;
    size_t at = strlen(out);
    bool first = (r->wrong_in & (frames[i].frame - 1)) == 0;
    snprintf(out + at, 64 - at, "%s%s", first ? "wrong in " : "+", frames[i].name);
  }
}

static void put_rule(const up_rule_info *r, int width, up_buf *out) {
  char marks[64];
  put_marks(r, marks);
  up_buf_printf(out, "%-*s  %-5s  %s:%u  [%s]  %s\n", width, r->name, kind_of(r), r->file, r->line,
                marks, statement_of(r));
}

static bool is_wanted(const rules_args *a, const up_rule_info *r) {
  return (!a->native || r->native) && (!a->wrong || r->known_wrong);
}

static int name_width(const up_profile *p) {
  size_t width = 0;
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    size_t n = strlen(up_rule_at(p, i).name);
    if (n > width) width = n;
  }
  return (int)(width < 60 ? width : 60);
}

static int run(void *args) {
  const rules_args *a = args;
  up_profile *p = cl_load_profile(&a->common);
  if (!p) return CL_USAGE;
  up_buf out = {0};
  int width = name_width(p);
  uint32_t shown = 0, native = 0, wrong = 0;
  for (uint32_t i = 0; i < up_rule_count(p); i++) {
    up_rule_info r = up_rule_at(p, i);
    if (!is_wanted(a, &r)) continue;
    if (a->common.json)
      cl_put_json(&out, json_of(&r));
    else
      put_rule(&r, width, &out);
    shown++;
    native += r.native;
    wrong += r.known_wrong;
  }
  if (!a->common.quiet)
    fprintf(stderr, "rules: %u of %u rules, %u native, %u known to be wrong\n", shown,
            up_rule_count(p), native, wrong);
  up_profile_free(p);
  return cl_flush(&out) ? CL_SOUND : CL_HARNESS;
}

const cl_command cl_rules = {
    .name = "rules",
    .operands = "",
    .summary = "the rule table of a profile",
    .about = "Prints every rule of the profile, or of --rules FILE with the bounds rules of the\n"
             "profile: its name, kind, file and line, whether it is native, in which frames it is\n"
             "marked as wrong, and its text. With --json one object a line.",
    .min_operands = 0,
    .max_operands = 0,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(rules_args),
    .run = run,
};
