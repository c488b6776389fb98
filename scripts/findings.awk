# JSON lines of findings (`uproof check`, `uproof fuzz`) as text for people: one block a cause
# (rule, kind, frame), the smallest graph of each, with how often it was found.
#
#   awk -f scripts/findings.awk [-v max=N] [-v counts=FILE] < findings.jsonl
#
# `fuzz` prints the first finding of each cause only; counts names the file with its standard error,
# where it says how often each was found.

# The raw value of a key of the outermost object of a JSON line; "" when it has none.
function value(line, key,    i, c, n, depth, in_string, start, name, at_key) {
  n = length(line)
  depth = 0
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1)
    if (in_string) {
      if (c == "\\") i++
      else if (c == "\"") {
        in_string = 0
        if (depth == 1 && at_key) name = substr(line, start + 1, i - start - 1)
      }
    } else if (c == "\"") {
      in_string = 1
      start = i
    } else if (c == "{" || c == "[") {
      depth++
      if (depth == 1) at_key = 1
    } else if (c == ":" && depth == 1) {
      at_key = 0
      value_start = i + 1
    } else if ((c == "," && depth == 1) || ((c == "}" || c == "]") && --depth == 0)) {
      if (name == key) return trim(substr(line, value_start, i - value_start))
      name = ""
      at_key = 1
    }
  }
  return ""
}

function trim(s) {
  gsub(/^[ \t]+|[ \t]+$/, "", s)
  return s
}

# A JSON string without its quotes and escapes; other values as they are.
function plain(s) {
  if (substr(s, 1, 1) != "\"") return s
  s = substr(s, 2, length(s) - 2)
  gsub(/\\n/, "\n", s)
  gsub(/\\t/, " ", s)
  gsub(/\\"/, "\"", s)
  gsub(/\\\\/, "\\", s)
  return s
}

function assignment(s) {
  gsub(/[{}"]/, "", s)
  gsub(/:/, " = ", s)
  gsub(/,/, ", ", s)
  return s
}

# The reduced graph: its ranges (the `in` lines) and its expression apart.
function show_graph(text,    n, part, i, ranges, expr) {
  n = split(text, part, "\n")
  for (i = 1; i <= n; i++) {
    if (trim(part[i]) == "") continue
    if (part[i] ~ / in \[/) ranges = ranges (ranges == "" ? "" : ", ") trim(part[i])
    else expr = expr (expr == "" ? "" : " ") trim(part[i])
  }
  printf "     graph       %s\n", expr
  if (ranges != "") printf "     where       %s\n", ranges
}

# "[0,\"18446744073709551615\"]": integers beyond 64 bits are strings in JSON.
function number(s) {
  gsub(/"/, "", s)
  gsub(/,/, ", ", s)
  return s
}

function show(line,    kind) {
  kind = plain(value(line, "kind"))
  show_graph(plain(value(line, "reduced")))
  if (value(line, "witness") ~ /:/)
    printf "     at          %s\n", assignment(value(line, "witness"))
  if (kind == "value" || kind == "bounds")
    printf "     it is       %s\n     %s  %s\n", number(value(line, "expected")),
           kind == "bounds" ? "claimed in" : "becomes   ", number(value(line, "actual"))
  else if (plain(value(line, "actual")) != "null")
    printf "     result      %s\n", plain(value(line, "actual"))
}

# "fuzz:  392 x bounds in ideal, bound_mod_pos (first: case 30)"
function read_counts(file,    line, part) {
  while ((getline line < file) > 0) {
    if (line !~ /^fuzz: +[0-9]+ x [a-z]+ in [a-z]+, /) continue
    gsub(/,/, "", line)
    split(line, part, " ")
    sub(/-.*/, "", part[7]) # "div_folding-IDIV-positive": the rule
    told[part[7] "\t" part[4] "\t" part[6]] += part[2]
  }
  close(file)
}

BEGIN { if (counts != "") read_counts(counts) }

/^\{/ {
  cause = plain(value($0, "rule")) "\t" plain(value($0, "kind")) "\t" plain(value($0, "frame"))
  nodes = value($0, "node_count") + 0
  if (!(cause in count)) order[++causes] = cause
  if (!(cause in count) || nodes < least[cause]) {
    least[cause] = nodes
    line_of[cause] = $0
  }
  count[cause]++
}

END {
  shown = max == "" || max > causes ? causes : max
  for (i = 1; i <= shown; i++) {
    split(order[i], part, "\t")
    times = order[i] in told ? told[order[i]] : count[order[i]]
    printf "\n %2d. rule %s: %s, frame %s, found %d time%s\n", i, part[1],
           part[2] == "value" ? "wrong value" : part[2] == "bounds" ? "wrong bounds" : part[2],
           part[3], times, times == 1 ? "" : "s"
    show(line_of[order[i]])
  }
  if (shown < causes) printf "\n     ... and %d more causes\n", causes - shown
  printf "\n%d cause%s\n", causes, causes == 1 ? "" : "s"
}
