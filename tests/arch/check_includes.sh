#!/usr/bin/env bash
# check_includes.sh ROOT: does every #include under ROOT go along the arrows?
#
#   engine <- oracle <- {fuzz, proofs} <- {cli, fuzz/targets}        engine <- formats
#
# fuzz/targets/ are programs: they see what they ask of, proofs too, and Z3 itself, whose reader judges scripts.
# tests/ and bench/ may see all. engine/ depends on libc and GMP only, the solver's header is read in
# oracle/ and proofs/ alone, and of engine/'s headers the others see uop.h and ops.def only. One
# exception: proofs/ reads the model of rules too, since an obligation is made out of a rule as it
# is, and a second reading of rule texts would prove something else. Prints one line a violation and
# exits 1; the last line counts the files and includes that were judged.
set -u
root=${1:?usage: check_includes.sh ROOT}
cd "$root" || exit 2

find engine formats oracle fuzz proofs cli tests bench adapters -name '*.[ch]' -o -name '*.def' \
  2>/dev/null | LC_ALL=C sort |
  awk '
# Which areas and which libraries, beyond libc, an area may include.
function arrows() {
  areas["engine"] = "engine"
  areas["formats"] = "engine formats"
  areas["oracle"] = "engine oracle"
  areas["fuzz"] = "engine formats oracle fuzz"
  areas["fuzz/targets"] = "engine formats oracle fuzz proofs"
  areas["proofs"] = "engine formats oracle proofs"
  areas["cli"] = "engine formats oracle fuzz proofs cli"
  areas["adapters"] = "engine formats adapters"
  areas["tests"] = areas["bench"] = "*"
  libs["engine"] = "gmp.h"
  libs["formats"] = "gmp.h jansson.h zlib.h"
  # the solver is a process of its own, LLVM a library that is opened
  libs["oracle"] = "gmp.h z3.h sys/prctl.h sys/socket.h dlfcn.h llvm-c/Analysis.h llvm-c/Core.h" \
                   " llvm-c/ExecutionEngine.h llvm-c/Target.h llvm-c/TargetMachine.h"
  libs["fuzz"] = "gmp.h sys/prctl.h"
  libs["fuzz/targets"] = "gmp.h z3.h"
  libs["adapters"] = "gmp.h jansson.h"
  libs["proofs"] = "gmp.h z3.h sys/prctl.h"
  # of engine/, beyond its public headers: what a rule is
  inner["proofs"] = "engine/rulebook.h engine/pattern.h engine/ruleast.h engine/rulelex.h" \
                    " engine/ruleexpr.h engine/rulebuild.h engine/match.h"
  libs["cli"] = "gmp.h jansson.h sys/prctl.h sys/socket.h"
  libs["tests"] = "gmp.h jansson.h zlib.h z3.h cmocka.h dlfcn.h execinfo.h link.h"
  libs["bench"] = "gmp.h jansson.h zlib.h z3.h"
  libc = "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h" \
         " math.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h" \
         " stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h" \
         " dirent.h fcntl.h fnmatch.h getopt.h glob.h libgen.h poll.h pthread.h sched.h strings.h" \
         " unistd.h sys/file.h sys/mman.h sys/resource.h sys/select.h sys/stat.h sys/time.h" \
         " sys/types.h sys/wait.h sys/ioctl.h"
}

function holds(list, word) { return list == "*" || index(" " list " ", " " word " ") > 0 }

# "engine/text/../uop.h" -> "engine/uop.h"
function normal(path,    n, part, i, depth, kept, out) {
  n = split(path, part, "/")
  depth = 0
  for (i = 1; i <= n; i++) {
    if (part[i] == "..") depth--
    else if (part[i] != "." && part[i] != "") kept[++depth] = part[i]
  }
  out = kept[1]
  for (i = 2; i <= depth; i++) out = out "/" kept[i]
  return out
}

function exists(path,    line, r) {
  if (path in seen) return seen[path]
  r = (getline line < path)
  close(path)
  return seen[path] = (r >= 0)
}

function fail(file, row, what) {
  printf "%s:%d: %s\n", file, row, what
  bad++
}

function quoted(file, row, area, name,    dir, path, target) {
  dir = file
  sub("/[^/]*$", "", dir)
  path = normal(dir "/" name)
  if (!exists(path)) path = normal(name)
  if (!exists(path)) {
    fail(file, row, "\"" name "\" is neither beside this file nor under the root")
    return
  }
  target = path
  sub("/.*", "", target)
  if (!holds(areas[area], target)) fail(file, row, area "/ must not see " target "/ (" path ")")
  else if (target == "engine" && area != "engine" && area != "tests" && area != "bench" &&
           path != "engine/uop.h" && path != "engine/ops.def" && !holds(inner[area], path))
    fail(file, row, path " is inside of engine/: only engine/uop.h is public")
}

function judge(file,    area, row, line, name) {
  area = file
  if (file ~ /^fuzz\/targets\//) area = "fuzz/targets"
  else sub("/.*", "", area)
  row = 0
  while ((getline line < file) > 0) {
    row++
    if (line !~ /^[ \t]*#[ \t]*include/) continue
    includes++
    name = line
    if (name ~ /^[^"<]*</) {
      gsub(/^[^<]*<|>.*$/, "", name)
      if (!holds(libc, name) && !holds(libs[area], name))
        fail(file, row, area "/ must not see <" name ">")
    } else if (name ~ /^[^"]*"/) {
      gsub(/^[^"]*"|".*$/, "", name)
      quoted(file, row, area, name)
    } else
      fail(file, row, "an #include this check cannot read: " line)
  }
  close(file)
  files++
}

BEGIN { arrows() }
{ judge($0) }
END {
  printf "includes: %d files, %d includes, %d against the arrows\n", files, includes, bad
  exit bad > 0
}'
