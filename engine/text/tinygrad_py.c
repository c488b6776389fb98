/* Graph -> Python that rebuilds it with tinygrad's own constructors, one node a line, for bug
 * reports. Modules and the form of RANGE are those of the profile's release. Of an engine behind an
 * adapter the release is not known: its nodes are made by a function that asks. */
#include "text.h"
#include <stdlib.h>

static const text_style python_style = {"None", "True", "False", "(", ")", true, false};

static bool is_old(const up_ctx *c) {
  const up_profile *p = up_ctx_profile(c);
  return p && up_profile_model(p)->release == UP_REL_0_10;
}

static void put_dtype(up_dtype d, up_buf *out) {
  char name[32];
  up_dt_print(up_dt(up_dt_scalar(d)), name);
  up_buf_printf(out, "dtypes.%s", name);
  if (up_dt_count(d) > 1) up_buf_printf(out, ".vec(%u)", up_dt_count(d));
  if (up_dt_is_ptr(d)) up_buf_puts(out, ".ptr()");
}

/* Sources as a tuple. */
static void put_sources(const up_ctx *c, up_node n, const uint32_t *number, up_buf *out) {
  uint32_t nsrc = up_nsrc(c, n);
  up_buf_puts(out, "(");
  for (uint32_t i = 0; i < nsrc; i++)
    up_buf_printf(out, "%sn%u", i ? ", " : "", number[up_src(c, n, i).id]);
  up_buf_puts(out, nsrc == 1 ? ",)" : ")");
}

/* 0.10.0's RANGE has its start as first source and a pair as arg. */
static void put_old_range(const up_ctx *c, up_node n, const uint32_t *number, up_buf *out) {
  up_buf_puts(out, "(UOp.const(");
  put_dtype(up_dtype_of(c, n), out);
  up_buf_printf(out, ", 0), n%u), (", number[up_src(c, n, 0).id]);
  text_put_arg(c, up_arg_of(c, n), &python_style, out);
  up_buf_puts(out, ", False)");
}

static const char any_release[] =
    "try: from tinygrad.uop.ops import Ops, UOp\n"
    "except ImportError: from tinygrad.ops import Ops, UOp\n"
    "from tinygrad.dtype import dtypes\n\n"
    "variables = {}\n\n"
    "# Since 0.13.0 int is the dtype without width here, and division that truncates has another "
    "name.\n"
    "def node(op, dtype, src=(), arg=None):\n"
    "  late, (name, _, count) = hasattr(dtypes, \"weakint\"), dtype.partition(\".vec\")\n"
    "  d = dtypes.weakint if late and dtype == \"int\" else getattr(dtypes, name)\n"
    "  if count: d = d.vec(int(count))\n"
    "  if op == \"CONST\": return UOp.const(arg, d) if late else UOp.const(d, arg)\n"
    "  if op == \"DEFINE_VAR\": return variables.setdefault(arg[0], UOp.variable(*arg, d))\n"
    "  if op == \"CAST\": return src[0].cast(d)\n"
    "  if op == \"RANGE\" and late: return UOp.range(src[0], arg, dtype=d)\n"
    "  if op == \"SPECIAL\" and late: return UOp.special(arg[1], arg[0], d)\n"
    "  if not hasattr(Ops, op): op = {\"IDIV\": \"CDIV\", \"MOD\": \"CMOD\", \"RECIP\": "
    "\"RECIPROCAL\"}[op]\n"
    "  return UOp(Ops[op], d, src, arg)\n\n";

/* For any release: node(op, dtype, sources, arg). */
static void put_call(const up_ctx *c, up_node n, const uint32_t *number, up_buf *out) {
  char dtype[32];
  up_dt_print(up_dtype_of(c, n), dtype);
  up_buf_printf(out, "n%u = node(\"%s\", \"%s\", ", number[n.id], up_op_name(up_op_of(c, n)),
                dtype);
  put_sources(c, n, number, out);
  up_buf_puts(out, ", ");
  text_put_arg(c, up_arg_of(c, n), &python_style, out);
  up_buf_puts(out, ")\n");
}

static void put_node(const up_ctx *c, up_node n, const uint32_t *number, up_buf *out) {
  up_buf_printf(out, "n%u = UOp(Ops.%s, ", number[n.id], up_op_name(up_op_of(c, n)));
  put_dtype(up_dtype_of(c, n), out);
  up_buf_puts(out, ", ");
  if (up_op_of(c, n) == UP_RANGE && up_nsrc(c, n) == 1 && is_old(c)) {
    put_old_range(c, n, number, out);
  } else {
    put_sources(c, n, number, out);
    if (up_arg_kind_of(c, up_arg_of(c, n)) != UP_A_NONE) {
      up_buf_puts(out, ", ");
      text_put_arg(c, up_arg_of(c, n), &python_style, out);
    }
  }
  up_buf_puts(out, ")\n");
}

void up_print_tinygrad(up_ctx *c, up_node root, up_buf *out) {
  if (up_is_none(root)) return;
  up_list topo = {0};
  uint32_t *number = malloc(((size_t)root.id + 1) * sizeof *number);
  if (!number || !up_toposort(c, root, &topo)) {
    out->no_memory = true;
  } else {
    bool any = up_ctx_profile(c) && up_profile_is_external(up_ctx_profile(c));
    if (any)
      up_buf_puts(out, any_release);
    else
      up_buf_printf(out, "from %s import Ops, UOp\nfrom tinygrad.dtype import dtypes\n\n",
                    is_old(c) ? "tinygrad.ops" : "tinygrad.uop.ops");
    for (uint32_t i = 0; i < topo.n; i++) {
      number[topo.p[i].id] = i;
      (any ? put_call : put_node)(c, topo.p[i], number, out);
    }
    up_buf_printf(out, "root = n%u\n", topo.n - 1);
  }
  up_list_free(&topo);
  free(number);
}
