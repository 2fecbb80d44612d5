// What nvcc reads and clang does not: a launch written k << <1, 32 >> >(), a backslash that only a comment
// follows, __shared__ alignas(16) before a variable, and launches from kernels. Such a source is compiled in
// clang's spelling, line by line the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/build/variable_arrays.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

// The text as clang reads it, with as many lines; nothing where it is that already.
std::optional<std::string> in_clangs_spelling(std::string_view source);

// An overlay for clang (-ivfsoverlay) in the workspace's folder, that shows it the source, and the files that
// it includes by quoted names, in its spelling. Nothing where none is to be changed. arrays: lines that clang
// refused.
Result<std::optional<std::filesystem::path>> overlay_in_clangs_spelling(const Workspace& workspace,
                                                                        const ArrayLines& arrays);

}  // namespace warpmark::build
