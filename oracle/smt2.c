/* Questions as SMT-LIB2 scripts, for people and for other solvers. */
#include "witness.h"
#include "z3enc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static bool taken(char *const *name, uint32_t n, const char *s) {
  for (uint32_t i = 0; i < n; i++) {
    if (strcmp(name[i], s) == 0) return true;
  }
  return false;
}

/* Words that scripts, or the theories of Z3 and cvc5, have for themselves. */
static const char reserved[] =
    " ! * + - / < <= = => > >= @ Array BINARY Bag BitVec Bool Char DECIMAL Float128 Float16"
    " Float32 Float64 FloatingPoint HEXADECIMAL Int List NUMERAL Nil RNA RNE RTN RTP RTZ"
    " Real RegEx RegLan Relation RoundingMode STRING Seq Set String Tuple Unicode"
    " UnicodeString ^ _ abs and apply arccos arccot arccsc arcsec arcsin arctan array_ext as"
    " assert bag check choice comp concat const cos cosh cot csc declare default difference"
    " display distinct div divisible echo emp eval exists exit exp ext_rotate_left"
    " ext_rotate_right extract false forall fp get head help iand if iff implies include"
    " insert int2bv int_to_bv intersection is is_int ite join labels lambda let map match"
    " maximize minimize mod nand nat2bv nil nor not or par pbeq pbge pble pi pop pow pow2"
    " product pto push re rem repeat reset root rotate_left rotate_right sbv_to_int sec"
    " select sep seq setminus sign_extend simplify sin sinh sqrt store str subset sum tail"
    " tan tanh to_int to_real transpose true tuple ubv_to_int union update update_field wand"
    " xnor xor zero_extend ";

/* One of these, or begins as solvers' own names do: bv..., @..., and, of a theory, str.len. */
static bool is_reserved(const char *name) {
  char word[96];
  const char *dot = strchr(name, '.');
  if (strncmp(name, "bv", 2) == 0 || name[0] == '@' || name[0] == '.') return true;
  if (dot && !(dot[1] >= '0' && dot[1] <= '9')) return true;
  snprintf(word, sizeof word, " %s ", name);
  return strstr(reserved, word) != NULL;
}

/* A symbol: no bar and no backslash may be in it, it is no word of the language, and no other variable
 * is called so. */
static char *symbol_of(up_ctx *c, const or_witness *w, uint32_t i, char *const *before) {
  char name[80], full[96];
  or_entry_name(c, w, i, name);
  for (char *p = name; *p; p++) {
    if (*p == '|' || *p == '\\' || (unsigned char)*p < 0x20) *p = '_';
  }
  snprintf(full, sizeof full, "%s%s", name, is_reserved(name) ? "$" : "");
  for (unsigned k = 2; taken(before, i, full); k++) snprintf(full, sizeof full, "%s#%u", name, k);
  return strdup(full);
}

static void free_names(char **name, uint32_t n) {
  for (uint32_t i = 0; name && i < n; i++) free(name[i]);
  free(name);
}

static char **names_of(up_ctx *c, const pr_program *p) {
  or_witness w = {0};
  char **name = calloc(p->nvar + 1, sizeof *name);
  bool ok = name && pr_witness_init(p, &w);
  for (uint32_t i = 0; ok && i < p->nvar; i++) ok = (name[i] = symbol_of(c, &w, i, name)) != NULL;
  or_witness_clear(&w);
  if (ok) return name;
  free_names(name, p->nvar);
  return NULL;
}

/* ---- scripts --------------------------------------------------------------------------------- */

/* Integers are the plainest, if none of them is a function of which less is known than is true. */
static or_found write(or_checker *k, up_buf *text, char *why) {
  const pr_program *p = &k->program;
  or_found f = OR_SKIPPED;
  bool guess = false;
  for (int bits = 0; bits < 2; bits++) {
    sv_question q = {p, NULL, p->nroot, bits, 0};
    text->len = 0;
    f = z3_write(&k->z3, &q, text, &guess, why);
    if (f != OR_SKIPPED && !(f == OR_FOUND && guess)) return f;
  }
  return f;
}

static void put_script(or_frame f, bool both, or_found found, const up_buf *text, up_buf *out) {
  up_buf_printf(out, "; frame %s\n; unsat: %s\n", or_frame_name(f),
                both ? "the graphs are defined at the same points, and equal there"
                     : "wherever the first graph is defined, the second is, and is equal");
  if (found == OR_FOUND)
    up_buf_put(out, text->p, text->len);
  else
    up_buf_puts(out, "; there is no point at which they could differ\n"
                     "(set-logic ALL)\n(assert false)\n(check-sat)\n");
}

bool or_smt2(or_checker *k, up_ctx *c, up_node a, up_node b, or_frame f, bool both, up_buf *out,
             char *why) {
  pr_program *p = &k->program;
  pr_status s = pr_build_pair(p, c, a, b, f);
  if (s == PR_OK && both && !pr_both_ways(p)) s = PR_NO_MEMORY;
  snprintf(why, 120, "%.119s", s == PR_UNSUPPORTED ? p->reason : "no memory");
  char **name = s == PR_OK ? names_of(c, p) : NULL;
  if (!name) return false;
  up_buf text = {0};
  k->z3.name = (const char *const *)name;
  or_found found = p->vacuous ? OR_CLEAN : write(k, &text, why);
  k->z3.name = NULL;
  bool any = found == OR_FOUND || found == OR_CLEAN;
  if (any) put_script(f, both, found, &text, out);
  bool whole = any && !text.no_memory && !out->no_memory;
  if (any && !whole) snprintf(why, 120, "no memory");
  up_buf_free(&text);
  free_names(name, p->nvar);
  return whole;
}
