#!/bin/sh
# Grades whole programs natively on this machine's GPU, and prints a line with PASS or FAIL for each check:
#   the solutions of tests/gpu/sums: right on the GPU, clean on the simulator; p02 is more than 1.3 times as fast as the
#   naive p01 (2 of 4 points), p03 as fast as itself (4 of 4)
#   p02 with p01's kernel: as fast as p01, so no points for `fast`
#   p02 that is wrong for the large input alone, which only the GPU runs
#   p02 that adds on the CPU and launches nothing
#   p02 that writes past its allocation: the simulator finds it
#
#   tests/gpu/programs.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
sums=$root/tests/gpu/sums

grade() {  # submission
  "$root/build/bin/warpmark-cli" grade "$1" --assignment "$sums" --engine gpu --out "$1.out" --quiet || [ $? -eq 1 ] || [ $? -eq 3 ]
}
p02_with() {  # name, sed command
  mkdir "$out/$1"
  sed "$2" "$sums/reference/p02_shuffle.cu" >"$out/$1/p02_shuffle.cu"
  cmp -s "$sums/reference/p02_shuffle.cu" "$out/$1/p02_shuffle.cu" && { echo "FAIL $1: nothing was changed"; exit 1; }
  return 0
}

cp -r "$sums/reference" "$out/reference"
mkdir "$out/naive"
sed 's/p01/p02/' "$sums/reference/p01_atomic.cu" >"$out/naive/p02_shuffle.cu"
echo >>"$out/naive/p02_shuffle.cu"
p02_with wrong_large 's/std::printf("%u\\n", result);/std::printf("%u\\n", n > 1000000 ? result + 1 : result);/'
p02_with on_the_cpu 's/add<<<blocks, 256>>>(values, n, sum);/(void)blocks;/; s/fill<<<.*/\/\/ nothing is launched/; s/std::printf("%u\\n", result);/result = 0; for (int i = 0; i < n; ++i) result += i % 7; std::printf("%u\\n", result);/'
p02_with past_the_end 's/if (i < n) values\[i\] = i % 7;/if (i <= n) values[i] = i % 7;/'
for submission in reference naive wrong_large on_the_cpu past_the_end; do grade "$out/$submission"; done

python3 - "$out" <<'END'
import json, sys
failed = False
def expect(submission, version, check, verdict, points=None, engine=None, kind=None):
    global failed
    try:
        grade = json.load(open(f"{sys.argv[1]}/{submission}.out/grade.json"))
        found = next(c for c in grade["checks"] if c["version"] == version and c["check"] == check)
    except (OSError, StopIteration) as error:
        print("FAIL", submission, version, check, "is not in a grade:", repr(error))
        failed = True
        return
    cause = found.get("cause", {})
    good = (found["verdict"] == verdict and points in (None, found["points"]) and engine in (None, found["engine"])
            and kind in (None, cause.get("kind")))
    failed |= not good
    print("PASS" if good else "FAIL", submission, version, check, found["engine"], found["verdict"], found["points"],
          "" if good else f"instead of {engine or ''} {verdict} {'' if points is None else points} {kind or ''}",
          cause.get("kind", ""), cause.get("message", ""))
for version in ("p01_atomic", "p02_shuffle", "p03_shuffle"):
    expect("reference", version, "builds", "passed", 1, "gpu")
    expect("reference", version, "correct", "passed", 4, "gpu")
    expect("reference", version, "clean", "passed", 2, "simulator")
expect("reference", "p02_shuffle", "fast", "failed", 2, "gpu", "too_slow")
expect("reference", "p03_shuffle", "fast", "passed", 4, "gpu")
expect("naive", "p02_shuffle", "correct", "passed", 4, "gpu")
expect("naive", "p02_shuffle", "fast", "failed", 0, "gpu", "too_slow")
expect("wrong_large", "p02_shuffle", "correct", "failed", 0, "gpu", "wrong_output")
expect("wrong_large", "p02_shuffle", "fast", "not_run", 0, None, "depends")
expect("on_the_cpu", "p02_shuffle", "correct", "failed", 0, "gpu", "no_kernel")
expect("past_the_end", "p02_shuffle", "clean", "failed", 0, "simulator", "out_of_bounds")
for measured in json.load(open(f"{sys.argv[1]}/reference.out/grade.json"))["measurements"]:
    print("     ", measured["version"], f"{measured['speedup']:.2f} times,", f"{measured['student_median_ms']:.0f} ms")
sys.exit(failed)
END
