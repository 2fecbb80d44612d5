#!/usr/bin/env bash
# What CI servers run: .warpmark/grade github|gitlab [ENGINE]. Installs Warpmark where it is missing, and grades.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
bash .warpmark/install
PATH=$PATH:${WARPMARK_PREFIX:-/usr/local}/bin:${HOME:-/root}/.local/bin
exec warpmark grade @SUBMISSION@ --assignment @ASSIGNMENT_OPTION@@RUBRIC_OPTION@ --engine "${2:-simulator}" --ci "${1:-github}" --out warpmark-out/ci
