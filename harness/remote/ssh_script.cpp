// The shell scripts that run on a machine reached by ssh. POSIX shell, with setsid and mktemp.
#include <fmt/format.h>

#include "harness/remote/shell.h"
#include "harness/remote/ssh.h"

namespace warpmark::remote {
namespace {

// Runs in the folder there. `supervise`: starts command.sh when the file `go` appears; ends it and removes
// the folder when the file `end` appears or no file `lease` for LEASE seconds. `follow`: answers each line of
// its input, and makes these files.
constexpr const char* kThere = R"sh(
folder=$2
cd "$folder" || exit 1

supervise() {
  echo $$ >supervisor
  trap : TERM HUP INT
  idle=0 started=
  while [ ! -e end ] && [ $idle -lt LEASE ]; do
    if [ -z "$started" ] && [ -e go ]; then
      started=yes
      mkdir -p tmp
      TMPDIR=$folder/tmp sh ./command.sh </dev/null >log.txt 2>&1 &
    fi
    if rm lease 2>/dev/null; then idle=0; else idle=$((idle + 1)); fi
    sleep 1
  done
  kill -TERM -$$
  wait
  cd /
  tries=0
  while [ $tries -lt 30 ] && ! rm -rf "$folder" 2>/dev/null; do
    tries=$((tries + 1))
    sleep 1
  done
}

follow() {
  while read -r question; do
    if [ "$question" = end ]; then
      touch end 2>/dev/null
      for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -d "$folder" ] || break
        sleep 1
      done
      echo "warpmark: removed"
      return
    fi
    if ! touch lease 2>/dev/null || ! touch go 2>/dev/null; then
      echo "warpmark: gone"
      return
    fi
    if [ -e status ]; then
      echo "warpmark: ended"
    else
      echo "warpmark: running $(tail -n 1 log.txt 2>/dev/null)"
    fi
  done
}

$1
)sh";

// Removes folders of earlier runs whose supervisor is gone; makes a new one.
constexpr const char* kPrepare = R"sh(umask 077
base=${TMPDIR:-/tmp}
for old in "$base"/warpmark-there.*; do
  [ -d "$old" ] || continue
  process=$(cat "$old/supervisor" 2>/dev/null)
  if [ -n "$process" ]; then
    grep -qs there.sh "/proc/$process/cmdline" && continue
  else
    old_enough=$(find "$old" -maxdepth 0 -mmin +1 2>/dev/null)
    [ -n "$old_enough" ] || continue
  fi
  rm -rf "$old" 2>/dev/null
done
version=$(PROGRAM --version 2>/dev/null </dev/null) || { echo "warpmark: absent"; exit 0; }
echo "warpmark: version $version"
[ "$version" = VERSION ] || exit 0
folder=$(mktemp -d "$base/warpmark-there.XXXXXX") || exit 1
cat >"$folder/there.sh" <<'END_OF_THERE'
)sh";

constexpr const char* kStart = R"sh(END_OF_THERE
setsid sh "$folder/there.sh" supervise "$folder" </dev/null >/dev/null 2>&1 &
echo "warpmark: folder $folder"
)sh";

std::string with(std::string text, std::string_view name, std::string_view value) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
    text.replace(at, name.size(), value);
  return text;
}

}  // namespace

std::string prepare_script(const std::string& program, const std::string& version, int lease_seconds) {
  return with(with(kPrepare, "VERSION", shell_quoted(version)), "PROGRAM", program) +
         with(kThere, "LEASE", fmt::format("{}", lease_seconds)) + kStart;
}

}  // namespace warpmark::remote
