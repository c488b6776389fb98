# JSON lines of findings (`uproof check`, `uproof fuzz`) as text for people: one block a cause
# (rule, kind, frame), the smallest graph of each, with how often it was found.
#
#   awk -f scripts/findings.awk [-v max=N] < findings.jsonl

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
  if (s == "" || s == "null") return "any values"
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

function show(line,    kind) {
  kind = plain(value(line, "kind"))
  show_graph(plain(value(line, "reduced")))
  if (value(line, "witness") != "" && kind != "nontermination")
    printf "     at          %s\n", assignment(value(line, "witness"))
  if (kind == "value" || kind == "bounds")
    printf "     it is       %s\n     %s  %s\n", plain(value(line, "expected")),
           kind == "bounds" ? "claimed in" : "becomes   ", plain(value(line, "actual"))
  else if (plain(value(line, "actual")) != "null")
    printf "     result      %s\n", plain(value(line, "actual"))
}

/^\{/ {
  cause = plain(value($0, "rule")) "\t" plain(value($0, "kind")) "\t" plain(value($0, "frame"))
  nodes = value($0, "nodes") + 0
  if (!(cause in count)) order[++causes] = cause
  if (!(cause in count) || nodes < least[cause]) {
    least[cause] = nodes
    line_of[cause] = $0
  }
  count[cause]++
  findings++
}

END {
  shown = max == "" || max > causes ? causes : max
  for (i = 1; i <= shown; i++) {
    split(order[i], part, "\t")
    printf "\n %2d. rule %s: %s, frame %s, found %d time%s\n", i, part[1],
           part[2] == "value" ? "wrong value" : part[2] == "bounds" ? "wrong bounds" : part[2],
           part[3], count[order[i]], count[order[i]] == 1 ? "" : "s"
    show(line_of[order[i]])
  }
  if (shown < causes) printf "\n     ... and %d more causes\n", causes - shown
  printf "\n%d findings of %d causes\n", findings, causes
}
