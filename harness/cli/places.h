// Locates this installation of Warpmark and the folders for its output: the build tree of a clone, otherwise
// the user's folders (XDG Base Directory Specification 0.8).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/judge/workers/installation.h"

namespace warpmark::cli {

// Describes the installation of the running program. programs: the program's folder. source: the repository
// that the program was built from. A folder that contains bin/, lib/ and harness/ is treated as an
// installation.
judge::Installation installation_at(const std::filesystem::path& programs,
                                    const std::filesystem::path& source);

// Returns the value of an environment variable, or "" if it is not set.
using Variable = std::function<std::string(const char*)>;

// Returns the cache folder for built libraries: in the build tree if the user may write there, else
// $XDG_CACHE_HOME/warpmark or ~/.cache/warpmark.
std::filesystem::path cache_folder(const judge::Installation& installation, const Variable& variable);
std::filesystem::path cache_folder(const judge::Installation& installation);

// Returns the folder for worker programs that are built on this machine: inside the cache, one per
// installation and Warpmark version.
std::filesystem::path made_workers(const judge::Installation& installation, const std::string& version);

// Returns the default output folder: reports/out of the clone if the user may write there, else
// `warpmark-out` in the working folder.
std::filesystem::path default_outputs(const judge::Installation& installation);

// Returns the command with which the user calls this program from the working folder: the wrapper of a clone,
// or the installed program.
std::string program_name(const judge::Installation& installation);

}  // namespace warpmark::cli
