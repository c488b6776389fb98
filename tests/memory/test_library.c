/* The libraries without memory: each allocation of an undisturbed run fails once (of long runs, some).
 * The call says that there was no memory, or gives the undisturbed answer; and all that was
 * allocated is free again. The program itself ends instead: test_exhausted.sh.
 *
 * jansson has its memory here: without, its lexer drops a byte and goes on, and "99" is read as 9. The
 * program gives it an allocator that does not come back (cli/memory.c). */
#include "tests/support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/uop.h"
#include "formats/formats.h"
#include "oracle/oracle.h"

/* ---- allocations (the linker leads them here) ------------------------------------------------- */

#define ROOM 65536 /* allocations at a time */

static long done, fail_at, live;
static void *mine[ROOM]; /* a hash table; libc has allocations of its own that are freed here */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);
void __wrap_free(void *p);

static bool fails(void) { return ++done == fail_at; }

static size_t place_of(const void *p) {
  size_t i = ((uintptr_t)p >> 4) * 2654435761u % ROOM;
  while (mine[i] && mine[i] != p) i = (i + 1) % ROOM;
  return i;
}

static void *counted(void *p) {
  if (!p) return p;
  mine[place_of(p)] = p;
  if (++live > ROOM / 2) abort();
  return p;
}

static void forget(const void *p) {
  size_t hole = place_of(p);
  if (!mine[hole]) return;
  mine[hole] = NULL;
  live--;
  for (size_t i = (hole + 1) % ROOM; mine[i]; i = (i + 1) % ROOM) {
    void *moved = mine[i];
    mine[i] = NULL;
    mine[place_of(moved)] = moved;
  }
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : counted(__real_malloc(n)); }

void *__wrap_calloc(size_t n, size_t size) {
  return fails() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t n) {
  if (fails()) return NULL;
  if (old) forget(old);
  return counted(__real_realloc(old, n));
}

void __wrap_free(void *p) {
  if (p) forget(p);
  __real_free(p);
}

/* ---- runs ------------------------------------------------------------------------------------- */

static up_profile *v0_10, *v0_11;

/* Writes its answer. False: it was told that there is no memory. */
typedef bool run(up_buf *out);

static bool no_memory(const up_error *e) {
  if (!strstr(e->msg, "memory")) fail_msg("%u:%u: %s", e->line, e->col, e->msg);
  return false;
}

static bool is_ok(up_status s) {
  if (s != UP_OK && s != UP_NO_MEMORY) fail_msg("%s", up_status_name(s));
  return s == UP_OK;
}

static bool loads_compiled(up_buf *out) {
  up_error err = {0};
  up_profile *p = up_profile_load("v0.11.0/sym", &err);
  if (!p) return no_memory(&err);
  up_buf_printf(out, "%s %u", up_profile_name(p), up_rule_count(p));
  up_profile_free(p);
  return true;
}

static bool loads_interpreted(up_buf *out) {
  up_error err = {0};
  up_profile *p = up_profile_load_interpreted("v0.10.0", &err);
  if (!p) return no_memory(&err);
  up_buf_printf(out, "%s %u", up_profile_name(p), up_rule_count(p));
  up_profile_free(p);
  return true;
}

static bool parses_rules(up_buf *out) {
  static const char text[] =
      "rule own_one : x:{ADD,MUL}(a, 0)  ->  a  when vmin(a) >= 0 and vmax(a) < 1048576\n"
      "rule own_two : (x + c0) + c1  ->  x + [c0 + c1]\n"
      "";
  up_error err = {0};
  up_profile *p = up_profile_parse("v0.11.0", text, sizeof text - 1, &err);
  if (!p) return no_memory(&err);
  up_buf_printf(out, "%u", up_rule_count(p));
  up_profile_free(p);
  return true;
}

static const char infix[] = "x in [-6,6]\ny in [0,3]\nz in [0,99999999999999999999999999]\n"
                            "(x//2 + (x+1)//2*y*4 + max(x, y)) % 3 + z - (z if x < y else 3)\n";

static bool reads_infix(up_ctx *c, up_node *n) {
  up_error err = {0};
  return up_parse_infix(c, infix, sizeof infix - 1, n, &err) || no_memory(&err);
}

/* A context with the graph, for `work` on it. */
static bool on_graph(const up_profile *p, up_buf *out, bool (*work)(up_ctx *, up_node, up_buf *)) {
  up_ctx *c = up_ctx_new(p);
  if (!c) return false;
  up_node n;
  bool ok = reads_infix(c, &n) && work(c, n, out);
  up_ctx_free(c);
  return ok;
}

static void put_bounds(up_ctx *c, up_node n, up_buf *out) {
  up_bounds b = up_minmax(c, n);
  up_val_put(c, b.lo, out);
  up_buf_puts(out, " ");
  up_val_put(c, b.hi, out);
  up_buf_puts(out, "\n");
}

static bool simplify(up_ctx *c, up_node n, up_buf *out) {
  up_trace t = {0};
  up_result r = up_simplify(c, n, &t);
  bool ok = is_ok(r.status) && !t.no_memory;
  if (ok) {
    up_buf_printf(out, "%llu steps\n", (unsigned long long)r.steps);
    up_print_infix(c, r.node, out);
    put_bounds(c, r.node, out);
    up_render(c, r.node, out);
  }
  up_trace_free(&t);
  return ok && is_ok(up_ctx_status(c));
}

static bool simplifies_0_10(up_buf *out) { return on_graph(v0_10, out, simplify); }
static bool simplifies_0_11(up_buf *out) { return on_graph(v0_11, out, simplify); }

static bool map(up_ctx *c, up_node n, up_buf *out) {
  up_list from = {0}, image = {0};
  up_result r = up_rewrite_map(c, n, up_profile_ruleset(v0_11, "symbolic"), NULL, &from, &image);
  bool ok = is_ok(r.status);
  if (ok) up_buf_printf(out, "%u nodes\n", image.n);
  if (ok) up_print_infix(c, r.node, out);
  up_list_free(&from);
  up_list_free(&image);
  return ok && is_ok(up_ctx_status(c));
}

static bool maps(up_buf *out) { return on_graph(v0_11, out, map); }

static bool given_valid(up_ctx *c, up_node n, up_buf *out) {
  static const char text[] = "x in [-6,6]\ny in [0,3]\n(x < 3) & (y < 2) & (x + y < 4)\n";
  up_error err = {0};
  up_node valid, under;
  if (!up_parse_infix(c, text, sizeof text - 1, &valid, &err)) return no_memory(&err);
  up_node less = up_simplify_valid(c, valid);
  if (!is_ok(up_ctx_status(c))) return false;
  if (!up_is_none(less)) up_print_infix(c, less, out);
  bool holds = up_given_valid(c, valid, n, &under);
  if (!is_ok(up_ctx_status(c))) return false;
  if (holds) up_print_infix(c, under, out);
  return is_ok(up_ctx_status(c));
}

static bool simplifies_under_valid(up_buf *out) { return on_graph(v0_11, out, given_valid); }

static bool print(up_ctx *c, up_node n, up_buf *out) {
  up_metas m = {0};
  bool ok = up_metas_set(&m, "kind", "value") && up_metas_set(&m, "kind", "bounds");
  if (ok) up_print_uop(c, n, &m, out);
  up_metas_free(&m);
  up_print_tree(c, n, out);
  up_print_uops(c, n, out);
  up_print_tinygrad(c, n, out);
  return ok && is_ok(up_ctx_status(c));
}

static bool prints(up_buf *out) { return on_graph(v0_11, out, print); }

static bool writes_json(up_ctx *c, up_node n, up_buf *out) {
  json_t *j = fm_nodes_to_json(c, n);
  char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;
  if (text) up_buf_puts(out, text);
  free(text);
  json_decref(j);
  return text != NULL;
}

static bool prints_json(up_buf *out) { return on_graph(v0_11, out, writes_json); }

/* The graph in each form, one a file, and the first rows of a recorded set. */
static const char *const file[] = {"g.infix", "g.uop", "g.jsonl", "g.tree", "opaque.tree"};

static bool read_file(up_ctx *c, const char *path, up_buf *out) {
  up_error err = {0};
  fm_reader *r = fm_open(path, &err);
  if (!r) return no_memory(&err);
  fm_item it;
  int got;
  while ((got = fm_next(r, c, &it, &err)) > 0) {
    up_buf_printf(out, "%u %s %s\n", it.line, it.id ? it.id : "", it.note ? it.note : "");
    up_print_infix(c, it.root, out);
    fm_item_clear(&it);
  }
  fm_close(r);
  return got == 0 ? is_ok(up_ctx_status(c)) : no_memory(&err);
}

static bool reads_files(up_buf *out) {
  up_ctx *c = up_ctx_new(v0_11);
  if (!c) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof file / sizeof file[0]; i++) ok = read_file(c, file[i], out);
  up_ctx_free(c);
  return ok;
}

/* ---- judging ---------------------------------------------------------------------------------- */

static or_limits limits(uint64_t points, uint32_t rlimit) {
  or_limits l = or_limits_default();
  l.max_points = points;
  l.solver_rlimit = rlimit;
  l.solver_seconds = 0; /* in this process: its allocations are counted */
  l.samples = 4;
  l.jit_work = 0;
  return l;
}

static bool put_report(up_ctx *c, const or_report *r, up_buf *out) {
  if (r->verdict == OR_ERROR) {
    if (!strstr(r->reason, "memory")) fail_msg("error: %s", r->reason);
    return false;
  }
  up_buf_printf(out, "%s %s\n", or_verdict_name(r->verdict), r->stage);
  for (uint32_t i = 0; i < r->nfindings; i++) {
    const or_finding *f = &r->finding[i];
    if (f->rule < 0) return false; /* it is wrong, but whose fault it is could not be found out */
    char cause[OR_CAUSE_ROOM];
    or_finding_cause(c, f, cause);
    up_buf_printf(out, "%s: %s, not %s at ", cause, f->actual, f->expected);
    or_witness_put(c, &f->witness, out);
  }
  return true;
}

static bool check_with(const up_profile *p, or_limits l, const char *text, or_frame f,
                       up_buf *out) {
  or_checker *k = or_checker_new(&l);
  up_ctx *c = k ? up_ctx_new(p) : NULL;
  up_error err = {0};
  up_node n;
  bool ok = c && (up_parse_infix(c, text, strlen(text), &n, &err) || no_memory(&err));
  if (ok) {
    or_report r;
    or_check(k, c, n, f, &r);
    ok = put_report(c, &r, out);
    or_report_clear(&r);
  }
  up_ctx_free(c);
  or_checker_free(k);
  return ok;
}

static const char bug[] = "x in [-6,6]\ny in [0,3]\n(x-1)//2 + y*2\n";

static bool checks_all_points(up_buf *out) {
  return check_with(v0_11, limits(1 << 20, 0), "x in [-6,6]\ny in [0,3]\n(x//2*4 + y) % 3\n",
                    OR_WRAP, out);
}
static bool finds_a_bug(up_buf *out) {
  return check_with(v0_10, limits(1 << 20, 0), bug, OR_IDEAL, out);
}
static bool asks_the_solver(up_buf *out) {
  return check_with(v0_11, limits(1, 100000), "x in [0,99]\n(x*4 + 1)//4*3\n", OR_IDEAL, out);
}
static bool asks_about_bits(up_buf *out) {
  return check_with(v0_11, limits(1, 100000), "x in [0,99]\n(x*4 + 1)//4*3\n", OR_REFINE, out);
}

static bool ranges(up_ctx *c, up_node x, up_buf *out) {
  or_limits l = limits(1 << 4, 20000);
  or_checker *k = or_checker_new(&l);
  or_ranges r = {0};
  up_node n = up_binary(c, UP_MOD, x, up_const_like(c, x, up_int_of(5)));
  bool ok = k && !up_is_none(n) && or_exact(k, c, n, OR_IDEAL, true, &r);
  for (uint32_t i = 0; ok && i < r.n; i++)
    up_buf_printf(out, "%lu..%lu %s\n", mpz_get_ui(r.range[i].lo), mpz_get_ui(r.range[i].hi),
                  r.range[i].lo_by ? r.range[i].lo_by : "?");
  if (k && !up_is_none(n) && !ok && !strstr(r.reason, "memory"))
    fail_msg("no ranges: %s", r.reason);
  /* an end that is not established for want of memory is told */
  if (ok && strstr(r.reason, "memory")) ok = false;
  if (k) or_ranges_clear(&r);
  or_checker_free(k);
  return ok;
}

static bool finds_exact_ranges(up_buf *out) {
  up_ctx *c = up_ctx_new(v0_11);
  if (!c) return false;
  up_node x = up_var(c, "x", up_int_of(0), up_int_of(30), up_dt(UP_INT));
  bool ok = !up_is_none(x) && ranges(c, x, out) && is_ok(up_ctx_status(c));
  up_ctx_free(c);
  return ok;
}

static bool script(up_ctx *c, up_node n, up_buf *out) {
  or_limits l = limits(1, 0);
  or_checker *k = or_checker_new(&l);
  char why[120] = "no memory";
  bool ok = k && or_smt2(k, c, n, n, OR_WRAP, true, out, why);
  if (!ok && !strstr(why, "memory")) fail_msg("no script: %s", why);
  or_checker_free(k);
  return ok;
}

static bool writes_scripts(up_buf *out) { return on_graph(v0_11, out, script); }

/* Less memory may mean less tried: what comes out is a finding of that cause, no larger. */
static bool minimizes(up_buf *out) {
  or_limits l = limits(1 << 12, 0);
  or_checker *k = or_checker_new(&l);
  up_ctx *c = k ? up_ctx_new(v0_10) : NULL;
  up_error err = {0};
  up_node n;
  or_report r = {0};
  or_reduced small = {0};
  bool ok = c && (up_parse_infix(c, bug, sizeof bug - 1, &n, &err) || no_memory(&err));
  if (ok) or_check(k, c, n, OR_IDEAL, &r);
  ok = ok && put_report(c, &r, out);
  if (ok) assert_int_equal(r.nfindings, 1);
  ok = ok && or_minimize(k, c, &r.finding[0], NULL, 200, &small);
  if (ok) assert_in_range(small.nodes_after, 3, small.nodes_before);
  if (ok) or_reduced_clear(&small);
  or_report_clear(&r);
  up_ctx_free(c);
  or_checker_free(k);
  return ok;
}

/* ---- the sweep -------------------------------------------------------------------------------- */

#define MOST 100 /* allocations of a run that are let fail, evenly spread over it */

static void sweep(const char *name, run *f) {
  up_buf usual = {0};
  done = fail_at = 0;
  long before = live;
  if (!f(&usual)) fail_msg("%s: fails undisturbed", name);
  long total = done, step = total > MOST ? total / MOST : 1, told = 0;
  if (total < 5) fail_msg("%s: %ld allocations", name, total);
  assert_false(usual.no_memory);
  for (long n = 1; n <= total; n += step) {
    up_buf out = {0};
    done = 0;
    fail_at = n;
    bool ok = f(&out);
    fail_at = 0;
    if (ok && !out.no_memory && (out.len != usual.len || (out.len > 0 && strcmp(out.p, usual.p))))
      fail_msg("%s: allocation %ld of %ld fails, and the answer is:\n%s\nnot:\n%s", name, n, total,
               out.p, usual.p);
    told += !ok || out.no_memory;
    up_buf_free(&out);
    if (live != before + (usual.p != NULL))
      fail_msg("%s: allocation %ld of %ld fails, %ld others are lost", name, n, total,
               live - before - (usual.p != NULL));
  }
  if (told == 0) fail_msg("%s: nothing was missed", name);
  up_buf_free(&usual);
}

#define SWEEP(f)                                                                                   \
  static void test_##f(void **state) {                                                             \
    (void)state;                                                                                   \
    sweep(#f, f);                                                                                  \
  }
SWEEP(loads_compiled)
SWEEP(loads_interpreted)
SWEEP(parses_rules)
SWEEP(simplifies_0_10)
SWEEP(simplifies_0_11)
SWEEP(maps)
SWEEP(simplifies_under_valid)
SWEEP(prints)
SWEEP(prints_json)
SWEEP(reads_files)
SWEEP(checks_all_points)
SWEEP(finds_a_bug)
SWEEP(asks_the_solver)
SWEEP(asks_about_bits)
SWEEP(finds_exact_ranges)
SWEEP(writes_scripts)
SWEEP(minimizes)

static void save(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static int set_up(void **state) {
  (void)state;
  up_error err = {0};
  v0_10 = up_profile_load("v0.10.0", &err);
  v0_11 = up_profile_load("v0.11.0", &err);
  assert_non_null(v0_10);
  assert_non_null(v0_11);
  up_ctx *c = up_ctx_new(v0_11);
  up_node n;
  up_buf uop = {0}, tree = {0}, json = {0};
  assert_true(reads_infix(c, &n));
  up_print_uop(c, n, NULL, &uop);
  up_print_tree(c, n, &tree);
  up_buf_puts(&json, "{\"id\":\"a\",\"nodes\":");
  assert_true(writes_json(c, n, &json));
  up_buf_puts(&json, "}\n");
  save(file[0], infix);
  save(file[1], uop.p);
  save(file[2], json.p);
  save(file[3], tree.p);
  save(file[4], "UOp(Ops.ADD, dtypes.int, src=(UOp(Ops.LOAD, dtypes.int, src=(\n"
                " UOp(Ops.DEFINE_GLOBAL, dtypes.int.ptr(), arg=0),)),\n"
                " UOp(Ops.CONST, dtypes.int, arg=3)))\n");
  up_buf_free(&uop);
  up_buf_free(&tree);
  up_buf_free(&json);
  up_ctx_free(c);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  up_profile_free(v0_10);
  up_profile_free(v0_11);
  return 0;
}

int main(void) {
#define T(f) cmocka_unit_test(test_##f)
  const struct CMUnitTest tests[] = {
      T(loads_compiled),
      T(loads_interpreted),
      T(parses_rules),
      T(simplifies_0_10),
      T(simplifies_0_11),
      T(maps),
      T(simplifies_under_valid),
      T(prints),
      T(prints_json),
      T(reads_files),
      T(checks_all_points),
      T(finds_a_bug),
      T(asks_the_solver),
      T(asks_about_bits),
      T(finds_exact_ranges),
      T(writes_scripts),
      T(minimizes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
