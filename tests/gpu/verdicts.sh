#!/usr/bin/env bash
# How steady the verdicts on speed are, on this machine's GPU. By hand, from the top of the repository:
#
#   tests/gpu/verdicts.sh [OUT [STAGE...]]     stages: calibrate grade quiet neighbour, by default all
#
# calibrate   ./warpmark calibrate, which `grade` then uses
# grade       the whole reference twice: with an empty cache of libraries, then with a full one
# quiet       one version, judged again and again with thresholds 10 % below and 10 % above its speedup
# neighbour   the same while another process streams memory
#
# COUNT verdicts a threshold in each of the last two (100).
set -u
out=${1:-$(mktemp -d)}
shift || true
stages=${*:-calibrate grade quiet neighbour}
version=v12_shared_one_pass
warpmark=build/bin/warpmark-cli
mkdir -p "$out"

wants() { [[ " $stages " == *" $1 "* ]]; }
seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f", b - a }'; }

if wants calibrate; then
  start=$(seconds)
  "$warpmark" calibrate >"$out/calibrate.txt" 2>"$out/calibrate.log" || tail -5 "$out/calibrate.log"
  echo "calibrate: $(since "$start") s"
  cat "$out/calibrate.txt"
fi

if wants grade; then
  rm -rf build/cache
  for round in cold warm; do
    start=$(seconds)
    "$warpmark" grade reference/reduction --out "$out/grade_$round" >"$out/grade_$round.txt" 2>"$out/grade_$round.log"
    echo "grade, $round cache: exit $?, $(since "$start") s"
  done
  tail -4 "$out/grade_warm.txt"
fi

if wants quiet; then
  echo "quiet:"
  build/tests/verdict_series "$version" "${COUNT:-100}" || exit 1
fi
if wants neighbour; then
  nvcc -std=c++17 -arch=native -o "$out/stream_memory" tests/gpu/neighbour.cu || exit 1
  "$out/stream_memory" >"$out/stream_memory.txt" &
  neighbour=$!
  trap 'kill "$neighbour"; rm -f "$out/stream_memory"' EXIT
  until grep -q running "$out/stream_memory.txt"; do kill -0 "$neighbour" || exit 1; sleep 0.1; done
  echo "beside another process that streams memory:"
  build/tests/verdict_series "$version" "${COUNT:-100}"
fi
