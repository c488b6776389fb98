#!/usr/bin/env bash
# coverage.sh [JOBS]: runs the tests in a build that counts lines, and prints the share of lines that
# they execute: each folder, and the files below 80 %.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
cmake --preset coverage --log-level=WARNING
cmake --build --preset coverage -j "$jobs"
find build-coverage -name '*.gcda' -delete
ctest --preset coverage -j "$jobs" | tail -n 5

# gcov prints, for each source file, "File 'X'" and "Lines executed:P% of N".
find build-coverage -name '*.gcda' -not -path '*/test*' -exec gcov -n -s "$PWD" -r {} + 2>/dev/null |
  awk -v root="$PWD/" '
    /^File / {
      file = $2
      gsub(/\x27/, "", file)
      sub("^" root, "", file)
    }
    /^Lines executed:/ && file != "" {
      split($0, part, /[:%]| of /)
      # A file that several programs link is counted where it was executed most.
      if (!(file in share) || part[2] > share[file]) share[file] = part[2]
      lines[file] = part[4] == "" ? part[5] : part[4]
      file = ""
    }
    END {
      for (f in share) {
        dir = f
        sub("/[^/]*$", "", dir)
        total[dir] += lines[f]
        hit[dir] += lines[f] * share[f] / 100
        if (share[f] < 80) printf "%-40s %6.1f %% of %d lines\n", f, share[f], lines[f]
      }
      print "---"
      for (d in total) printf "%-40s %6.1f %% of %d lines\n", d, 100 * hit[d] / total[d], total[d]
    }'
