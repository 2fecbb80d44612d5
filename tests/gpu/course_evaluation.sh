#!/usr/bin/env bash
# Everything that the course's figures are made of, on this machine's GPUs. By hand, from the top of the repository, after a
# build:
#
#   tests/gpu/course_evaluation.sh [OUT [ASSIGNMENT...]]     by default all but reduction and warmup
#
# For each: a grade, the ladder with its two pages, the thresholds. Into OUT: NAME/grade, NAME/ladder (ladder.json, index.html,
# evaluation.html), NAME/thresholds.toml, and what was printed. STAGES ("grade ladder calibrate") says which; SECONDS_A_LADDER
# (15) and RUNS (2) of a calibration bound the time: grades and ladders about five minutes on an H200, calibrations as many.
# Afterwards: ./warpmark ladder --readme OUT/NAME/ladder/ladder.json writes the table into the assignment's README.
set -u
out=${1:-$(mktemp -d)}
shift || true
assignments=${*:-knn matmul sort pi extremes segmented grids}
warpmark=${WARPMARK:-build/bin/warpmark-cli}
ladder_seconds=${SECONDS_A_LADDER:-15}
runs=${RUNS:-2}
stages=${STAGES:-grade ladder calibrate}
mkdir -p "$out"

# A step and what it prints; no step takes all of the time.
step() {  # LOG LIMIT COMMAND...
  local log=$1 limit=$2 start=$EPOCHREALTIME status=0
  shift 2
  timeout "$limit" "$@" >"$log" 2>&1 || status=$?
  awk -v what="$(basename "$(dirname "$log")") $(basename "$log" .txt)" -v status=$status -v a="$start" -v b="$EPOCHREALTIME" \
    'BEGIN { printf "%-28s exit %3d  %6.1f s\n", what, status, b - a }'
}

wants() { [[ " $stages " == *" $1 "* ]]; }

for name in $assignments; do
  folder=$out/$name
  mkdir -p "$folder/ladder"
  if wants grade; then
    step "$folder/grade.txt" 90 "$warpmark" grade "reference/$name" --out "$folder/grade"
    grep -E '^(score|checks):' "$folder/grade.txt"
  fi
  if wants ladder; then
    json=$folder/ladder/ladder.json
    step "$folder/ladder.txt" 90 "$warpmark" ladder --assignment "$name" --seconds "$ladder_seconds" --out "$folder/ladder"
    step "$folder/evaluation.txt" 10 "$warpmark" ladder --assignment "$name" --evaluation --show "$json" --out "$folder/ladder"
  fi
  if wants calibrate; then
    # At the size that the rubric times: the ratios of knn and segmented depend on it.
    size=$(sed -n '/^\[fast\]/,/^\[[^f]/s/^size = \[\{0,1\}\([0-9, ]*[0-9]\).*/\1/p' "harness/assignments/$name"/{assignment,rubric}.toml 2> /dev/null | tr -d " ")
    step "$folder/calibrate.txt" 120 "$warpmark" calibrate --assignment "$name" --runs "$runs" --size "$size" --out "$folder/thresholds.toml"
  fi
done
