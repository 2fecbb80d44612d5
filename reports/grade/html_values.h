// Formats values for the page templates. Everything from a submission is truncated and made visible here.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <string_view>

#include "reports/wording/summary.h"

namespace warpmark {

// Limits that keep the page small enough for a phone; grade.json has the complete text.
inline constexpr std::size_t kLongestName = 120;       // columns
inline constexpr std::size_t kLongestLine = 300;       // columns
inline constexpr std::size_t kLongestMessage = 4000;   // bytes
inline constexpr std::size_t kLongestDetails = 64000;  // bytes

// Formats text on one line of at most kLongestName columns.
std::string name(std::string_view text);

// Splits a name where a narrow table may break it.
mstch::array name_parts(std::string_view text);

// Splits a message into plain text and code, which is marked by backticks; an unpaired backtick is kept.
mstch::array message_parts(std::string_view message);

std::string css_class(Tone tone);

// Returns a symbol shown beside each word, so that no information depends on colour.
std::string mark_of(Tone tone);

}  // namespace warpmark
