#!/bin/sh
# Runs every fuzz target for so many seconds, side by side, with as many processes as there are cores in all; prints the
# executions of each and of all. What a target finds lies in FOUND afterwards, and what crashed it.
#
#   tests/fuzz/long_run.sh PROGRAMS SECONDS [FOUND]
#
# Needs nothing of the source tree but this folder, and no compiler: the programs hold libFuzzer and libstdc++.
set -eu
programs=$(cd "$1" && pwd)
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
found=${3:-$PWD/fuzz.found}
targets=$(cd "$here" && ls -d */ | tr -d /)
count=$(echo "$targets" | wc -w)
workers=$(( ($(nproc) + count - 1) / count ))
for target in $targets; do
  [ -x "$programs/${target}_fuzz" ] || { echo "no $programs/${target}_fuzz: build it with clang++" >&2; exit 2; }
  mkdir -p "$found/$target"
  for worker in $(seq "$workers"); do
    log=$found/$target.$worker.log
    (cd "$found" && "$programs/${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=1024 \
      -detect_leaks=0 -reload=1 -print_final_stats=1 -artifact_prefix="$found/$target." \
      "$found/$target" "$here/$target/corpus" >"$log" 2>&1 || echo "$target: failed, see $log") &
  done
done
wait
total=0
for target in $targets; do
  executions=$(cat "$found/$target".*.log | awk '/stat::number_of_executed_units/ {sum += $2} END {printf "%.0f", sum}')
  echo "$target: $executions executions"
  total=$((total + executions))
done
echo "all: $total executions in $seconds s"
ls "$found" | grep -E 'crash|timeout|oom|leak' && exit 1
exit 0
