#!/usr/bin/env bash
# No file-scope mutable state: the libraries have no symbol in a section that can be written after
# the program has been loaded. Constant tables of pointers live in .data.rel.ro and are fine.
set -u
[ "$UPROOF_INSTRUMENTED" = 0 ] || {
  # Sanitizers and gcov add writable data of their own; the plain build of the same sources is judged.
  echo "judged in the build without instrumentation"
  exit 77
}

# Writable symbols of an archive or object, one a line.
writable() {
  objdump -t "$1" | awk '
    / file format / { object = $1 }
    NF < 4 { next }
    { section = $(NF - 2); name = $NF }
    section == "*COM*" { print object, name, "common" }
    section !~ /^\.(data|bss|tdata|tbss)(\.|$)/ || section ~ /^\.data\.rel\.ro/ || name == section { next }
    { print object, name, section }'
}

# The check sees each kind of state, and not a constant table.
# (gcc names a static of a function calls.0, clang count.calls.)
cat >planted.c <<'C'
int at_file_scope;
static int with_value = 3;
extern const char *const table[2];
const char *const table[2] = {"a", "b"};
static _Thread_local int of_thread;
int count(void);
int count(void) {
  static int calls;
  calls++;
  with_value++;
  of_thread++;
  return calls + with_value + of_thread + at_file_scope;
}
C
"${CC:-cc}" -c planted.c -o planted.o || exit 1
seen=$(writable planted.o | awk '{print $2}' | sed 's/^count\.//; s/\..*//' | LC_ALL=C sort | tr '\n' ' ')
[ "$seen" = "at_file_scope calls of_thread with_value " ] || {
  echo "FAILED: of the planted state only this was seen: $seen"
  exit 1
}

judged=0
bad=0
for library in "$BUILD"/libuproof_*.a; do
  [ -f "$library" ] || continue
  case $library in *uproof_test_support*) continue ;; esac
  judged=$((judged + 1))
  found=$(writable "$library")
  [ -z "$found" ] && continue
  printf '%s:\n%s\n' "${library##*/}" "$found"
  bad=1
done
echo "state: $judged libraries judged"
[ "$judged" -ge 1 ] && [ "$bad" = 0 ]
