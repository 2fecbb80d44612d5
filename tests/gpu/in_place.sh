#!/bin/sh
# Grades kernels that change their input on this machine's GPU: all 8 points, although each timed call would spoil the
# next one's input.
#
#   tests/gpu/in_place.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
warpmark=$root/build/bin/warpmark-cli
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
"$warpmark" grade "$root/tests/gpu/in_place/reference" --assignment "$root/tests/gpu/in_place" --engine gpu \
  --out "$out" --quiet
