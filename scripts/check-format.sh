#!/usr/bin/env bash
# Are all C sources in clang-format's form? Exits 1 with the places when not; --fix rewrites them.
# Exits 3 when clang-format is not there: the caller decides what that means.
set -u
cd "$(dirname "$0")/.." || exit 1
mode=(--dry-run --Werror)
[ "${1:-}" = --fix ] && mode=(-i)

# Debian 12's version decides, so that every machine agrees.
tool=$(command -v clang-format-14 || command -v clang-format) || {
  echo "clang-format is not installed: the form of the sources was not checked" >&2
  exit 3
}
list=$(mktemp)
trap 'rm -f "$list"' EXIT
find adapters bench cli engine formats fuzz oracle proofs tests -name '*.[ch]' -print0 >"$list"
xargs -0 -r "$tool" --style=file "${mode[@]}" <"$list" || exit 1
echo "format: $(tr -cd '\0' <"$list" | wc -c) files checked"
