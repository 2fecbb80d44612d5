// What a submission's library and files may not do, told without running anything: redefine what belongs to
// CUDA, the system or the harness; call what starts programs, loads libraries or changes the worker; run code
// when it is loaded; use a library where a kernel is asked; tell the compilers apart.
//
// A line of defence beside the box, and the one with a reason that a student can read.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/build/cache.h"
#include "harness/build/exports.h"

namespace warpmark::build {

// The first rule that a library and what it was made of break, by the request's rules. toolkit_headers: a
// folder whose headers nobody may replace.
std::optional<Cause> broken_rule(const Request& request, const Entry& entry, const Symbols& symbols,
                                 const std::filesystem::path& toolkit_headers);

// "thrust" for a header of thrust, by its name ("thrust/reduce.h", "/usr/include/thrust/reduce.h"); empty for
// a header of no library.
std::string_view library_of_header(std::string_view header);

// The same where the compiler did not find such a header, and the request's rules do not allow its library.
std::optional<Cause> forbidden_header(const Request& request, const std::string& header);

}  // namespace warpmark::build
