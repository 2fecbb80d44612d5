// Static checks of a submission's library and sources. They reject code that redefines symbols of CUDA, the
// system or the harness; calls functions that start programs, load libraries or change the worker process;
// runs code at load time; uses a library where the assignment requires the student's own kernel; or detects
// which compiler builds it.
//
// They complement the sandbox, and give a reason that a student can understand.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/build/cache.h"
#include "harness/build/exports.h"

namespace warpmark::build {

// Checks a submission's library and sources against the assignment's rules and returns the error message for
// the first broken one; nullopt if none. toolkit_headers: a folder whose headers a submission must not
// replace.
std::optional<Cause> broken_rule(const Request& request, const Entry& entry, const Symbols& symbols,
                                 const std::filesystem::path& toolkit_headers);

// Returns the toolkit library that a header belongs to: "thrust" for "thrust/reduce.h" or
// "/usr/include/thrust/reduce.h"; empty if none.
std::string_view library_of_header(std::string_view header);

// Returns an error message if the missing header at which the compiler stopped belongs to a toolkit library
// that the assignment forbids; else nullopt.
std::optional<Cause> forbidden_header(const Request& request, const std::string& header);

}  // namespace warpmark::build
