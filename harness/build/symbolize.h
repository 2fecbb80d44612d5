// Addresses in a program that build_program() made, as lines of its sources.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/build/diagnostics.h"

namespace warpmark::build {

// For each address the place itself, then the places into which it was inlined, innermost first. Files are
// named as debug information names them.
using PlacesOfAddresses = std::map<std::uint64_t, std::vector<SourcePlace>>;

// Asks addr2line (binutils). Empty where there is none.
PlacesOfAddresses symbolize(const std::filesystem::path& program,
                            const std::vector<std::uint64_t>& addresses);

// The answer of `addr2line -a -i`.
PlacesOfAddresses places_from(std::string_view output);

}  // namespace warpmark::build
