#!/usr/bin/env bash
# What works in the box on this machine's GPU: compilers, the worker, CUPTI. By hand, from the top of the
# repository, after ./warpmark doctor has built it:
#
#   tests/gpu/box.sh [OUT]
#
# As the user that starts it and, if that is root, as an ordinary one, too. A line for each step: what it was,
# its exit status, its time. The last line says whether all of them worked.
set -u
out=${1:-$(mktemp -d)}
mkdir -p "$out"
warpmark=$PWD/build/bin/warpmark-cli
version=v07_tree_sequential
failed=0

# NAME EXPECTED_STATUS COMMAND...
step() {
  local name=$1 expected=$2 start status
  shift 2
  start=$(date +%s.%N)
  "$@" >"$out/$name.txt" 2>&1
  status=$?
  printf '%-28s exit %d, %s s\n' "$name" "$status" "$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')"
  if [[ $status -ne $expected ]]; then
    failed=1
    tail -n 12 "$out/$name.txt" | sed 's/^/    /'
  fi
}

# USER COMMAND-PREFIX...
all_steps() {
  local user=$1 level check
  shift
  step "$user.doctor" 0 "$@" "$warpmark" doctor
  grep -E 'sandbox|observer|GPU|gpu' "$out/$user.doctor.txt" | sed 's/^/    /'
  mkdir -p "$out/$user"
  chmod a+rwx "$out/$user"
  for level in process box; do
    # upload_once is decided by what CUPTI records; fast by times on the GPU; clean by the simulator.
    for check in reduction.upload_once "$version.correct" "$version.fast" "$version.clean"; do
      step "$user.$level.${check##*.}" 0 "$@" "$warpmark" grade reference/reduction --sandbox "$level" \
        --only "*$check" --out "$out/$user"
      grep -E '^checks:' "$out/$user.$level.${check##*.}.txt" | sed 's/^/    /'
    done
  done
}

bwrap --version
ls -l /dev/nvidia* 2>/dev/null
ldconfig -p | grep -E 'libcuda\.so|libcupti' | head -4
all_steps "$(id -un)"
if [[ $EUID -eq 0 ]]; then
  # A cache, a place for the results and a lock file of its own.
  chmod -R a+rX .
  chmod a+rwx "$out" build
  rm -rf build/cache
  all_steps nobody setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$out"
  rm -rf build/cache
fi
step tests 0 build/tests/submission_box_tests
grep -E '^\[  (PASSED|FAILED|SKIPPED)' "$out/tests.txt" | head -5 | sed 's/^/    /'
if [[ $failed -eq 0 ]]; then echo "all of it works in the box"; else echo "something failed; the outputs: $out"; fi
exit "$failed"
