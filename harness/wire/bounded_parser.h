// Parses JSON text within the size limits of codec.h. Used by the codec only.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/wire/codec.h"

namespace warpmark::wire {

// Parses a single JSON object without duplicate members at any depth, in time linear in the text's length.
tl::expected<nlohmann::json, Malformed> parse_bounded(std::string_view text);

}  // namespace warpmark::wire
