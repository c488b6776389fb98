#!/usr/bin/env bash
# Are all C sources in clang-format's form? Exits 1 with the places when not; --fix rewrites them.
# Exits 3 when clang-format is not there: the caller decides what that means.
set -u
cd "$(dirname "$0")/.." || exit 1

# Debian 12's version decides, so that every machine agrees.
tool=$(command -v clang-format-14 || command -v clang-format) || {
  echo "clang-format is not installed: the form of the sources was not checked" >&2
  exit 3
}
mapfile -d '' files < <(
  find adapters bench cli engine formats fuzz oracle proofs tests -name '*.[ch]' -print0
)
if [ "${1:-}" = --fix ]; then
  "$tool" --style=file -i "${files[@]}"
  exit
fi

bad=0
for file in "${files[@]}"; do
  "$tool" --style=file --dry-run --Werror "$file" 2>/dev/null && continue
  echo "not in clang-format's form: $file"
  bad=$((bad + 1))
done
echo "format: ${#files[@]} files checked, $bad to be formatted (make format)"
[ "$bad" = 0 ]
