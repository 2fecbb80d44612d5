#!/bin/sh
# Grades by points.toml on this machine's GPU, and prints a line with PASS or FAIL for each:
#   the reference: v04 must earn 4 of 7 points, between two steps, and v13 all 7 without the bonus, because it is as
#   fast as itself
#   a submission that calls the course's kernels where it finds them in its process (borrowed.h): v04 finds the naive
#   kernel, which is given to students, and earns the 2 points of half its speed; v13 must not find the course's
#   solution and earns nothing
#
#   tests/gpu/points.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
warpmark=$root/build/bin/warpmark-cli
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT

grade() {
  "$warpmark" grade "$1" --assignment reduction --engine gpu --rubric "$root/tests/gpu/points.toml" \
    --out "$2" --quiet || [ $? -eq 1 ]
}

mkdir "$out/borrows"
cp "$root/reference/reduction/v01_atomic_per_element.cu" "$root/reference/reduction/atomic_add.h" \
  "$root/tests/gpu/borrowed.h" "$out/borrows"
borrow() {
  printf '#define VERSION %s\n#define WANTED "%s"\n#include "borrowed.h"\n' "$1" "$2" >"$out/borrows/$1.cu"
}
borrow v04_atomic_per_block v01_atomic_per_element
borrow v13_shared_grid_stride v13_shared_grid_stride

grade "$root/reference/reduction" "$out/reference.out"
grade "$out/borrows" "$out/borrows.out"
python3 - "$out" <<'END'
import json, sys
failed = False
for submission, version, verdict, points in (
    ("reference", "v04_atomic_per_block", "failed", 4),
    ("reference", "v13_shared_grid_stride", "passed", 7),
    ("borrows", "v04_atomic_per_block", "failed", 2),
    ("borrows", "v13_shared_grid_stride", "failed", 0),
):
    checks = {check["id"]: check for check in json.load(open(f"{sys.argv[1]}/{submission}.out/grade.json"))["checks"]}
    check = checks[f"reduction.{version}.fast"]
    found = (check["verdict"], check["points"], check.get("bonus", 0))
    good = found == (verdict, points, 0)
    failed |= not good
    print("PASS" if good else "FAIL", submission, version, *found[:2], "" if good else f"instead of {verdict} {points}",
          check.get("cause", {}).get("message", ""))
sys.exit(failed)
END
