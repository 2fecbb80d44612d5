// Maps code addresses of a student's compiled CUDA program to source lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "harness/build/diagnostics.h"

namespace warpmark::build {

// Maps each code address to its source line, followed by the call sites into which that code was inlined,
// innermost first. File names are those of the debug information.
using PlacesOfAddresses = std::map<std::uint64_t, std::vector<SourcePlace>>;

// Runs addr2line (binutils). Returns an empty map if it is not installed.
PlacesOfAddresses symbolize(const std::filesystem::path& program,
                            const std::vector<std::uint64_t>& addresses);

// Parses the output of `addr2line -a -i`.
PlacesOfAddresses places_from(std::string_view output);

}  // namespace warpmark::build
