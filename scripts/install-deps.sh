#!/usr/bin/env bash
# Installs what is missing from Debian's packages.
#
#   install-deps.sh             what building and testing need; exits 1 when it can't be had
#   install-deps.sh GROUP...    these groups: required, checks, peers, jit
#
# Only `required` is fatal. What is there already, from wherever, is left alone: nothing is
# installed and no privilege is needed when nothing is missing.
set -u

# GROUP PACKAGE PROBE: `cmd:NAME` is there when the command is, `inc:HEADER` when cc finds it,
# `rt:NAME` when clang links with -fsanitize=NAME.
needs='
required gcc              cmd:gcc
required libc6-dev        inc:stdio.h
required cmake            cmd:cmake
required ninja-build      cmd:ninja
required make             cmd:make
required pkg-config       cmd:pkg-config
required libgmp-dev       inc:gmp.h
required libz3-dev        inc:z3.h
required libjansson-dev   inc:jansson.h
required zlib1g-dev       inc:zlib.h
required libcmocka-dev    inc:cmocka.h
checks   clang            cmd:clang
checks   libclang-rt-14-dev rt:fuzzer
checks   clang-format     cmd:clang-format
peers    afl++            cmd:afl-fuzz
peers    cvc5             cmd:cvc5
jit      llvm-14-dev      inc:/usr/lib/llvm-14/include/llvm-c/ExternC.h
'

have_header() {
  local early=''
  # cmocka.h wants these before it.
  [ "$1" = cmocka.h ] && early='#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>'
  printf '%s\n#include <%s>\n' "$early" "$1" | gcc -E -x c - >/dev/null 2>&1
}

have_runtime() {
  local dir ok
  dir=$(mktemp -d) || return 1
  printf '%s\n' '#include <stddef.h>' '#include <stdint.h>' \
    'int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);' \
    'int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) { (void)p; (void)n; return 0; }' \
    >"$dir/t.c"
  clang -fsanitize="$1",address,undefined "$dir/t.c" -o "$dir/t" >/dev/null 2>&1
  ok=$?
  rm -rf "$dir"
  return $ok
}

have() {
  case $1 in
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    inc:*) have_header "${1#inc:}" ;;
    rt:*) have_runtime "${1#rt:}" ;;
    *) return 1 ;;
  esac
}

# Packages of group $1 whose probe fails.
missing() {
  local group package probe
  while read -r group package probe; do
    [ "$group" = "$1" ] || continue
    have "$probe" || printf '%s ' "$package"
  done <<<"$needs"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

can_install() {
  command -v apt-get >/dev/null 2>&1 || return 1
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1
}

apt_log=$(mktemp)
trap 'rm -f "$apt_log"' EXIT
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -y -q \
    --no-install-recommends install "$@" >"$apt_log" 2>&1 </dev/null
}

# A machine's package lists may be absent or old: they are fetched only when an install fails.
install_packages() {
  apt_install "$@" && return 0
  as_root apt-get -o DPkg::Lock::Timeout=300 -q update >/dev/null 2>&1 </dev/null
  apt_install "$@"
}

ensure_required() {
  local list
  list=$(missing required)
  [ -n "$list" ] || return 0
  if ! can_install; then
    echo "uproof needs these Debian packages, and this user can't install them" >&2
    echo "(neither root nor sudo, or no apt-get). As root: apt-get install $list" >&2
    return 1
  fi
  echo "installing: $list"
  # shellcheck disable=SC2086
  install_packages $list
  list=$(missing required)
  [ -n "$list" ] || return 0
  tail -n 20 "$apt_log" >&2
  echo "still missing after the installation: $list" >&2
  return 1
}

# One package at a time: a package that can't be had must not take the others with it.
offer_optional() {
  local package
  for package in $(missing "$1"); do
    can_install && echo "installing: $package (optional)" && install_packages "$package"
  done
  for package in $(missing "$1"); do
    echo "without $package: what needs it is left out"
  done
}

[ $# -gt 0 ] || set -- required
for group in "$@"; do
  case $group in
    required) ensure_required || exit 1 ;;
    checks | peers | jit) offer_optional "$group" ;;
    *)
      echo "usage: $0 [required|checks|peers|jit]..." >&2
      exit 2
      ;;
  esac
done
