/* Opaque sources -> variables, as the interchange format has it: an integer or bool whose value
 * comes from memory, from floats or from an op without a meaning may be anything its dtype holds.
 *
 * `opaqueN`, N from 0 (or above those that the graph has) in topological order; an opaque vector is
 * a VECTORIZE of one variable a lane. An UNROLL of a whole axis is `unrollN`, N its axis, from 0 to
 * its size - 1. A graph whose root has no integer value (a store, a kernel) becomes a SINK of its
 * integer parts: of every node with an integer value that a node without one uses. */
#include "internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The lists of names in a note end after this many. */
#define MAX_NAMED 8u
/* Numbers of opaque names that could be given here: longer ones cannot be met. */
#define MAX_DIGITS 9u

typedef struct opaque {
  up_ctx *c;
  up_list topo;
  up_node *now; /* now[i]: what topo.p[i] becomes, or itself where it has no value */
  bool *plain;  /* plain[i]: an integer or bool value made of such values */
  uint32_t *at; /* by node id: index into topo */
  up_list parts;
  bool unroll_taken;
  uint32_t next, replaced, unrolled;
  up_buf named, unroll_named;
} opaque;

/* ---- which nodes ----------------------------------------------------------------- */

static bool is_integer(up_dtype d) { return up_dt_is_int(d) || up_dt_is_bool(d); }

/* Ops whose value follows from integer sources; frame.h of the oracle says how. */
static bool has_meaning(up_op op) {
  switch (op) {
  case UP_CONST:
  case UP_VCONST:
  case UP_DEFINE_VAR:
  case UP_RANGE:
  case UP_SPECIAL:
  case UP_BIND:
  case UP_CAST:
  case UP_BITCAST:
  case UP_VECTORIZE:
  case UP_GEP:
  case UP_WHERE:
  case UP_MULACC:
  case UP_NEG:
  case UP_TRUNC: return true;
  case UP_THREEFRY:
  case UP_FDIV:
  case UP_POW: return false;
  default: return up_op_in(op, UP_G_BINARY);
  }
}

static bool is_plain(const opaque *o, up_node n) {
  up_op op = up_op_of(o->c, n);
  if (!is_integer(up_dtype_of(o->c, n)) || !has_meaning(op)) return false;
  for (uint32_t i = 0; i < up_nsrc(o->c, n); i++)
    if (!is_integer(up_dtype_of(o->c, up_src(o->c, n, i)))) return false;
  return true;
}

/* An UNROLL of all of an axis: ((axis, size),) over 0, 1, ... size - 1. */
static bool is_unrolled_axis(const opaque *o, up_node n, int64_t *axis, int64_t *size) {
  const up_ctx *c = o->c;
  up_arg a = up_arg_of(c, n);
  if (up_op_of(c, n) != UP_UNROLL || up_nsrc(c, n) != 1 || up_dt_count(up_dtype_of(c, n)) != 1)
    return false;
  if (up_arg_kind_of(c, a) != UP_A_LIST || up_arg_len(c, a) != 1) return false;
  up_arg pair = up_arg_at(c, a, 0);
  if (up_arg_kind_of(c, pair) != UP_A_LIST || up_arg_len(c, pair) != 2) return false;
  int64_t v[2];
  for (uint32_t i = 0; i < 2; i++) {
    up_arg e = up_arg_at(c, pair, i);
    if (up_arg_kind_of(c, e) != UP_A_INT || !up_int_fits(up_arg_val(c, e).i)) return false;
    v[i] = up_arg_val(c, e).i.lo;
  }
  up_node s = up_src(c, n, 0);
  if (up_op_of(c, s) != UP_VCONST || !up_dt_is_int(up_dtype_of(c, s))) return false;
  if (v[0] < 0 || v[1] != (int64_t)up_dt_count(up_dtype_of(c, s))) return false;
  for (uint32_t i = 0; i < (uint32_t)v[1]; i++)
    if (!up_int_is(up_vconst_at(c, s, i).i, (int64_t)i)) return false;
  *axis = v[0], *size = v[1];
  return true;
}

/* ---- variables ------------------------------------------------------------------ */

/* opaqueN begins above every N that the graph has; unrollN is given up when such a name is there.
 */
static void note_name(opaque *o, up_node n) {
  up_arg a = up_arg_of(o->c, n);
  if (up_op_of(o->c, n) != UP_DEFINE_VAR || up_arg_kind_of(o->c, a) != UP_A_LIST) return;
  const char *name = up_arg_text(o->c, up_arg_at(o->c, a, 0));
  if (strncmp(name, "unroll", 6) == 0) o->unroll_taken = true;
  size_t digits = strncmp(name, "opaque", 6) == 0 ? strspn(name + 6, "0123456789") : 0;
  if (digits == 0 || digits > MAX_DIGITS || name[6 + digits]) return;
  uint32_t v = (uint32_t)strtoul(name + 6, NULL, 10);
  if (v >= o->next) o->next = v + 1;
}

static void put_name(up_buf *out, uint32_t count, const char *name) {
  if (count < MAX_NAMED) up_buf_printf(out, "%s%s", count ? ", " : "", name);
  if (count == MAX_NAMED) up_buf_puts(out, ", ...");
}

/* A bound of the dtype, as its constants are written. */
static up_arg bound(up_ctx *c, up_dtype d, up_int v) {
  return up_dt_is_bool(d) ? up_arg_bool(c, !up_int_is(v, 0)) : up_arg_int(c, v);
}

static up_node variable(up_ctx *c, const char *name, up_dtype d, up_int lo, up_int hi) {
  up_arg a[3] = {up_arg_str(c, name, strlen(name)), bound(c, d, lo), bound(c, d, hi)};
  return up_new(c, UP_DEFINE_VAR, d, NULL, 0, up_arg_list(c, a, 3));
}

static up_node opaque_lane(opaque *o, up_dtype d) {
  char name[32];
  snprintf(name, sizeof name, "opaque%u", o->next++);
  put_name(&o->named, o->replaced++, name);
  return variable(o->c, name, d, up_dt_min(o->c, d), up_dt_max(o->c, d));
}

static up_node opaque_value(opaque *o, up_dtype d) {
  unsigned n = up_dt_count(d);
  up_dtype lane = up_dt(up_dt_scalar(d));
  if (n == 1) return opaque_lane(o, d);
  up_node *lanes = malloc(n * sizeof *lanes);
  if (!lanes) {
    up_ctx_set_status(o->c, UP_NO_MEMORY);
    return UP_NONE;
  }
  for (unsigned i = 0; i < n; i++) lanes[i] = opaque_lane(o, lane);
  up_node v = up_new(o->c, UP_VECTORIZE, d, lanes, n, up_arg_none());
  free(lanes);
  return v;
}

static up_node replacement(opaque *o, up_node n) {
  int64_t axis, size;
  up_dtype d = up_dtype_of(o->c, n);
  char name[32];
  if (o->unroll_taken || !is_unrolled_axis(o, n, &axis, &size)) return opaque_value(o, d);
  snprintf(name, sizeof name, "unroll%lld", (long long)axis);
  put_name(&o->unroll_named, o->unrolled++, name);
  return variable(o->c, name, d, up_int_of(0), up_int_of(size - 1));
}

/* ---- the graph ------------------------------------------------------------------ */

static up_node now_of(const opaque *o, up_node n) { return o->now[o->at[n.id]]; }

/* n with what its sources have become. */
static up_node rebuilt(opaque *o, up_node n) {
  uint32_t nsrc = up_nsrc(o->c, n);
  bool same = true;
  for (uint32_t i = 0; i < nsrc; i++)
    same = same && up_same(now_of(o, up_src(o->c, n, i)), up_src(o->c, n, i));
  if (same) return n;
  up_node *src = malloc(nsrc * sizeof *src);
  if (!src) {
    up_ctx_set_status(o->c, UP_NO_MEMORY);
    return UP_NONE;
  }
  for (uint32_t i = 0; i < nsrc; i++) src[i] = now_of(o, up_src(o->c, n, i));
  up_node r = up_replace_src(o->c, n, src, nsrc);
  free(src);
  return r;
}

/* Nodes that the root's value hangs on, from the root down: below an opaque node nothing counts. */
static void mark_needed(const opaque *o, bool *needed) {
  needed[o->topo.n - 1] = true;
  for (uint32_t i = o->topo.n; i-- > 0;) {
    if (!needed[i] || !o->plain[i]) continue;
    up_node n = o->topo.p[i];
    for (uint32_t k = 0; k < up_nsrc(o->c, n); k++) needed[o->at[up_src(o->c, n, k).id]] = true;
  }
}

/* Nothing to simplify: an opaque node, a variable, a constant. */
static bool is_leaf(const opaque *o, uint32_t i) {
  up_node n = o->topo.p[i];
  bool range = up_op_of(o->c, n) == UP_RANGE && up_is_const(o->c, up_src(o->c, n, 0));
  return !o->plain[i] || up_nsrc(o->c, n) == 0 || range;
}

/* Integer sources of nodes without an integer value; leaves alone say nothing. */
static bool gather_parts(opaque *o, bool *needed) {
  for (uint32_t i = 0; i < o->topo.n; i++) {
    up_node n = o->topo.p[i];
    for (uint32_t k = 0; !o->plain[i] && k < up_nsrc(o->c, n); k++) {
      uint32_t s = o->at[up_src(o->c, n, k).id];
      if (needed[s] || is_leaf(o, s)) continue;
      needed[s] = true;
      if (!up_list_push(&o->parts, o->topo.p[s])) return false;
    }
  }
  for (uint32_t i = o->topo.n; i-- > 0;) {
    up_node n = o->topo.p[i];
    for (uint32_t k = 0; needed[i] && o->plain[i] && k < up_nsrc(o->c, n); k++)
      needed[o->at[up_src(o->c, n, k).id]] = true;
  }
  return true;
}

static void replace_needed(opaque *o, const bool *needed) {
  for (uint32_t i = 0; i < o->topo.n; i++) {
    up_node n = o->topo.p[i];
    o->now[i] = n;
    if (!needed[i]) continue;
    if (o->plain[i])
      o->now[i] = rebuilt(o, n);
    else if (is_integer(up_dtype_of(o->c, n)))
      o->now[i] = replacement(o, n);
  }
}

static up_node sink_of_parts(opaque *o) {
  for (uint32_t i = 0; i < o->parts.n; i++) o->parts.p[i] = now_of(o, o->parts.p[i]);
  return up_new(o->c, UP_SINK, up_dt(UP_VOID), o->parts.p, o->parts.n, up_arg_none());
}

/* A SINK of nothing but values is judged source by source as it is. */
static bool is_sink_of_values(const opaque *o, up_node n) {
  if (up_op_of(o->c, n) != UP_SINK || up_nsrc(o->c, n) == 0) return false;
  for (uint32_t i = 0; i < up_nsrc(o->c, n); i++)
    if (!is_integer(up_dtype_of(o->c, up_src(o->c, n, i)))) return false;
  return true;
}

static bool begin(opaque *o, up_node root) {
  if (!up_toposort(o->c, root, &o->topo)) return false;
  o->now = calloc(o->topo.n, sizeof *o->now);
  o->plain = calloc(o->topo.n, sizeof *o->plain);
  o->at = calloc((size_t)root.id + 1, sizeof *o->at);
  if (!o->now || !o->plain || !o->at) return false;
  for (uint32_t i = 0; i < o->topo.n; i++) {
    up_node n = o->topo.p[i];
    o->at[n.id] = i;
    o->plain[i] = is_plain(o, n) || (up_same(n, root) && is_sink_of_values(o, n));
    note_name(o, n);
  }
  return true;
}

static void put_note(const opaque *o, up_node root, up_buf *note) {
  if (o->parts.n > 0)
    up_buf_printf(note, "the root %s has no integer value: its %u integer part%s make%s a SINK",
                  up_op_name(up_op_of(o->c, root)), o->parts.n, o->parts.n == 1 ? "" : "s",
                  o->parts.n == 1 ? "s" : "");
  if (o->replaced > 0)
    up_buf_printf(note, "%s%u opaque source%s became variable%s %s", note->len ? "; " : "",
                  o->replaced, o->replaced == 1 ? "" : "s", o->replaced == 1 ? "" : "s",
                  o->named.p ? o->named.p : "");
  if (o->unrolled > 0)
    up_buf_printf(note, "%s%u unrolled ax%s became variable%s %s", note->len ? "; " : "",
                  o->unrolled, o->unrolled == 1 ? "is" : "es", o->unrolled == 1 ? "" : "s",
                  o->unroll_named.p ? o->unroll_named.p : "");
  if (o->named.no_memory || o->unroll_named.no_memory) note->no_memory = true;
}

static bool run(opaque *o, up_node root, up_node *out, up_buf *note, up_error *err) {
  bool *needed = begin(o, root) ? calloc(o->topo.n, sizeof *needed) : NULL;
  if (!needed) return up_fail(err, 0, 0, "no memory");
  bool ok = true;
  *out = root;
  if (o->plain[o->topo.n - 1] || is_integer(up_dtype_of(o->c, root)))
    mark_needed(o, needed);
  else
    ok = gather_parts(o, needed);
  if (!ok) up_fail(err, 0, 0, "no memory");
  if (o->parts.n > UP_MAX_SRC)
    ok = up_fail(err, 0, 0, "the root has more than %u integer parts", UP_MAX_SRC);
  if (ok) {
    replace_needed(o, needed);
    if (o->parts.n > 0)
      put_note(o, root, note), *out = sink_of_parts(o);
    else if (!needed[o->topo.n - 1])
      up_buf_printf(note, "the root %s has no integer value, and no integer part to simplify",
                    up_op_name(up_op_of(o->c, root)));
    else
      put_note(o, root, note), *out = now_of(o, root);
    up_status s = up_ctx_status(o->c);
    if (s != UP_OK) ok = up_fail(err, 0, 0, "cannot go on: %s", up_status_name(s));
  }
  free(needed);
  return ok;
}

bool fm_replace_opaque(up_ctx *c, up_node root, up_node *out, up_buf *note, up_error *err) {
  opaque o = {.c = c};
  bool ok = run(&o, root, out, note, err);
  up_list_free(&o.topo);
  up_list_free(&o.parts);
  up_buf_free(&o.named);
  up_buf_free(&o.unroll_named);
  free(o.now);
  free(o.plain);
  free(o.at);
  return ok;
}
