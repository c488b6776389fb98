/* Bytes -> graph -> the SMT-LIB2 script that asks whether it equals its simplification, and a constant.
 * Z3's own reader of scripts takes it, and its answer is that of all points, or of the direct
 * encoding. */
#include "fuzz/harness.h"
#include "fuzz/plain.h"
#include <stdlib.h>
#include <string.h>
#include <z3.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define PLAIN_POINTS 128u
#define MOST_NODES 32u
#define UNITS 40000u /* of Z3's resources a question */
/* Z3 makes polynomials of products before it counts any resource: minutes, from some degree on. A
 * script of a higher degree has nothing in it that one of this degree has not. */
#define MOST_DEGREE 8u

/* An error shows in the code that is asked for. */
static void on_error(Z3_context z, Z3_error_code code) {
  (void)z;
  (void)code;
}

static Z3_context new_context(void) {
  Z3_config config = Z3_mk_config();
  Z3_context z = Z3_mk_context(config);
  Z3_del_config(config);
  fz_require(z != NULL, "memory");
  Z3_set_error_handler(z, on_error);
  return z;
}

static void require_fine(Z3_context z) {
  Z3_error_code code = Z3_get_error_code(z);
  if (code != Z3_OK) fz_require(false, Z3_get_error_msg(z, code));
}

static Z3_lbool check(Z3_context z, Z3_ast_vector script) {
  Z3_solver s = Z3_mk_simple_solver(z);
  Z3_solver_inc_ref(z, s); /* else the next call frees it */
  Z3_params p = Z3_mk_params(z);
  Z3_params_inc_ref(z, p);
  Z3_params_set_uint(z, p, Z3_mk_string_symbol(z, "rlimit"), UNITS);
  Z3_solver_set_params(z, s, p);
  for (unsigned i = 0; i < Z3_ast_vector_size(z, script); i++)
    Z3_solver_assert(z, s, Z3_ast_vector_get(z, script, i));
  Z3_lbool r = Z3_solver_check(z, s);
  require_fine(z);
  Z3_params_dec_ref(z, p);
  Z3_solver_dec_ref(z, s);
  return r;
}

/* As a polynomial in the leaves, roughly: products add. */
static bool is_steep(up_ctx *c, up_node root) {
  up_list topo = {0};
  fz_require(up_toposort(c, root, &topo), "memory");
  uint32_t *degree = calloc(up_ctx_node_count(c) + 1u, sizeof *degree);
  fz_require(degree != NULL, "memory");
  bool steep = false;
  for (uint32_t i = 0; i < topo.n && !steep; i++) {
    up_node n = topo.p[i];
    uint32_t sum = 0, most = up_nsrc(c, n) == 0;
    for (uint32_t k = 0; k < up_nsrc(c, n); k++) {
      uint32_t d = degree[up_src(c, n, k).id];
      sum += d;
      if (d > most) most = d;
    }
    degree[n.id] = up_op_of(c, n) == UP_MUL ? sum : most;
    steep = degree[n.id] > MOST_DEGREE;
  }
  free(degree);
  up_list_free(&topo);
  return steep;
}

static uint64_t count_of(const char *text, const char *word) {
  uint64_t n = 0;
  for (; (text = strstr(text, word)) != NULL; text++) n++;
  return n;
}

/* Z3 makes the bits of products and quotients, width * width each, before it counts anything, too. */
static bool has_many_bits(const char *script) {
  static const char *const op[] = {"(bvmul ", "(bvudiv ", "(bvsdiv ", "(bvurem ", "(bvsrem "};
  static const char sort[] = "(_ BitVec ";
  uint64_t n = 0, width = 0;
  for (size_t i = 0; i < sizeof op / sizeof *op; i++) n += count_of(script, op[i]);
  for (const char *at = script; (at = strstr(at, sort)) != NULL; at++) {
    uint64_t w = strtoull(at + sizeof sort - 1, NULL, 10);
    if (w > width) width = w;
  }
  return n * width * width > UNITS;
}

/* Is there no model? */
static fz_truth answer_of(const char *script) {
  fz_require(strstr(script, "(check-sat)") != NULL, "a script asks");
  if (has_many_bits(script)) return FZ_UNKNOWN;
  Z3_context z = new_context();
  Z3_ast_vector v = Z3_parse_smtlib2_string(z, script, 0, NULL, NULL, 0, NULL, NULL);
  require_fine(z);
  Z3_ast_vector_inc_ref(z, v);
  Z3_lbool r = check(z, v);
  Z3_ast_vector_dec_ref(z, v);
  Z3_del_context(z);
  return r == Z3_L_FALSE ? FZ_TRUE : r == Z3_L_TRUE ? FZ_FALSE : FZ_UNKNOWN;
}

static fz_truth solved(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f) {
  or_answer r = or_equiv(k, c, a, b, f, NULL);
  or_verdict v = r.verdict;
  if (v == OR_ERROR) fz_require(false, r.reason);
  or_answer_clear(&r);
  return v == OR_PROVED ? FZ_TRUE : v == OR_DIFFERS ? FZ_FALSE : FZ_UNKNOWN;
}

/* By all points where they are few, else by the direct encoding. */
static fz_truth truth(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f) {
  fz_truth t = fz_plain_equiv(c, a, b, f, PLAIN_POINTS);
  return t == FZ_UNKNOWN ? solved(k, c, a, b, f) : t;
}

static fz_truth and_also(fz_truth x, fz_truth y) {
  if (x == FZ_FALSE || y == FZ_FALSE) return FZ_FALSE;
  return x == FZ_TRUE && y == FZ_TRUE ? FZ_TRUE : FZ_UNKNOWN;
}

static void require_script(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f, bool both) {
  up_buf script = {0};
  char why[120] = "";
  if (is_steep(c, a) || is_steep(c, b)) return;
  if (or_smt2(k, c, a, b, f, both, &script, why)) {
    fz_truth said = answer_of(script.p), is = truth(k, c, a, b, f);
    if (both && is == FZ_TRUE) is = and_also(is, truth(k, c, b, a, f));
    bool fits = said == FZ_UNKNOWN || is == FZ_UNKNOWN || said == is;
    if (!fits) fputs(script.p, stderr);
    fz_require(fits, "a script has the answer of its question");
  } else {
    fz_require(why[0] != 0, "where there is no script there is a reason");
  }
  up_buf_free(&script);
}

static or_checker *checker(void) {
  or_limits l = or_limits_default();
  l.samples = 0;
  l.max_points = 0;
  l.solver_rlimit = UNITS;
  l.z3_alone = true;
  l.solver_seconds = 0;
  or_checker *k = or_checker_new(&l);
  fz_require(k != NULL, "memory");
  return k;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  /* libFuzzer passes no context: what lives from run to run has to be here */
  static fz_harnesses all;
  static or_checker *k;
  if (!k) k = checker();
  fz_case x = fz_case_begin(&all, data, n);
  up_dtype dt = up_dtype_of(x.c, x.root);
  if (!(up_dt_is_int(dt) || up_dt_is_bool(dt)) || up_count(x.c, x.root) > MOST_NODES) return 0;
  bool both = x.seed % 2 == 0;
  up_result r = up_simplify(x.c, x.root, NULL);
  if (r.status == UP_OK) require_script(k, x.c, x.root, r.node, x.frame, both);
  up_node other = up_const_int(x.c, dt, up_dt_is_bool(dt) ? 1 : (int64_t)(x.seed / 2 % 5));
  require_script(k, x.c, x.root, other, x.frame, both);
  return 0;
}
