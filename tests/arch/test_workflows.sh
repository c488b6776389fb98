# The workflows are well formed, and what their steps call is there: scripts, make targets, presets,
# commands of uproof and their options. GitHub itself is not asked.
. "$SRC/tests/cli/lib.sh"
python3 -c 'import yaml' 2>/dev/null || {
  echo "no python3 with yaml here"
  exit 77
}
cat >check.py <<'P'
import json, os, re, subprocess, sys, yaml

src, program = sys.argv[1], sys.argv[2]
bad = []
presets = {p["name"] for p in json.load(open(f"{src}/CMakePresets.json"))["configurePresets"]}
makefile = set(re.findall(r"^([a-z-]+):", open(f"{src}/Makefile").read(), re.M))
helps = {}

def options(command):
    if command not in helps:
        r = subprocess.run([program, command, "--help"], capture_output=True, text=True)
        helps[command] = set(re.findall(r"--[a-z-]+", r.stdout)) if r.returncode == 0 else None
    return helps[command]

def check_line(where, line):
    def need(ok, what):
        if not ok: bad.append(f"{where}: {what}: {line.strip()}")
    for path in re.findall(r"(?<![\w/.])((?:scripts|\.ci|\.clusterfuzzlite)/[\w./-]+)", line):
        need(os.access(f"{src}/{path}", os.X_OK), f"no script {path}")
    for target in re.findall(r"\bmake ([a-z-]+)", line):
        need(target in makefile, f"no make target {target}")
    for preset in re.findall(r"--preset ([\w-]+)", line):
        need(preset in presets or preset == "value", f"no preset {preset}")
    for command, rest in re.findall(r"build/uproof ([a-z]+)([^|;&]*)", line):
        known = options(command)
        need(known is not None, f"no command {command}")
        for option in re.findall(r"--[a-z-]+", rest):
            need(known and option in known, f"{command} has no {option}")

def check_step(where, job, step, default):
    kinds = [k for k in ("uses", "run") if k in step]
    if len(kinds) != 1: bad.append(f"{where}: a step has `uses` or `run`: {step}")
    if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[\w.-]+", step["uses"]):
        bad.append(f"{where}: {step['uses']}: an action has an owner, a name and a version")
    for name in re.findall(r"matrix\.([\w-]+)", str(step)):
        m = job.get("strategy", {}).get("matrix", {})
        if name not in m and not all(name in row for row in m.get("include", [{}])):
            bad.append(f"{where}: matrix.{name} is not set")
    script = step.get("run", "")
    shell = re.sub(r"\$\{\{.*?\}\}", "value", script)
    if subprocess.run(["bash", "-n"], input=shell, text=True, capture_output=True).returncode:
        bad.append(f"{where}: bash can't read: {script}")
    # with the shell that is used unless another is asked for, the status of a pipe is its last command's
    if re.search(r"(?<!\|)\|(?!\|)", shell) and step.get("shell", default) != "bash":
        bad.append(f"{where}: a failure before a pipe would be lost: {script}")
    for line in shell.splitlines(): check_line(where, line)

def check(path):
    try: w = yaml.safe_load(open(path))
    except yaml.YAMLError as e: return bad.append(f"{path}: {e}")
    # YAML reads `on` as a truth
    for key, there in (("name", "name" in w), ("on", True in w), ("jobs", bool(w.get("jobs")))):
        if not there: bad.append(f"{path}: no `{key}`")
    shell = w.get("defaults", {}).get("run", {}).get("shell")
    for name, job in (w.get("jobs") or {}).items():
        where = f"{os.path.basename(path)}: {name}"
        if "runs-on" not in job or not job.get("steps"): bad.append(f"{where}: no runs-on or steps")
        needs = job.get("needs", [])
        for other in [needs] if isinstance(needs, str) else needs:
            if other not in w["jobs"]: bad.append(f"{where}: needs {other}, which is no job")
        for step in job.get("steps") or []: check_step(where, job, step, shell)

for path in sys.argv[3:]: check(path)
print("\n".join(bad))
sys.exit(bool(bad))
P
python3 check.py "$SRC" "$UPROOF" "$SRC"/.github/workflows/*.yml >out || fail "$(cat out)"
checks=$((checks + 1))

# the check sees each kind of slip
cat >bad.yml <<'Y'
name: bad
on: [push]
jobs:
  one:
    runs-on: ubuntu-latest
    needs: three
    steps:
      - uses: actions/checkout
      - run: scripts/no-such-script.sh
      - run: make no-such-target
      - run: cmake --preset no-such-preset
      - run: build/uproof fuzz --no-such-option
      - run: build/uproof no
      - run: make coverage | tee log
      - run: if true; then
      - run: echo ${{ matrix.no }}
      - name: nothing
  two:
    steps: []
Y
python3 check.py "$SRC" "$UPROOF" bad.yml >out && fail "bad.yml passed"
command_line="check.py bad.yml"
for slip in "no script scripts/no-such" "no make target no-such" "no preset no-such" \
  "fuzz has no --no-such-option" "no command no" "before a pipe" "bash can't read" "matrix.no is not set" \
  "\`uses\` or \`run\`" "needs three" "no runs-on" "an owner, a name and a version"; do
  has out "$slip"
done
lines out 12

# OSS-Fuzz's description of the project
python3 - "$SRC" <<'P' || fail ".clusterfuzzlite/project.yaml"
import sys, yaml
p = yaml.safe_load(open(sys.argv[1] + "/.clusterfuzzlite/project.yaml"))
assert p["language"] == "c" and set(p["sanitizers"]) <= {"address", "undefined", "memory"}
assert set(p["fuzzing_engines"]) <= {"libfuzzer", "afl", "honggfuzz"}
P
bash -n "$SRC/.clusterfuzzlite/build.sh" && bash -n "$SRC/.ci/run" && bash -n "$SRC/.ci/fuzz" || fail "bash -n"
finish
