/* Z3's C API behind checks. */
#include "z3ctx.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without a handler an error ends the process. The code stays readable after the call. */
static void on_error(Z3_context c, Z3_error_code code) {
  (void)c;
  (void)code;
}

static bool failed(z3_session *z, const char *call) {
  Z3_error_code code = z->ctx ? Z3_get_error_code(z->ctx) : Z3_EXCEPTION;
  if (z->error[0] == 0)
    snprintf(z->error, sizeof z->error, "%s: %s", call,
             z->ctx ? Z3_get_error_msg(z->ctx, code) : "no context");
  return false;
}

static bool fine(z3_session *z, const char *call) {
  return Z3_get_error_code(z->ctx) == Z3_OK || failed(z, call);
}

static void drop_solver(z3_session *z) {
  if (z->solver) Z3_solver_dec_ref(z->ctx, z->solver);
  if (z->kept) Z3_ast_vector_dec_ref(z->ctx, z->kept);
  z->solver = NULL;
  z->kept = NULL;
}

void z3_free(z3_session *z) {
  if (!z->ctx) return;
  drop_solver(z);
  Z3_del_context(z->ctx);
  *z = (z3_session){.name = z->name};
}

static bool open_context(z3_session *z) {
  z3_free(z);
  Z3_config config = Z3_mk_config();
  if (!config) return failed(z, "Z3_mk_config");
  z->ctx = Z3_mk_context(config);
  Z3_del_config(config);
  if (!z->ctx) return failed(z, "Z3_mk_context");
  Z3_set_error_handler(z->ctx, on_error);
  return true;
}

static bool open_solver(z3_session *z, uint32_t rlimit) {
  z->solver = Z3_mk_simple_solver(z->ctx);
  if (!z->solver || !fine(z, "Z3_mk_simple_solver")) return failed(z, "Z3_mk_simple_solver");
  Z3_solver_inc_ref(z->ctx, z->solver);
  Z3_params params = Z3_mk_params(z->ctx);
  if (!params || !fine(z, "Z3_mk_params")) return failed(z, "Z3_mk_params");
  Z3_params_inc_ref(z->ctx, params);
  Z3_params_set_uint(z->ctx, params, Z3_mk_string_symbol(z->ctx, "rlimit"), rlimit);
  Z3_solver_set_params(z->ctx, z->solver, params);
  bool ok = fine(z, "Z3_solver_set_params");
  Z3_params_dec_ref(z->ctx, params);
  return ok;
}

bool z3_begin(z3_session *z, uint32_t rlimit) {
  assert(rlimit > 0);
  z->error[0] = 0;
  return open_context(z) && open_solver(z, rlimit);
}

/* ---- terms ----------------------------------------------------------------------------------- */

Z3_ast z3_keep(z3_session *z, Z3_ast a) {
  if (!a) {
    failed(z, "making a term");
    return NULL;
  }
  return fine(z, "making a term") ? a : NULL;
}

Z3_ast z3_1(z3_session *z, Z3_ast (*make)(Z3_context, Z3_ast), Z3_ast a) {
  return a ? z3_keep(z, make(z->ctx, a)) : NULL;
}

Z3_ast z3_2(z3_session *z, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), Z3_ast a, Z3_ast b) {
  return a && b ? z3_keep(z, make(z->ctx, a, b)) : NULL;
}

Z3_ast z3_n2(z3_session *z, Z3_ast (*make)(Z3_context, unsigned, const Z3_ast[]), Z3_ast a,
             Z3_ast b) {
  Z3_ast pair[2] = {a, b};
  return a && b ? z3_keep(z, make(z->ctx, 2, pair)) : NULL;
}

Z3_ast z3_ite(z3_session *z, Z3_ast cond, Z3_ast then, Z3_ast otherwise) {
  return cond && then && otherwise ? z3_keep(z, Z3_mk_ite(z->ctx, cond, then, otherwise)) : NULL;
}

Z3_ast z3_decimal(z3_session *z, Z3_sort sort, const char *digits) {
  return sort ? z3_keep(z, Z3_mk_numeral(z->ctx, digits, sort)) : NULL;
}

Z3_ast z3_digits(z3_session *z, Z3_sort sort, unsigned width, const char *digits, int base) {
  if (!sort) return NULL;
  mpz_t m;
  mpz_init_set_str(m, digits, base);
  if (width > 0) mpz_fdiv_r_2exp(m, m, width);
  char *text = malloc(mpz_sizeinbase(m, 10) + 2);
  Z3_ast r = text ? z3_keep(z, Z3_mk_numeral(z->ctx, mpz_get_str(text, 10, m), sort)) : NULL;
  if (!text) failed(z, "no memory for a number");
  free(text);
  mpz_clear(m);
  return r;
}

Z3_ast z3_number(z3_session *z, Z3_sort sort, unsigned width, or_i128 v) {
  if (!sort) return NULL;
  if (v >= INT64_MIN && v <= INT64_MAX && (width == 0 || v >= 0))
    return z3_keep(z, Z3_mk_int64(z->ctx, (int64_t)v, sort));
  char text[48];
  or_i128_print(v, text);
  return z3_digits(z, sort, width, text, 10);
}

Z3_ast z3_variable(z3_session *z, Z3_sort sort, unsigned number) {
  if (!sort) return NULL;
  char own[16];
  snprintf(own, sizeof own, "v%u", number);
  Z3_symbol s = Z3_mk_string_symbol(z->ctx, z->name ? z->name[number] : own);
  return z3_keep(z, Z3_mk_const(z->ctx, s, sort));
}

/* ---- asking ---------------------------------------------------------------------------------- */

void z3_assert(z3_session *z, Z3_ast truth) {
  if (!truth) {
    failed(z, "asserting");
    return;
  }
  if (z->kept)
    Z3_ast_vector_push(z->ctx, z->kept, truth);
  else
    Z3_solver_assert(z->ctx, z->solver, truth);
  fine(z, "an assertion");
}

bool z3_keep_text(z3_session *z) {
  z->kept = Z3_mk_ast_vector(z->ctx);
  if (!z->kept || !fine(z, "Z3_mk_ast_vector")) return failed(z, "Z3_mk_ast_vector");
  Z3_ast_vector_inc_ref(z->ctx, z->kept);
  return true;
}

bool z3_text(z3_session *z, up_buf *out) {
  if (z->error[0] != 0) return false;
  unsigned n = Z3_ast_vector_size(z->ctx, z->kept);
  Z3_ast *all = calloc(n + 1u, sizeof *all);
  if (!all) return failed(z, "no memory");
  for (unsigned i = 0; i < n; i++) all[i] = Z3_ast_vector_get(z->ctx, z->kept, i);
  if (n == 0) all[n++] = Z3_mk_true(z->ctx);
  Z3_string text =
      Z3_benchmark_to_smtlib_string(z->ctx, "", "ALL", "unknown", "", n - 1, all, all[n - 1]);
  free(all);
  if (!fine(z, "Z3_benchmark_to_smtlib_string") || !text) return failed(z, "writing");
  const char *from = strstr(text, "(set-logic"); /* before it is a comment without a text */
  up_buf_puts(out, from ? from : text);
  return true;
}

z3_answer z3_check(z3_session *z, char *why) {
  if (z->error[0] != 0) return Z3_FAILED;
  Z3_lbool r = Z3_solver_check(z->ctx, z->solver);
  if (!fine(z, "Z3_solver_check")) return Z3_FAILED;
  if (r == Z3_L_FALSE) return Z3_NO_MODEL;
  if (r == Z3_L_TRUE) return Z3_MODEL;
  snprintf(why, 80, "solver: %s", Z3_solver_get_reason_unknown(z->ctx, z->solver));
  return fine(z, "Z3_solver_get_reason_unknown") ? Z3_GAVE_UP : Z3_FAILED;
}

Z3_model z3_model(z3_session *z) {
  Z3_model m = Z3_solver_get_model(z->ctx, z->solver);
  if (!m || !fine(z, "Z3_solver_get_model")) {
    failed(z, "Z3_solver_get_model");
    return NULL;
  }
  Z3_model_inc_ref(z->ctx, m);
  return m;
}

void z3_read_signed(mpz_t v, size_t width) {
  if (width == 0 || !mpz_tstbit(v, width - 1)) return;
  mpz_t size;
  mpz_init(size);
  mpz_setbit(size, width);
  mpz_sub(v, v, size);
  mpz_clear(size);
}

bool z3_model_value(z3_session *z, Z3_model m, Z3_ast variable, unsigned width, mpz_t out) {
  Z3_ast v = NULL;
  bool ok = Z3_model_eval(z->ctx, m, variable, true, &v);
  if (!fine(z, "Z3_model_eval") || !ok || !v) return failed(z, "Z3_model_eval");
  Z3_string text = Z3_get_numeral_string(z->ctx, v);
  if (!fine(z, "Z3_get_numeral_string") || !text || mpz_set_str(out, text, 10) != 0)
    return failed(z, "the model's number");
  z3_read_signed(out, width);
  return true;
}
