// Parses JSON text from an untrusted process, within the limits on size, nesting depth and number of values
// that codec.h sets.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/wire/codec.h"

namespace warpmark::wire {

// Parses a single JSON object without duplicate members at any depth, in time linear in the text's length.
tl::expected<nlohmann::json, Malformed> parse_bounded(std::string_view text);

}  // namespace warpmark::wire
