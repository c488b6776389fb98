#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them: each target, NAME, into $OUT,
# beside it NAME.options, NAME_seed_corpus.zip where corpus/seed/NAME has files, NAME.dict where the
# target reads text, and in lib/ the shared libraries that the runner's image does not have.
#
# It runs outside of their images, too:
#   CC=clang CXX=clang++ CFLAGS='-O1 -g -fsanitize=address,fuzzer-no-link' CXXFLAGS=$CFLAGS \
#     LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=/tmp/out WORK=/tmp/work .clusterfuzzlite/build.sh
# With arguments, these targets alone.
set -euo pipefail
: "${OUT:?where the targets go}" "${LIB_FUZZING_ENGINE:?what targets are linked with}"
: "${CC:=clang}" "${CXX:=clang++}" "${CFLAGS:=}" "${CXXFLAGS:=$CFLAGS}"
export CC CXX CFLAGS CXXFLAGS
work=${WORK:-$(mktemp -d)}
root=${SRC:+$SRC/uproof}
[ -n "$root" ] && [ -f "$root/CMakeLists.txt" ] || root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$OUT/lib"

cmake -S "$root" -B "$work/uproof" -G Ninja -DCMAKE_BUILD_TYPE=None -DUPROOF_TESTS=OFF \
  -DUPROOF_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_BUILD_RPATH="\$ORIGIN/lib"
targets=("$@")
if [ $# = 0 ]; then
  for source in "$root"/fuzz/targets/*.c; do targets+=("$(basename "$source" .c)"); done
fi
cmake --build "$work/uproof" --target "${targets[@]}"

# make_zip ZIP DIR: the files of DIR, without their folder.
make_zip() {
  rm -f "$1"
  if command -v zip >/dev/null; then
    zip -q -j "$1" "$2"/*
  else
    (cd "$2" && python3 -m zipfile -c "$1" ./*)
  fi
}

# Words of the text forms: ops, dtypes, what stands between them.
put_words() {
  sed -n 's/^OP(\([A-Z0-9_]*\),.*/"\1"/p' "$root/engine/ops.def"
  printf '"%s"\n' bool char uchar short ushort int uint long ulong half float double void \
    'uop 1\x0a' 'meta ' ' = ' '%%0' '%%1' ' in [' 'UOp(' 'Ops.' 'dtypes.' 'arg=' 'src=(' 'arg=None' \
    'True' 'False' 'None' ' if ' ' else ' 'max(' 'min(' '//' '<<' '>>' '!=' '==' '{\"nodes\":[' | sed 's/%%/%/g'
}

for name in "${targets[@]}"; do
  cp "$work/uproof/fuzz/$name" "$OUT/$name"
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 25\n' >"$OUT/$name.options"
  if [ -d "$root/corpus/seed/$name" ]; then
    make_zip "$OUT/${name}_seed_corpus.zip" "$root/corpus/seed/$name"
  else
    echo "build.sh: $name has no corpus/seed/$name"
  fi
  case $name in
    *parse* | *roundtrip*) put_words >"$OUT/$name.dict" ;;
  esac
done

# What the programs load, and the images may not have.
ldd "$OUT/${targets[0]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
  grep -E '/lib(z3|gmp|jansson|z)\.so' | while read -r library; do
  cp -L "$library" "$OUT/lib/"
done
echo "build.sh: ${#targets[@]} targets in $OUT"
