/* Trees of tinygrad since 0.13.0, said with the ops that are here.
 *
 *     CDIV, CMOD, RECIPROCAL      IDIV, MOD, RECIP; its // and % are FLOORDIV and FLOORMOD
 *     dtypes.weakint, weakfloat   int and float. The dtype of indices has no width there, so ideal is the
 *                                 frame that fits. Where an op of another dtype has one for a source, a
 *                                 number becomes one of that dtype, and any other node is cast
 *     CONST Invalid, a bool       CUSTOM 'Invalid' of the dtype of what it stands in: any value
 *     BUFFER, PARAM               DEFINE_VAR, where their ParamArg has a range and a name
 *     RANGE (1, 2, AxisType.LOOP) RANGE 3001: the numbers of the axis as one
 *     CONST of a float dtype      with a float as number, which is ConstFloat(0.5) there
 *     SPECIAL 'name'              SPECIAL ['name', size], where its size is a constant
 *     an arg of CAST or BITCAST   its dtype once more: dropped. A BITCAST to another size is of a buffer: CUSTOM
 *     ops that are not here       CUSTOM, which is opaque
 */
#include "tree.h"
#include <string.h>

bool tree_later_op(const char *s, size_t n, up_op *op) {
  static const struct {
    const char *name;
    up_op op;
  } later[] = {{"CDIV", UP_IDIV},      {"CMOD", UP_MOD},        {"RECIPROCAL", UP_RECIP},
               {"PARAM", UP_CUSTOM},   {"FUNCTION", UP_CUSTOM}, {"CALL", UP_CUSTOM},
               {"PROGRAM", UP_CUSTOM}, {"LINEAR", UP_CUSTOM},   {"SOURCE", UP_CUSTOM},
               {"BINARY", UP_CUSTOM},  {"AFTER", UP_CUSTOM},    {"GROUP", UP_CUSTOM},
               {"STACK", UP_CUSTOM},   {"TUPLE", UP_CUSTOM},    {"GETTUPLE", UP_CUSTOM},
               {"GETADDR", UP_CUSTOM}, {"END", UP_CUSTOM},      {"WAIT", UP_CUSTOM},
               {"INS", UP_CUSTOM},     {"STAGE", UP_CUSTOM},    {"UNSHARD", UP_CUSTOM}};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
    if (!text_word_is(s, n, later[i].name)) continue;
    *op = later[i].op;
    return true;
  }
  return false;
}

static const char *text_of(const text_in *in, up_arg a) {
  return up_arg_kind_of(in->c, a) == UP_A_STR ? up_arg_text(in->c, a) : "";
}

/* ---- variables --------------------------------------------------------------------------------- */

/* An end of a range: a number, or True or False. */
static bool get_end(const text_in *in, size_t *at, up_arg *out) {
  bool yes = strncmp(in->text + *at, "True", 4) == 0;
  if (!yes && strncmp(in->text + *at, "False", 5) != 0) return text_get_number(in, at, out);
  *at += yes ? 4 : 5;
  *out = up_arg_bool(in->c, yes);
  return true;
}

/* The name and the range in the text of a ParamArg. */
static bool get_variable(const text_in *in, const char *text, up_arg out[3]) {
  static const char range[] = "vmin_vmax=(", word[] = "name=";
  const char *ends = strstr(text, range), *name = strstr(text, word);
  if (strncmp(text, "ParamArg(", 9) != 0 || !ends || !name) return false;
  name += sizeof word - 1;
  const char *close = *name == '\'' || *name == '"' ? strchr(name + 1, *name) : NULL;
  if (!close || close == name + 1) return false;
  const text_in part = {in->c, ends + sizeof range - 1, strlen(ends) - (sizeof range - 1), NULL};
  size_t at = 0;
  if (!get_end(&part, &at, &out[1]) || text_char(&part, at) != ',') return false;
  at++;
  tree_skip(&part, &at);
  if (!get_end(&part, &at, &out[2]) || text_char(&part, at) != ')') return false;
  out[0] = up_arg_str(in->c, name + 1, (size_t)(close - name - 1));
  return true;
}

/* The number of a float constant: an integer, or ConstFloat(0.5). */
static void convert_float(const text_in *in, tree_parts *p) {
  static const char word[] = "ConstFloat(";
  const char *text = text_of(in, p->arg);
  size_t at = sizeof word - 1;
  const text_in part = {in->c, text, strlen(text), NULL};
  up_arg v;
  if (up_arg_kind_of(in->c, p->arg) == UP_A_INT)
    p->arg = up_arg_float(in->c, up_int_to_double(in->c, up_arg_val(in->c, p->arg).i));
  else if (strncmp(text, word, at) == 0 && text_get_number(&part, &at, &v) && text[at] == ')')
    p->arg = v;
}

/* ---- operands without a width -------------------------------------------------------------------- */

static bool is_number(up_dtype d) {
  return !up_dt_is_ptr(d) && (up_dt_is_int(d) || up_dt_is_float(d));
}

static bool is_invalid(const up_ctx *c, up_node n) {
  up_arg a = up_arg_of(c, n);
  return up_op_of(c, n) == UP_CUSTOM && up_arg_kind_of(c, a) == UP_A_STR &&
         strcmp(up_arg_text(c, a), "Invalid") == 0;
}

static up_node of_dtype(up_ctx *c, up_node n, up_dtype d) {
  up_int v;
  if (is_invalid(c, n)) return up_new(c, UP_CUSTOM, d, NULL, 0, up_arg_of(c, n));
  if (!up_is_const_int(c, n, &v)) return up_cast(c, n, d);
  return up_const(c, d, up_dt_is_float(d) ? up_val_float(up_int_to_double(c, v)) : up_val_int(v));
}

/* The dtype that the operands should have. */
static up_dtype operand_dtype(const up_ctx *c, const tree_parts *p) {
  if (!up_op_in(p->op, UP_G_COMPARE)) return p->dtype;
  for (uint32_t i = 0; i < p->nsrc; i++)
    if (up_dtype_of(c, p->src[i]) != up_dt(UP_INT)) return up_dtype_of(c, p->src[i]);
  return up_dt(UP_INT);
}

static void give_widths(up_ctx *c, tree_parts *p) {
  if (!up_op_in(p->op, UP_G_ALU)) return;
  up_dtype want = operand_dtype(c, p);
  for (uint32_t i = p->op == UP_WHERE; i < p->nsrc && is_number(want); i++) {
    up_dtype is = up_dtype_of(c, p->src[i]);
    bool weak = is == up_dt(UP_INT) || (is == up_dt(UP_FLOAT) && up_dt_is_float(want)) ||
                is_invalid(c, p->src[i]);
    if (is != want && weak) p->src[i] = of_dtype(c, p->src[i], want);
  }
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* A BITCAST of a buffer may have other elements than that: not a cast of values. */
static void convert_cast(const text_in *in, tree_parts *p) {
  bool casts = p->op == UP_CAST || p->op == UP_BITCAST;
  if (!casts || strncmp(text_of(in, p->arg), "dtypes.", 7) != 0) return;
  p->arg = up_arg_none();
  up_dtype from = p->nsrc == 1 ? up_dtype_of(in->c, p->src[0]) : p->dtype;
  if (p->op == UP_BITCAST && up_dt_bits(from) != up_dt_bits(p->dtype)) p->op = UP_CUSTOM;
}

/* The numbers of an axis, of which splits make several, in base 1,000: each below the first counts from 1. */
static void convert_axis(up_ctx *c, tree_parts *p) {
  uint32_t n = up_arg_kind_of(c, p->arg) == UP_A_LIST ? up_arg_len(c, p->arg) : 0;
  if (n < 2 || up_arg_kind_of(c, up_arg_at(c, p->arg, n - 1)) != UP_A_STR) return;
  up_int whole = up_int_of(0), unit = up_int_of(1);
  for (uint32_t i = 0; i + 1 < n; i++) {
    up_arg a = up_arg_at(c, p->arg, i);
    if (up_arg_kind_of(c, a) != UP_A_INT) return;
    up_int v = up_int_add(c, up_arg_val(c, a).i, up_int_of(i > 0));
    whole = up_int_add(c, whole, up_int_mul(c, v, unit));
    unit = up_int_mul(c, unit, up_int_of(1000));
  }
  p->arg = up_arg_int(c, whole);
}

static void convert_special(up_ctx *c, tree_parts *p) {
  up_int size;
  if (up_arg_kind_of(c, p->arg) != UP_A_STR || p->nsrc != 1) return;
  if (!up_is_const_int(c, p->src[0], &size)) return;
  const up_arg list[2] = {p->arg, up_arg_int(c, size)};
  p->arg = up_arg_list(c, list, 2);
  p->nsrc = 0;
}

void tree_from_later(const text_in *in, bool weak, tree_parts *p) {
  up_arg list[3];
  if ((p->op == UP_BUFFER || p->op == UP_CUSTOM) && get_variable(in, text_of(in, p->arg), list)) {
    p->op = UP_DEFINE_VAR;
    p->arg = up_arg_list(in->c, list, 3);
    p->nsrc = 0;
  }
  if (p->op == UP_CONST && up_dt_is_float(p->dtype)) convert_float(in, p);
  if (p->op == UP_CONST && strcmp(text_of(in, p->arg), "Invalid") == 0) p->op = UP_CUSTOM;
  if (p->op == UP_SPECIAL) convert_special(in->c, p);
  if (p->op == UP_RANGE) convert_axis(in->c, p);
  convert_cast(in, p);
  if (weak) give_widths(in->c, p);
}
