// Where this installation lies, and where what it makes goes: into the build tree of a clone, else to the
// user's own folders (XDG Base Directory Specification 0.8).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/judge/workers/installation.h"

namespace warpmark::cli {

// programs: the folder of the running program. source: the repository that it was built from. A folder that
// holds bin/, lib/ and harness/ is an installation of its own.
judge::Installation installation_at(const std::filesystem::path& programs,
                                    const std::filesystem::path& source);

// The value of a variable of the environment, empty where it is not set.
using Variable = std::function<std::string(const char*)>;

// Of built libraries: the build tree's, if the user may write there, else $XDG_CACHE_HOME/warpmark or
// ~/.cache/warpmark.
std::filesystem::path cache_folder(const judge::Installation& installation, const Variable& variable);
std::filesystem::path cache_folder(const judge::Installation& installation);

// Of the workers that are made on this machine: in the cache, one folder for each installation and version.
std::filesystem::path made_workers(const judge::Installation& installation, const std::string& version);

// Of reports when no folder is named: reports/out of the clone that was built, if the user may write there,
// else `warpmark-out` in the working folder.
std::filesystem::path default_outputs(const judge::Installation& installation);

// How the user calls this program from the working folder: the wrapper of a clone, else the program of an
// installation.
std::string program_name(const judge::Installation& installation);

}  // namespace warpmark::cli
