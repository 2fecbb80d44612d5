#!/usr/bin/env bash
# Runs Warpmark from the sources beside it; `./warpmark --help` lists the commands.
exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.warpmark/warpmark" "$@"
