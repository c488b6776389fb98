#!/usr/bin/env bash
# The includes of the sources go along the arrows; and the check that says so sees each kind of
# planted violation, and nothing where there is none.
set -u
check=$SRC/tests/arch/check_includes.sh
failures=0
planted=0

report() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

bash "$check" "$SRC" >real.txt || {
  cat real.txt
  report "the sources have includes against the arrows"
}
tail -n 1 real.txt
# A check of nothing would pass too.
[ "$(sed -n 's/^includes: \([0-9]*\) files.*/\1/p' real.txt)" -ge 5 ] || report "too few files were read"

# A small tree in which every include is allowed.
clean_tree() {
  rm -rf tree
  mkdir -p tree/engine/text tree/formats tree/oracle tree/fuzz/targets tree/proofs tree/cli tree/tests/engine
  printf '#include <gmp.h>\n#include <stdint.h>\n#include "ops.def"\n' >tree/engine/uop.h
  : >tree/engine/ops.def
  printf '#include "uop.h"\n' >tree/engine/internal.h
  printf '#include "../internal.h"\n#include <stdio.h>\n' >tree/engine/text/print.c
  printf '#include "engine/uop.h"\n#include <jansson.h>\n#include <zlib.h>\n' >tree/formats/formats.h
  printf '#include "engine/uop.h"\n' >tree/oracle/oracle.h
  printf '#include "oracle.h"\n#include <z3.h>\n' >tree/oracle/z3.c
  printf '#include "oracle/oracle.h"\n#include "engine/uop.h"\n' >tree/fuzz/gen.h
  printf '#include "fuzz/gen.h"\n#include "proofs/instance.h"\n#include <z3.h>\n' >tree/fuzz/targets/a.c
  : >tree/engine/rulebook.h
  printf '#include "engine/rulebook.h"\n#include "oracle/oracle.h"\n#include <z3.h>\n' >tree/proofs/instance.h
  printf '#include "fuzz/gen.h"\n#include "formats/formats.h"\n' >tree/cli/main.c
  printf '#include "engine/internal.h"\n#include "cli/main.c"\n#include <cmocka.h>\n' \
    >tree/tests/engine/test_a.c
}

clean_tree
bash "$check" tree >clean.txt || {
  cat clean.txt
  report "a tree without violations was refused"
}

# must_fail FILE INCLUDE: with that one include added, exactly one line is printed and names FILE.
must_fail() {
  planted=$((planted + 1))
  clean_tree
  printf '#include %s\n' "$2" >>"tree/$1"
  if bash "$check" tree >planted.txt; then
    report "not seen: $2 in $1"
  elif [ "$(grep -c "^$1:[0-9]*: " planted.txt)" != 1 ] || [ "$(wc -l <planted.txt)" != 2 ]; then
    cat planted.txt
    report "not one line for $2 in $1"
  fi
}

must_fail engine/text/print.c '"oracle/oracle.h"'
must_fail engine/text/print.c '"../../oracle/oracle.h"'
must_fail engine/internal.h '"formats/formats.h"'
must_fail engine/uop.h '<z3.h>'
must_fail engine/uop.h '<jansson.h>'
must_fail formats/formats.h '"oracle/oracle.h"'
must_fail formats/formats.h '<z3.h>'
must_fail oracle/z3.c '"fuzz/gen.h"'
must_fail oracle/z3.c '"formats/formats.h"'
must_fail oracle/z3.c '"engine/internal.h"'
must_fail oracle/z3.c '<jansson.h>'
must_fail fuzz/gen.h '"cli/main.c"'
must_fail fuzz/gen.h '<z3.h>'
must_fail fuzz/gen.h '"engine/rulebook.h"'
must_fail fuzz/gen.h '"proofs/instance.h"'
must_fail fuzz/targets/a.c '"cli/main.c"'
must_fail fuzz/targets/a.c '"engine/rulebook.h"'
must_fail oracle/z3.c '"engine/rulebook.h"'
must_fail proofs/instance.h '"engine/internal.h"'
must_fail proofs/instance.h '"cli/main.c"'
must_fail proofs/instance.h '<jansson.h>'
must_fail cli/main.c '"engine/rulebook.h"'
must_fail cli/main.c '<z3.h>'
must_fail cli/main.c '"tests/engine/test_a.c"'
must_fail cli/main.c '"engine/internal.h"'
must_fail cli/main.c '"engine/nowhere.h"'
must_fail cli/main.c 'COMPUTED_HEADER'

echo "planted violations: $planted, failures: $failures"
[ "$failures" = 0 ]
