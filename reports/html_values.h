// Values as the templates of the pages take them: everything that comes from a submission is bounded and made
// visible here.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <string_view>

#include "reports/summary.h"

namespace warpmark {

// Bounds for a page that opens on a phone whatever a submission holds; all of the text is in grade.json.
inline constexpr std::size_t kLongestName = 120;       // columns
inline constexpr std::size_t kLongestLine = 300;       // columns
inline constexpr std::size_t kLongestMessage = 4000;   // bytes
inline constexpr std::size_t kLongestDetails = 64000;  // bytes

// On one line, at most kLongestName columns.
std::string name(std::string_view text);

// A name in the pieces at which a narrow table may break it.
mstch::array name_parts(std::string_view text);

// A message in pieces of plain text and of code, which messages set in backticks; a lone backtick stays as it
// is.
mstch::array message_parts(std::string_view message);

std::string css_class(Tone tone);

// A shape beside each word, so that no meaning hangs on colour.
std::string mark_of(Tone tone);

}  // namespace warpmark
