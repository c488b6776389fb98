/* Dtypes: scalar kind, vector count, pointer flag, packed in 16 bits. Source: dtype.py. */
#include "internal.h"
#include <string.h>

typedef struct scalar_info {
  const char *name;   /* as FORMAT.md and tinygrad's printed dtypes have it */
  const char *alias;  /* name with the width, or NULL */
  const char *c_name; /* DType.name, the third key of the order */
  int8_t priority;    /* DType.priority, the first key of the order */
  uint8_t bits;
} scalar_info;

static const scalar_info scalar_table[UP_SCALAR_COUNT] = {
    [UP_VOID] = {"void", NULL, "void", -1, 0},
    [UP_BOOL] = {"bool", NULL, "bool", 0, 1},
    [UP_CHAR] = {"char", "int8", "char", 1, 8},
    [UP_UCHAR] = {"uchar", "uint8", "unsigned char", 2, 8},
    [UP_SHORT] = {"short", "int16", "short", 3, 16},
    [UP_USHORT] = {"ushort", "uint16", "unsigned short", 4, 16},
    [UP_INT] = {"int", "int32", "int", 5, 32},
    [UP_UINT] = {"uint", "uint32", "unsigned int", 6, 32},
    [UP_LONG] = {"long", "int64", "long", 7, 64},
    [UP_ULONG] = {"ulong", "uint64", "unsigned long", 8, 64},
    [UP_HALF] = {"half", "float16", "half", 9, 16},
    [UP_BFLOAT16] = {"bfloat16", NULL, "__bf16", 10, 16},
    [UP_FLOAT] = {"float", "float32", "float", 11, 32},
    [UP_DOUBLE] = {"double", "float64", "double", 12, 64},
};

#define PTR_FLAG 16u
#define MAX_COUNT 2048u

static const scalar_info *info(up_dtype d) {
  unsigned s = up_dt_scalar(d);
  return &scalar_table[s < UP_SCALAR_COUNT ? s : UP_VOID];
}

up_dtype up_dt(enum up_scalar s) { return (up_dtype)s; }

up_dtype up_dt_vec(up_dtype d, unsigned count) {
  UP_REQUIRE(count >= 1 && count <= MAX_COUNT, "up_dt_vec");
  if (up_dt_scalar(d) == UP_VOID) return d;
  return (up_dtype)((d & 31u) | ((count - 1u) << 5));
}

up_dtype up_dt_ptr(up_dtype d) { return (up_dtype)(d | PTR_FLAG); }

static bool in_range(up_dtype d, unsigned lo, unsigned hi) {
  return !up_dt_is_ptr(d) && up_dt_scalar(d) >= lo && up_dt_scalar(d) <= hi;
}
bool up_dt_is_unsigned(up_dtype d) { return up_dt_is_int(d) && (up_dt_scalar(d) & 1u) != 0; }
bool up_dt_is_signed(up_dtype d) { return up_dt_is_int(d) && (up_dt_scalar(d) & 1u) == 0; }
bool up_dt_is_float(up_dtype d) { return in_range(d, UP_HALF, UP_DOUBLE); }
bool up_dt_is_bool(up_dtype d) { return in_range(d, UP_BOOL, UP_BOOL); }
_Static_assert(UP_CHAR % 2 == 0 && UP_UCHAR == UP_CHAR + 1 && UP_ULONG % 2 == 1,
               "signed types are even, unsigned odd");

unsigned up_dt_bits(up_dtype d) { return info(d)->bits; }

void up_dt_print(up_dtype d, char out[32]) {
  const char *ptr = up_dt_is_ptr(d) ? "ptr." : "";
  unsigned n = up_dt_count(d);
  if (n > 1)
    snprintf(out, 32, "%s%s.vec%u", ptr, info(d)->name, n);
  else
    snprintf(out, 32, "%s%s", ptr, info(d)->name);
}

static bool word_is(const char *s, size_t n, const char *word) {
  return word && strlen(word) == n && memcmp(s, word, n) == 0;
}

static bool parse_scalar(const char *s, size_t n, up_dtype *out) {
  for (unsigned i = 0; i < UP_SCALAR_COUNT; i++) {
    if (word_is(s, n, scalar_table[i].name) || word_is(s, n, scalar_table[i].alias)) {
      *out = (up_dtype)i;
      return true;
    }
  }
  return false;
}

/* Decimal without leading zeros, 1..MAX_COUNT. */
static bool parse_count(const char *s, size_t n, unsigned *out) {
  unsigned v = 0;
  if (n == 0 || n > 4 || s[0] == '0') return false;
  for (size_t i = 0; i < n; i++) {
    if (s[i] < '0' || s[i] > '9') return false;
    v = v * 10u + (unsigned)(s[i] - '0');
  }
  *out = v;
  return v >= 2 && v <= MAX_COUNT;
}

bool up_dt_parse(const char *s, size_t n, up_dtype *out) {
  bool ptr = n > 4 && memcmp(s, "ptr.", 4) == 0;
  if (ptr) s += 4, n -= 4;
  size_t dot = 0;
  while (dot < n && s[dot] != '.') dot++;
  up_dtype d;
  if (!parse_scalar(s, dot, &d)) return false;
  if (dot < n) {
    unsigned count;
    if (n - dot <= 4 || memcmp(s + dot, ".vec", 4) != 0) return false;
    if (d == UP_VOID || !parse_count(s + dot + 4, n - dot - 4, &count)) return false;
    d = up_dt_vec(d, count);
  }
  *out = ptr ? up_dt_ptr(d) : d;
  return true;
}

int up_dt_cmp(up_dtype a, up_dtype b) {
  const scalar_info *x = info(a), *y = info(b);
  if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
  /* the scalar is the same from here on: item size grows with the count */
  unsigned m = up_dt_count(a), n = up_dt_count(b);
  if (m != n) return m < n ? -1 : 1;
  return (int)up_dt_is_ptr(a) - (int)up_dt_is_ptr(b);
}
