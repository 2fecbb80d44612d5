#!/bin/sh
# Grades the reference by points.toml on this machine's GPU: v04 must earn 4 of 7 points, between two steps, and
# v13 all 7 without the bonus, because it is as fast as itself.
#
#   tests/gpu/points.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
"$root/warpmark" grade "$root/reference/reduction" --engine gpu --rubric "$root/tests/gpu/points.toml" \
  --out "$out" --quiet || [ $? -eq 1 ]
python3 - "$out/grade.json" <<'END'
import json, sys
checks = {check["id"]: check for check in json.load(open(sys.argv[1]))["checks"]}
failed = False
for version, verdict, points in (("v04_atomic_per_block", "failed", 4), ("v13_shared_grid_stride", "passed", 7)):
    check = checks[f"reduction.{version}.fast"]
    good = (check["verdict"], check["points"], check.get("bonus", 0)) == (verdict, points, 0)
    failed |= not good
    print(version, check["verdict"], check["points"], "as expected" if good else f"instead of {verdict} {points}")
sys.exit(failed)
END
