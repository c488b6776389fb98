# A user's rule may hand anything to a native function: the answer is a result or a named failure,
# never an abort of the program.
. "$SRC/tests/cli/lib.sh"

printf 'x in [0,9], y in [-3,3]\nx//0 + x%%0 + (x+1)*y + x*0 + max(x,y)\n' >graph
natives=$(sed -n 's/^NATIVE(\([a-z0-9_]*\), \([0-9]\),.*/\1:\2/p' "$SRC/engine/natives.def")
[ "$(wc -l <<<"$natives")" -gt 30 ] || fail "natives.def was not read"

# try PATTERN NATIVE ARGUMENT... (as many as the native takes)
try() {
  local pattern=$1 name=${2%:*} count=${2#*:} args
  shift 2
  args=$(printf ', %s' "${@:1:count}")
  printf 'ruleset symbolic\nrule a : %s -> native %s(%s)\n' "$pattern" "$name" "${args#, }" >rules
  run simplify --profile v0.11.0 --limit-steps 200 --rules rules graph
  checks=$((checks + 1))
  case $status in
    0 | 1 | 3) ;;
    *) fail "$name(${args#, }) on $pattern: exit status $status: $(head -c 200 err)" ;;
  esac
}

for native in $natives; do
  try 'f:ALU(x, y)' "$native" f x y f
  try 'f:ALU(x, k)' "$native" f x k k
  try 'f:ALU(x, y)' "$native" x y x f
  try 'f:ALU(x, k)' "$native" x k k x
  try 'f:ALU(x, k)' "$native" k x f k
done

finish
