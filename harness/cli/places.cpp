#include "harness/cli/places.h"

#include <cstdlib>
#include <system_error>

#include <unistd.h>

#include "harness/base/file.h"
#include "harness/judge/selection.h"
#include "harness/sandbox/process.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

// Returns true if the running program is in a clone's build tree that this user may write to.
bool owns_build_tree(const judge::Installation& installation) {
  const fs::path tree = installation.programs.parent_path();
  std::error_code error;
  return fs::exists(tree / "CMakeCache.txt", error) && ::access(tree.c_str(), W_OK) == 0;
}

}  // namespace

judge::Installation installation_at(const fs::path& programs, const fs::path& source) {
  const fs::path prefix = programs.parent_path();
  std::error_code error;
  const bool installed = fs::is_directory(prefix / "harness" / "assignments", error) &&
                         !fs::exists(prefix / "CMakeCache.txt", error);
  return {installed ? prefix : source, programs, prefix / "lib"};
}

fs::path cache_folder(const judge::Installation& installation, const Variable& variable) {
  if (owns_build_tree(installation)) return installation.programs.parent_path() / "cache";
  // Relative paths in XDG_CACHE_HOME are ignored, as the XDG Base Directory Specification requires.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "warpmark";
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / "warpmark";
  return fs::temp_directory_path() / ("warpmark-cache-" + std::to_string(::getuid()));
}

fs::path cache_folder(const judge::Installation& installation) {
  return cache_folder(installation, [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  });
}

fs::path made_workers(const judge::Installation& installation, const std::string& version) {
  const fs::path workers = cache_folder(installation) / "workers";
  return workers / sha256(version + "\n" + installation.programs.string()).substr(0, 12);
}

std::string program_name(const judge::Installation& installation) {
  std::error_code error;
  const fs::path& root = installation.root;
  if (fs::exists(root / "warpmark", error)) return judge::program_from(fs::current_path(), root / "warpmark");
  const fs::path program = installation.programs / "warpmark-cli";
  const auto found = sandbox::find_program("warpmark");
  if (found && fs::equivalent(*found, program, error)) return "warpmark";
  return judge::program_from(fs::current_path(), program);
}

fs::path default_outputs(const judge::Installation& installation) {
  if (owns_build_tree(installation)) return installation.root / "reports" / "out";
  return fs::current_path() / "warpmark-out";
}

}  // namespace warpmark::cli
