/* Infix text: declarations of variables, names for shared parts, then one expression.
 *
 *     x in [0,255]                  DEFINE_VAR, int
 *     y in [0,7] : uchar            of another dtype; bool takes [False,True] or [0,1]
 *     v "a name" in [0,3]           DEFINE_VAR "a name", called v in this text
 *     range ridx0 in [0,15]         RANGE 0 with the end 16
 *     range ridx1 < x*2             RANGE 1 with an end that is no constant
 *     range r 7 in [0,15]           RANGE 7, called r in this text
 *     special gidx0 in [0,31]       SPECIAL ["gidx0", 32]
 *     let t0 = x//4                 a name for a part
 *     (t0*4 + x%4)                  the expression
 *
 * A declaration ends with , ; or its line. Comments run from # to the end of the line. Expressions
 * are those that up_render writes, and Python's precedence where parentheses are left out:
 *
 *     a if c else b   not   < <= > >= == !=   |   ^   &   << >>   + -   * // %   -a (uchar)a
 *     max(a, b) min(a, b) where(c, a, b) cast(a, uchar)
 *     5  -5  0.5  inf  nan  True  False  5:uchar  True:bool.vec4  (0, 1)  (0, 1):uint.vec2
 *     OP(a, b)  OP:int.vec4(a, b)  OP:int(a)[arg]      any op, arg as in `.uop`
 *
 * A number without dtype takes the dtype of the other operand; alone it is an int, a bool or a
 * float. How the sugar is lowered stands in infix_lower.c. Inside brackets a line may end anywhere.
 */
#include "infix.h"
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------- */

static bool take_new_name(infix *p, token *out) {
  token t = infix_next(p, false);
  const char *s = p->in.text + t.at;
  *out = t;
  if (t.kind != T_NAME) return infix_unexpected(p, t, "a name");
  if (infix_is_reserved(s, t.n))
    return text_fail(&p->in, t.at, "'%.*s' is a reserved word", text_quoted(t.n), s);
  if (text_names_get(&p->names, s, t.n))
    return text_fail(&p->in, t.at, "'%.*s' is declared twice", text_quoted(t.n), s);
  return true;
}

static bool define(infix *p, token name, up_node n) {
  return text_names_put(&p->names, p->in.text + name.at, name.n, n) ||
         text_fail(&p->in, name.at, "no memory");
}

/* ---- ranges --------------------------------------------------------------------- */

static bool take_bound(infix *p, up_arg *out) {
  bool yes = infix_accept(p, "True", true);
  if (yes || infix_accept(p, "False", true)) {
    *out = up_arg_bool(p->in.c, yes);
    return true;
  }
  p->at = infix_peek(p, true).at;
  return text_get_number(&p->in, &p->at, out);
}

/* [lo, hi] : dtype */
typedef struct interval {
  size_t at;
  up_arg lo, hi;
  up_dtype dt;
} interval;

static bool take_dtype(infix *p, up_dtype *dt) {
  *dt = up_dt(UP_INT);
  if (!infix_accept(p, ":", false)) return true;
  return infix_dtype(p, dt) || infix_unexpected(p, infix_peek(p, false), "a dtype");
}

static bool take_interval(infix *p, interval *out) {
  if (!infix_expect(p, "in", false)) return false;
  out->at = infix_peek(p, false).at;
  return infix_expect(p, "[", false) && take_bound(p, &out->lo) && infix_expect(p, ",", true) &&
         take_bound(p, &out->hi) && infix_expect(p, "]", true) && take_dtype(p, &out->dt);
}

/* The number of values of [0, hi], which RANGE and SPECIAL keep. */
static bool interval_size(infix *p, const interval *v, up_int *out) {
  up_ctx *c = p->in.c;
  if (up_arg_kind_of(c, v->lo) != UP_A_INT || up_arg_kind_of(c, v->hi) != UP_A_INT ||
      !up_int_is(up_arg_val(c, v->lo).i, 0))
    return text_fail(&p->in, v->at, "this range must be [0, integer]");
  *out = up_int_add(c, up_arg_val(c, v->hi).i, up_int_of(1));
  return text_ctx_ok(&p->in, v->at);
}

/* ---- declarations --------------------------------------------------------------- */

/* The string after a name, else the name itself, as an arg. */
static bool take_real_name(infix *p, token name, up_arg *out) {
  token t = infix_peek(p, false);
  if (t.kind != T_STRING) {
    *out = up_arg_str(p->in.c, p->in.text + name.at, name.n);
    return true;
  }
  char *s;
  size_t n;
  p->at = t.at;
  if (!text_get_string(&p->in, &p->at, &s, &n)) return false;
  *out = up_arg_str(p->in.c, s, n);
  free(s);
  return true;
}

static bool declare_var(infix *p) {
  token name;
  interval v;
  up_arg part[3];
  if (!take_new_name(p, &name) || !take_real_name(p, name, &part[0]) || !take_interval(p, &v))
    return false;
  part[1] = v.lo;
  part[2] = v.hi;
  up_arg arg = up_arg_list(p->in.c, part, 3);
  up_node n = text_node(&p->in, name.at, UP_DEFINE_VAR, v.dt, NULL, 0, arg);
  return !up_is_none(n) && define(p, name, n);
}

static bool declare_special(infix *p) {
  token name;
  interval v;
  up_arg part[2];
  up_int size;
  if (!take_new_name(p, &name) || !take_real_name(p, name, &part[0]) || !take_interval(p, &v) ||
      !interval_size(p, &v, &size))
    return false;
  part[1] = up_arg_int(p->in.c, size);
  up_arg arg = up_arg_list(p->in.c, part, 2);
  up_node n = text_node(&p->in, name.at, UP_SPECIAL, v.dt, NULL, 0, arg);
  return !up_is_none(n) && define(p, name, n);
}

/* The integer after a name, else the digits of a name ridxN. */
static bool take_range_id(infix *p, token name, up_arg *out) {
  token t = infix_peek(p, false);
  const char *s = p->in.text + name.at;
  up_int id;
  if (t.kind == T_NUMBER || infix_is(p, t, "-")) {
    p->at = t.at;
    return text_get_number(&p->in, &p->at, out);
  }
  if (name.n <= 4 || memcmp(s, "ridx", 4) != 0 || !up_int_parse(p->in.c, s + 4, name.n - 4, &id))
    return text_fail(&p->in, name.at, "a range is called ridxN, or has its number after its name");
  *out = up_arg_int(p->in.c, id);
  return true;
}

static bool take_range_end(infix *p, up_node *end) {
  interval v;
  up_int size;
  if (infix_accept(p, "<", false)) return infix_expression(p, end);
  if (!take_interval(p, &v) || !interval_size(p, &v, &size)) return false;
  up_arg arg = up_arg_int(p->in.c, size);
  *end = text_node(&p->in, v.at, UP_CONST, v.dt, NULL, 0, arg);
  return !up_is_none(*end);
}

static bool declare_range(infix *p) {
  token name;
  up_arg id;
  up_node end;
  if (!take_new_name(p, &name) || !take_range_id(p, name, &id) || !take_range_end(p, &end))
    return false;
  up_node n = text_node(&p->in, name.at, UP_RANGE, up_dtype_of(p->in.c, end), &end, 1, id);
  return !up_is_none(n) && define(p, name, n);
}

static bool declare_let(infix *p) {
  token name;
  up_node n;
  return take_new_name(p, &name) && infix_expect(p, "=", false) && infix_expression(p, &n) &&
         define(p, name, n);
}

/* ---- statements ----------------------------------------------------------------- */

static bool begins_var(const infix *p, token t) {
  infix ahead = *p;
  if (t.kind != T_NAME || infix_is_reserved(p->in.text + t.at, t.n)) return false;
  infix_next(&ahead, true);
  token next = infix_peek(&ahead, false);
  return next.kind == T_STRING || infix_is(p, next, "in");
}

/* A declaration, when one begins here: *taken. */
static bool declaration(infix *p, bool *taken) {
  token t = infix_peek(p, true);
  *taken = true;
  if (infix_accept(p, "let", true)) return declare_let(p);
  if (infix_accept(p, "range", true)) return declare_range(p);
  if (infix_accept(p, "special", true)) return declare_special(p);
  *taken = begins_var(p, t);
  if (!*taken) return true;
  p->at = t.at;
  return declare_var(p);
}

/* After a declaration: separators, a line's end among them. */
static bool separator(infix *p) {
  token t = infix_peek(p, false);
  if (t.kind != T_NEWLINE && t.kind != T_END && !infix_is(p, t, ",") && !infix_is(p, t, ";"))
    return infix_unexpected(p, t, "',' or ';' or the end of the line");
  while (infix_accept(p, ",", true) || infix_accept(p, ";", true)) {
  }
  return true;
}

static bool whole_text(infix *p, up_node *root) {
  bool taken = true;
  while (taken)
    if (!declaration(p, &taken) || (taken && !separator(p))) return false;
  if (infix_peek(p, true).kind == T_END)
    return infix_unexpected(p, infix_peek(p, true), "an expression");
  p->at = infix_peek(p, true).at;
  if (!infix_expression(p, root)) return false;
  while (infix_accept(p, ";", true)) {
  }
  token t = infix_peek(p, true);
  return t.kind == T_END || infix_unexpected(p, t, "the end of the text");
}

bool up_parse_infix(up_ctx *c, const char *text, size_t n, up_node *root, up_error *err) {
  infix p = {.in = {c, text ? text : "", n, err}};
  *root = UP_NONE;
  bool ok = text_ctx_ok(&p.in, 0) && whole_text(&p, root);
  if (!ok) *root = UP_NONE;
  text_names_free(&p.names);
  return ok;
}
