// Rewrites syntax that nvcc accepts and clang does not: a launch written k << <1, 32 >> >(), a line
// continuation followed by a comment, __shared__ alignas(16) before a variable, and kernel launches in device
// code. Line numbers do not change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/build/variable_arrays.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

// Returns the source in clang's syntax with the same number of lines; nullopt if no change is needed.
std::optional<std::string> in_clangs_spelling(std::string_view source);

// Writes a file-system overlay for clang (-ivfsoverlay) into the build's temporary folder, with rewritten
// copies of the source and of the files that it includes by quoted names. Returns nullopt if no file needs a
// change. arrays: lines at which clang rejected variable-length arrays.
Result<std::optional<std::filesystem::path>> overlay_in_clangs_spelling(const Workspace& workspace,
                                                                        const ArrayLines& arrays);

}  // namespace warpmark::build
