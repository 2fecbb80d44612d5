#!/usr/bin/env bash
# Installs the package of Warpmark where `warpmark` is missing or of another version; CI servers, the container and Gradescope
# run this. WARPMARK_PACKAGE names another package than the one written below: a .deb or a .tar.xz, a file or an address. An
# address begins with https:// or ends in #sha256=HEX. An archive is unpacked below WARPMARK_PREFIX (/usr/local for root, else
# ~/.local).
set -euo pipefail
folder=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
made_with='@PACKAGE@'
made_by='@VERSION@'
package=${WARPMARK_PACKAGE:-$made_with}
further=(@FURTHER_PACKAGES@)  # of Debian: what versions of @ASSIGNMENT@ use beside the package
prefix=${WARPMARK_PREFIX:-}
if [[ -z $prefix && $EUID -eq 0 ]]; then prefix=/usr/local; fi
prefix=${prefix:-${HOME:?}/.local}

say() { printf 'warpmark: %s\n' "$*" >&2; }
die() {
  [[ ${GITHUB_ACTIONS:-} != true ]] || printf '::error title=Warpmark::%s\n' "$*"
  say "$*"
  exit 2
}
as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; elif [[ -t 0 ]]; then sudo "$@"; else sudo -n "$@"; fi
}
can_install() {
  command -v apt-get >/dev/null && { announced_sudo || as_root true 2>/dev/null; }
}
# Where sudo would ask for a password: says what it will run, once, and waits for Enter.
announced_sudo() {
  if [[ $EUID -eq 0 || ! -t 0 || ! -t 2 || -n ${announced:-} ]] || sudo -n true 2>/dev/null; then return 1; fi
  printf 'warpmark: Debian packages are missing; installing them with:\n  sudo apt-get update\n  sudo %s %s %s\n' \
    "$apt_get" "$1" "${further[*]}" >&2
  printf 'Enter runs them, and sudo asks for your password; Ctrl-C stops. ' >&2
  read -r || die "nothing was installed"
  announced=yes
}
apt_get="apt-get install -y --no-install-recommends"
apt_install() {  # PACKAGES, which are needed: with the further ones that can be had; quiet
  local each
  if apt_get_install "$@" "${further[@]}"; then return; fi
  [[ $# -eq 0 ]] || apt_get_install "$@" || { tail -n 15 "$work/log" >&2; return 1; }
  for each in "${further[@]}"; do apt_get_install "$each" || say "continuing without $each, which cannot be installed"; done
}
apt_get_install() {
  as_root env DEBIAN_FRONTEND=noninteractive $apt_get "$@" >"$work/log" 2>&1
}

PATH=$PATH:$prefix/bin
# The version that is wanted: the one in the package's name, or that of the grader that made this folder.
wanted=$made_by
name=${package%%#*}
if [[ ${name##*/} =~ ^warpmark[-_]([0-9]+[.][0-9]+[.][0-9]+) ]]; then wanted=${BASH_REMATCH[1]}; fi
if command -v warpmark >/dev/null; then
  installed=$(warpmark --version 2>/dev/null || true)
  if [[ $installed == "$wanted" ]]; then exit 0; fi
  if [[ -z $package ]]; then
    say "Warpmark $installed is installed; this folder was made by $wanted, whose package is not named: continuing with $installed"
    exit 0
  fi
  say "Warpmark ${installed:-of an unknown version} is installed; installing ${wanted:-$package}"
fi
[[ -n $package ]] || die "no package of Warpmark is named: set the CI variable WARPMARK_PACKAGE to the address of its .deb or .tar.xz" \
  "(GitHub: Settings, Secrets and variables, Actions, Variables; GitLab: Settings, CI/CD, Variables), or make the handout with --package"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"  # apt reads packages as a user of its own
if can_install "$package"; then
  as_root apt-get update >"$work/log" 2>&1 || say "apt-get update failed; continuing with the present package lists"
fi

if [[ $package == http://* || $package == https://* ]]; then
  address=${package%%#*}
  name=${address%%\?*}
  only_https=(--proto '=https' --proto-redir '=https')
  case $package in
    *'#sha256='*) only_https=() ;;
    *'#'*) die "$package: only #sha256=HEX may follow the address" ;;
    http://*) die "$package: without #sha256=HEX an address begins with https://" ;;
  esac
  command -v curl >/dev/null || ! can_install "$package" || apt_get_install ca-certificates curl || die "curl cannot be installed"
  curl -fsSL --retry 3 "${only_https[@]}" -o "$work/${name##*/}" "$address" || die "$address cannot be fetched"
  if [[ $package == *'#sha256='* ]]; then
    printf '%s  %s\n' "${package##*#sha256=}" "$work/${name##*/}" | sha256sum --check --status ||
      die "$address is not the file that was named: its SHA-256 is $(sha256sum "$work/${name##*/}" | cut -d' ' -f1)"
  fi
  package=$work/${name##*/}
elif [[ $package != /* ]]; then
  package=$folder/$package
fi
[[ -r $package ]] || die "the package $package does not exist"

case $package in
  *.deb)
    can_install "$package" || die "$package needs apt-get and root rights; without them, name Warpmark's .tar.xz"
    apt_install "$package" || die "$package cannot be installed on this system; it supports Debian 12 and 13 and Ubuntu 24.04"
    ;;
  *.tar.xz)
    needed=(bubblewrap clang g++)
    if can_install "${needed[*]}"; then
      apt_install xz-utils "${needed[@]}" || die "these cannot be installed: ${needed[*]}"
    fi
    mkdir "$work/unpacked"
    tar -xJf "$package" -C "$work/unpacked" || die "$package cannot be unpacked (is xz-utils installed?)"
    program=("$work/unpacked"/*/bin/warpmark)
    [[ -x ${program[0]} ]] || die "$package holds no bin/warpmark"
    top=${program[0]%/bin/warpmark}
    mkdir -p "$prefix/lib" "$prefix/bin"
    rm -rf "${prefix:?}/lib/${top##*/}"
    mv "$top" "$prefix/lib/"
    ln -sfn "$prefix/lib/${top##*/}/bin/warpmark" "$prefix/bin/warpmark"
    for program in bwrap clang g++; do
      command -v "$program" >/dev/null || say "missing: $program; ask somebody to run: apt-get install ${needed[*]}"
    done
    ;;
  *) die "$package is not a Warpmark package, which is a .deb or a .tar.xz" ;;
esac
warpmark --version >/dev/null || die "Warpmark was installed, but does not start; the reason is above"
