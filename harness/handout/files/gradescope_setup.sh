#!/usr/bin/env bash
# Gradescope runs this once, when it makes the image: installs Debian's packages and builds Warpmark.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
source=${WARPMARK_SOURCE:-/autograder/source}
apt-get update
apt-get install -y --no-install-recommends @PACKAGES@
# Students' code runs as this user, who owns nothing: neither the results nor the grader.
id grader >/dev/null 2>&1 || useradd --create-home --shell /usr/sbin/nologin grader
cmake -S "$source/warpmark" -B "$source/warpmark/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF ||
  { echo "Warpmark needs CMake 3.25 and g++ 12: choose Ubuntu 24.04 as the autograder's base image" >&2; exit 1; }
cmake --build "$source/warpmark/build" --target tool
