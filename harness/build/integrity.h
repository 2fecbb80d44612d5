// Static checks of a submission's library and sources. They reject code that redefines symbols of CUDA, the
// system or the harness; calls functions that start programs, load libraries or change the worker; runs code
// at load time; uses a library where a kernel is asked for; or tells the compilers apart.
//
// They complement the sandbox, and give a reason that a student can understand.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/build/cache.h"
#include "harness/build/exports.h"

namespace warpmark::build {

// Returns the first rule of the request that a library or its sources break. toolkit_headers: a folder whose
// headers must not be replaced.
std::optional<Cause> broken_rule(const Request& request, const Entry& entry, const Symbols& symbols,
                                 const std::filesystem::path& toolkit_headers);

// Returns the library of a header: "thrust" for "thrust/reduce.h" or "/usr/include/thrust/reduce.h"; empty if
// it belongs to no library.
std::string_view library_of_header(std::string_view header);

// Returns a cause if the compiler did not find the header and the request's rules forbid its library.
std::optional<Cause> forbidden_header(const Request& request, const std::string& header);

}  // namespace warpmark::build
