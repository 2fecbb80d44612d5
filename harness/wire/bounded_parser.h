// JSON text to values, within the limits of codec.h. For the codec alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/wire/codec.h"

namespace warpmark::wire {

// The text must be one object, in which no member comes twice. Linear in the text's length.
tl::expected<nlohmann::json, Malformed> parse_bounded(std::string_view text);

}  // namespace warpmark::wire
