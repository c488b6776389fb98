#!/usr/bin/env bash
# coverage.sh [JOBS [TESTS]]: runs the tests (those whose names match) in a build that counts lines, and
# prints the share of lines that they execute, and of branches that they take: each folder, and the files
# below 80 % of lines. `coverage.sh 2 '^fuzz/targets$'`: what the inputs of corpus/ reach through the fuzz targets.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
cmake --preset coverage --log-level=WARNING
cmake --build --preset coverage -j "$jobs"
find build-coverage -name '*.gcda' -delete
ctest --preset coverage -j "$jobs" -R "${2:-.}" | tail -n 5

# gcov prints, for each source file, "File 'X'", "Lines executed:P% of N", "Taken at least once:P% of N" and
# at last of "Calls executed:" or "No calls"; at the end, the lines of all.
find build-coverage -name '*.gcda' -not -path '*/test*' -exec gcov -b -n -s "$PWD" -r {} + 2>/dev/null |
  awk -v root="$PWD/" '
    function add(of, n, p) {
      part = $0
      sub(/^.*:/, "", part)
      split(part, p, /% of /)
      # A file that several programs link is counted where it was executed most.
      if (p[1] >= of[file]) of[file] = p[1]
      n[file] = p[2]
    }
    /^File / {
      file = $2
      gsub(/\x27/, "", file)
      sub("^" root, "", file)
      # tests compile C of their own
      if (file !~ /^[a-z-]*\// || file ~ /^tests\//) file = ""
    }
    /^Lines executed:/ && file != "" { add(share, lines) }
    /^Taken at least once:/ && file != "" { add(taken, branches) }
    /^Calls executed:/ || /^No calls/ || /^$/ { file = "" }
    END {
      for (f in share) {
        dir = f
        sub("/[^/]*$", "", dir)
        total[dir] += lines[f]
        hit[dir] += lines[f] * share[f] / 100
        fork[dir] += branches[f]
        way[dir] += branches[f] * taken[f] / 100
        if (share[f] < 80) printf "%-40s %6.1f %% of %d lines\n", f, share[f], lines[f]
      }
      print "---"
      for (d in total)
        printf "%-40s %6.1f %% of %d lines, %.1f %% of %d branches\n", d, 100 * hit[d] / total[d], total[d],
          fork[d] ? 100 * way[d] / fork[d] : 100, fork[d] | "sort"
    }'
