#!/usr/bin/env bash
# Gradescope runs this once, when it makes the image: installs the package of Warpmark.
set -euo pipefail
source=${WARPMARK_SOURCE:-/autograder/source}
bash "$source/install" || { echo "choose Ubuntu 24.04 as the autograder's base image" >&2; exit 1; }
# Students' code runs as this user, who owns nothing: neither the results nor the grader.
id grader >/dev/null 2>&1 || useradd --create-home --shell /usr/sbin/nologin grader
