// Parses JSON text within the limits of codec.h. Used by the codec only.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/wire/codec.h"

namespace warpmark::wire {

// The text must be a single object, without duplicate members at any depth. Takes linear time in the text's
// length.
tl::expected<nlohmann::json, Malformed> parse_bounded(std::string_view text);

}  // namespace warpmark::wire
