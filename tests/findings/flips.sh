#!/usr/bin/env bash
# How often the same program gets another verdict. By hand, from the top of the repository, after a build:
#
#   tests/findings/flips.sh [RUNS [JOBS [PROGRAM...]]]     by default 200, all cores, the programs beside this file
#
# Each program runs RUNS times as `warpmark simulate` does, JOBS at a time. A run's verdict is its exit status and its
# findings, each by kind and line; a run flips where that differs from what most runs of its program say. Prints every
# program that flips, and a last line: programs, runs, flips.
set -euo pipefail
runs=${1:-200}
jobs=${2:-$(nproc)}
shift $(($# < 2 ? $# : 2))
here=$(dirname "$0")
if [[ $# -eq 0 ]]; then set -- "$here"/{buggy,good}/*.cu "$here"/../further/findings/{buggy,good}/*.cu; fi
warpmark=$(realpath "${WARPMARK:-build/bin/warpmark-cli}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() {  # PROGRAM RUN
  local status=0 name
  name=$(basename "$1" .cu)
  "$warpmark" simulate --json "$work/$name.$2.json" "$1" >"$work/$name.$2.txt" 2>&1 || status=$?
  {
    printf 'exit %d' "$status"
    # The keys of a finding come in alphabetical order.
    awk '/"launches"/ { exit }
         /"kind"/ { kind = $2 }
         /"line"/ { line = $2 }
         /"severity": "error"/ { print " " kind line }' "$work/$name.$2.json" 2>/dev/null | tr -d '",\n'
    echo
  } >"$work/$name.$2.verdict"
  rm -f "$work/$name.$2.json" "$work/$name.$2.txt"
}
export -f verdict
export warpmark work

for program in "$@"; do
  for ((run = 1; run <= runs; ++run)); do printf '%s\0%s\0' "$program" "$run"; done
done | xargs -0 -n 2 -P "$jobs" bash -c 'verdict "$1" "$2"' _

flips=0
for program in "$@"; do
  name=$(basename "$program" .cu)
  different=$(cat "$work/$name".*.verdict | sort | uniq -c | sort -rn | tail -n +2)
  [[ -n $different ]] || continue
  flips=$((flips + $(awk '{ sum += $1 } END { print sum }' <<<"$different")))
  printf '%s\n%s\n' "$name" "$(cat "$work/$name".*.verdict | sort | uniq -c | sort -rn)"
done
echo "$# programs, $(($# * runs)) runs, $flips flips"
