#!/usr/bin/env bash
# How steady the verdicts on speed are, on this machine's GPU. By hand, from the top of the repository:
#
#   tests/gpu/verdicts.sh [OUT [STAGE...]]     stages: calibrate grade quiet neighbour, by default all
#
# calibrate   ./warpmark calibrate, which `grade` then uses
# grade       the whole reference twice: with an empty cache of libraries, then with a full one
# quiet       one version, graded again and again with thresholds 10 % below and 10 % above its speedup
# neighbour   the same while another process streams memory
#
# COUNT gradings a threshold at most (100), SECONDS_A_STAGE for the last two (200). Every grade is kept in OUT.
set -u
out=${1:-$(mktemp -d)}
shift || true
stages=${*:-calibrate grade quiet neighbour}
version=v12_shared_one_pass
warpmark=build/bin/warpmark-cli
count=${COUNT:-100}
budget=${SECONDS_A_STAGE:-200}
mkdir -p "$out"

wants() { [[ " $stages " == *" $1 "* ]]; }
seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f", b - a }'; }

slug=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 | tr '[:upper:]' '[:lower:]' |
  sed 's/[^a-z0-9]\+/-/g; s/-$//')
thresholds=harness/assignments/reduction/thresholds/$slug.toml

if wants calibrate; then
  start=$(seconds)
  "$warpmark" calibrate >"$out/calibrate.txt" 2>"$out/calibrate.log" || tail -5 "$out/calibrate.log"
  echo "calibrate: $(since "$start") s"
  cat "$out/calibrate.txt"
fi
[[ -e $thresholds ]] || { echo "$thresholds is missing: run the stage calibrate first"; exit 1; }
cp "$thresholds" "$out/"

if wants grade; then
  rm -rf build/cache
  for round in cold warm; do
    start=$(seconds)
    "$warpmark" grade reference/reduction --out "$out/grade_$round" >"$out/grade_$round.txt" 2>"$out/grade_$round.log"
    echo "grade, $round cache: exit $?, $(since "$start") s"
  done
  grep -E '^(passed|[0-9]+ of)|fast' "$out/grade_warm.txt" | head -30
fi

size=$(sed -n 's/^size = //p' "$thresholds")
measured=$(sed -n "/$version/{n;s/measured = \[\(.*\), \(.*\)\]/\1 \2/p}" "$thresholds" |
  awk '{ printf "%.4f", sqrt($1 * $2) }')

# A rubric of one version with a threshold of its own.
rubric() {
  cat <<END
title = "One version"
contract = "reduction.h"
types = ["int"]
naive = "v01_atomic_per_element"
[points]
builds = 0
fast = 1
[correct]
sizes = [0]
[fast]
type = "int"
size = $size
calibrate = false
[[version]]
name = "$version"
checks = ["builds", "fast"]
speedup = $(awk -v measured="$measured" -v factor="$1" 'BEGIN { printf "%.4f", measured * factor }')
END
}
rubric 0.9090909 >"$out/above.toml"   # the version is 10 % above this threshold,
rubric 1.1111111 >"$out/below.toml"   # and 10 % below this one

# Grades until the time is up; prints how often each verdict came.
series() {
  local stage=$1 status start passed failed noise other where i
  declare -A tally=()
  start=$(seconds)
  for ((i = 1; i <= count; i++)); do
    [[ $(since "$start" | cut -d. -f1) -lt $budget ]] || break
    for where in above below; do
      "$warpmark" grade reference/reduction --assignment reduction --engine gpu --only "$version.fast" \
        --rubric "$out/$where.toml" --out "$out/$stage/$where$i" >"$out/last.txt" 2>&1
      status=$?
      tally[$where.$status]=$((${tally[$where.$status]:-0} + 1))
      rm -f "$out/$stage/$where$i"/{index.html,junit.xml}
    done
  done
  for where in above below; do
    passed=${tally[$where.0]:-0} failed=${tally[$where.1]:-0} noise=${tally[$where.3]:-0} other=${tally[$where.2]:-0}
    printf '%-10s 10 %% %s its threshold: %3d passed %3d failed %3d inconclusive %3d unusable\n' \
      "$stage" "$where" "$passed" "$failed" "$noise" "$other"
  done
  echo "$stage: $(since "$start") s in all"
}

if wants quiet; then series quiet; fi
if wants neighbour; then
  nvcc -std=c++17 -arch=native -o "$out/stream_memory" tests/gpu/neighbour.cu || exit 1
  "$out/stream_memory" >"$out/stream_memory.txt" &
  neighbour=$!
  trap 'kill "$neighbour"' EXIT
  until grep -q running "$out/stream_memory.txt"; do kill -0 "$neighbour" || exit 1; sleep 0.1; done
  series neighbour
fi
rm -f "$out/stream_memory"
