// Formats values for the page templates. Text from a submission is truncated here, and invisible characters
// are made visible.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <string_view>

#include "reports/wording/summary.h"

namespace warpmark {

// Limits that keep the page small enough for a phone; grade.json has the complete text.
inline constexpr std::size_t kLongestName = 120;       // limit on a name, in columns of text
inline constexpr std::size_t kLongestLine = 300;       // limit on a single line, in columns of text
inline constexpr std::size_t kLongestMessage = 4000;   // limit on a message, in bytes
inline constexpr std::size_t kLongestDetails = 64000;  // limit on detailed output, in bytes

// Formats text on one line of at most kLongestName columns.
std::string name(std::string_view text);

// Splits a name at positions where a narrow table may break it.
mstch::array name_parts(std::string_view text);

// Splits a message into plain text and code (between backticks); an unpaired backtick is kept.
mstch::array message_parts(std::string_view message);

std::string css_class(Tone tone);

// Returns the symbol shown beside a check's status, so that no information depends on colour.
std::string mark_of(Tone tone);

}  // namespace warpmark
