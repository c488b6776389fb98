/* uproof equiv: are two graphs equal? */
#include "cli/cli.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct equiv_args {
  cl_common common;
  const char *frame, *smt2;
} equiv_args;

static const cl_option options[] = {
    {"--frame", CL_FRAMES, CL_CHOICE, offsetof(equiv_args, frame), "ideal",
     "what the operations mean"},
    {"--smt2", "FILE", CL_TEXT, offsetof(equiv_args, smt2), NULL,
     "write the question as an SMT-LIB2 script (- for standard output) instead of\n"
     "                             answering it: `unsat` means equal"},
};

/* A variable of `a` and one of `b` with one name are one variable, so they must be the same node.
 */
static bool same_variables(up_ctx *c, up_node a, up_node b) {
  or_witness va = {0}, vb = {0};
  bool ok = cl_variables(c, a, &va) && cl_variables(c, b, &vb);
  for (uint32_t i = 0; ok && i < va.n; i++) {
    for (uint32_t j = 0; ok && j < vb.n; j++) {
      char na[64], nb[64];
      up_int lo, hi;
      /* a RANGE with another end in the second graph is that of the first one all the same */
      if (!up_var_domain(c, va.var[i], na, &lo, &hi) || !up_var_domain(c, vb.var[j], nb, &lo, &hi))
        continue;
      if (strcmp(na, nb) != 0 || up_same(va.var[i], vb.var[j])) continue;
      ok = cl_usage("equiv: the variable %s has another range or dtype in the second file", na);
    }
  }
  or_witness_clear(&va);
  or_witness_clear(&vb);
  return ok;
}

static void put_json(up_ctx *c, const or_answer *r, or_frame f, up_buf *out) {
  up_buf w = {0};
  json_t *j = json_pack("{s:s,s:s,s:s}", "frame", or_frame_name(f), "verdict",
                        or_verdict_name(r->verdict), "stage", r->stage ? r->stage : "");
  if (r->verdict == OR_DIFFERS) {
    or_witness_put(c, &r->witness, &w);
    json_object_set_new(j, "witness", json_loads(w.p ? w.p : "", 0, NULL));
    json_object_set_new(j, "expected", cl_json_value(r->expected));
    json_object_set_new(j, "actual", cl_json_value(r->actual));
  }
  if (r->reason[0]) json_object_set_new(j, "reason", cl_json_text(r->reason));
  up_buf_free(&w);
  cl_put_json(out, j);
}

static void put_answer(up_ctx *c, const or_answer *r, or_frame f, const cl_texts *file,
                       up_buf *out) {
  up_buf_printf(out, "%s: %s", or_frame_name(f), or_verdict_name(r->verdict));
  if (r->stage && r->stage[0]) up_buf_printf(out, " (%s)", r->stage);
  if (r->reason[0]) up_buf_printf(out, ": %s", r->reason);
  if (r->verdict == OR_DIFFERS) {
    up_buf_puts(out, " at ");
    or_witness_put(c, &r->witness, out);
    up_buf_printf(out, ": %s gives %s, %s gives %s", file->p[0], r->expected, file->p[1],
                  r->actual);
  }
  up_buf_puts(out, "\n");
}

/* Equal is sound both ways: each defined where the other is. */
static or_answer both_ways(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f) {
  or_answer there = or_equiv(k, c, a, b, f, NULL);
  bool good = there.verdict == OR_PROVED || there.verdict == OR_EXHAUSTED ||
              there.verdict == OR_CERTIFIED || there.verdict == OR_SAMPLED;
  if (!good) return there;
  or_answer back = or_equiv(k, c, b, a, f, NULL);
  if (back.verdict == OR_DIFFERS) {
    /* told in the order of the operands */
    char first[sizeof back.expected];
    memcpy(first, back.expected, sizeof first);
    memcpy(back.expected, back.actual, sizeof first);
    memcpy(back.actual, first, sizeof first);
  }
  bool weaker = back.verdict > there.verdict;
  or_answer_clear(weaker ? &there : &back);
  return weaker ? back : there;
}

static int compare(up_ctx *c, const equiv_args *a, up_node x, up_node y) {
  or_frame frame[OR_FRAME_COUNT];
  unsigned n = cl_frames(a->frame, frame);
  or_limits l = cl_limits(&a->common);
  l.jobs = cl_jobs(&a->common);
  or_checker *k = or_checker_new(&l);
  cl_tally t = {0};
  up_buf out = {0};
  for (unsigned i = 0; k && i < n; i++) {
    or_answer r = both_ways(k, c, x, y, frame[i]);
    t.verdict[r.verdict]++;
    if (r.verdict == OR_DIFFERS) t.findings++;
    if (a->common.json)
      put_json(c, &r, frame[i], &out);
    else
      put_answer(c, &r, frame[i], &a->common.operands, &out);
    or_answer_clear(&r);
  }
  if (k) cl_note_jit(k);
  or_checker_free(k);
  if (!cl_flush(&out) || !k) return CL_HARNESS;
  return cl_tally_status(&t);
}

static bool write_file(const char *path, const up_buf *text) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(text->p, 1, text->len, f) == text->len;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) cl_error("%s: %s", path, strerror(errno));
  return ok;
}

static int write_script(up_ctx *c, const equiv_args *a, up_node x, up_node y) {
  or_frame frame[OR_FRAME_COUNT];
  char why[120];
  up_buf out = {0};
  or_limits l = cl_limits(&a->common);
  or_checker *k = or_checker_new(&l);
  int status = CL_HARNESS;
  if (cl_frames(a->frame, frame) != 1) {
    cl_usage("equiv: a script is about one frame");
    status = CL_USAGE;
  } else if (k && !or_smt2(k, c, x, y, frame[0], true, &out, why)) {
    cl_error("equiv: no script: %s", why);
    status = CL_UNDECIDED;
  } else if (k && strcmp(a->smt2, "-") == 0) {
    status = cl_flush(&out) ? CL_SOUND : CL_HARNESS;
    out = (up_buf){0};
  } else if (k) {
    status = write_file(a->smt2, &out) ? CL_SOUND : CL_USAGE;
  }
  up_buf_free(&out);
  or_checker_free(k);
  return status;
}

/* Both files are read into one context, where equal graphs are one node. */
static int run(void *args) {
  const equiv_args *a = args;
  up_profile *p = cl_load_profile(&a->common);
  if (!p) return CL_USAGE;
  up_ctx *c = up_ctx_new(p);
  fm_item x = {0}, y = {0};
  int status = c ? CL_USAGE : CL_HARNESS;
  if (c && cl_read_one(c, a->common.operands.p[0], &x) &&
      cl_read_one(c, a->common.operands.p[1], &y) && same_variables(c, x.root, y.root)) {
    status = a->smt2 ? write_script(c, a, x.root, y.root) : compare(c, a, x.root, y.root);
  }
  fm_item_clear(&x);
  fm_item_clear(&y);
  up_ctx_free(c);
  up_profile_free(p);
  return status;
}

const cl_command cl_equiv = {
    .name = "equiv",
    .operands = "A B",
    .summary = "are two graphs equal",
    .about =
        "Asks whether the graphs of two files have the same value, and are defined, at the same\n"
        "points of their variables' ranges. Prints the verdict of each frame and a point at\n"
        "which they differ.",
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .noptions = sizeof options / sizeof options[0],
    .args_size = sizeof(equiv_args),
    .run = run,
};
