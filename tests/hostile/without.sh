#!/bin/sh
# Shows that each defence is the one that holds: builds tests/hostile without it and tries the tricks that it holds.
#
#   tests/hostile/without.sh BUILD [NAME...]
#
# A defence is switched off by a patch, without/NAME.patch, of one file of the harness, which is compiled anew and
# linked in front of the libraries: no program that anybody runs has such a switch. `box` is no patch, but the
# sandbox's lower level. "a+b": both.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $("$build/tests/hostile_tests" --off)

mkdir -p "$build/without/programs"
ln -sfn ../bin "$build/without/bin"
link=$(cd "$build" && ninja -t commands tests/hostile_tests | tail -1)
status=0
# Compiles a file with the patches of `parts` that are about it; prints the object.
changed_object() {
  file=$1
  parts=$2
  stem=$build/without/$(echo "$parts" | tr ' ' +).$(basename "$file" .cpp)
  cp "$root/$file" "$stem.cpp"
  for part in $parts; do patch --quiet --force "$stem.cpp" "$root/tests/hostile/without/$part.patch"; done
  # In a unity build the file has no command of its own: the one that compiles it among others has its options.
  unity=$(find "$build" -path '*/Unity/*.cxx' -exec grep -lF "\"$root/$file\"" {} + | head -1)
  compile=$(cd "$build" && ninja -t commands tests/hostile_tests | grep -F -- "-c ${unity:-$root/$file}" | head -1)
  (cd "$build" && eval "$(echo "$compile" | sed "s| -MD -MT .* -c .*| -w -o '$stem.o' -c '$stem.cpp'|")")
  echo "$stem.o"
}

without() {
  name=$1
  parts=$(echo "$name" | tr + '\n' | grep -v '^box$' || true)
  objects=
  for file in $(for part in $parts; do sed -n 's|^--- a/||p' "$root/tests/hostile/without/$part.patch"; done | sort -u); do
    about=
    for part in $parts; do
      if grep -qF -- "--- a/$file" "$root/tests/hostile/without/$part.patch"; then about="$about $part"; fi
    done
    objects="$objects $(changed_object "$file" "${about# }")" || return 1
  done
  program=$build/without/programs/$name
  (cd "$build" && eval "$(echo "$link" | sed "s| -o tests/hostile_tests | -Wl,-z,muldefs -o '$program' $objects |")") || return 1
  "$program" --off "$name" --gtest_brief=1
}

for name in "$@"; do
  without "$name" || status=1
done
exit $status
