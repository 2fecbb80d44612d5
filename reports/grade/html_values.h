// Formats values for the page templates. Text from a submission is truncated here, and invisible characters
// are made visible.
#pragma once

#include <mstch/mstch.hpp>
#include <string>
#include <string_view>

#include "reports/wording/summary.h"

namespace warpmark {

// Maximum lengths of texts on a grade's HTML page keep it small enough for a phone; grade.json has the
// complete texts.

// Maximum width of a file or check name on a grade's HTML page, in text columns.
inline constexpr std::size_t kLongestName = 120;
// Maximum width of a single-line text on a grade's HTML page, in text columns.
inline constexpr std::size_t kLongestLine = 300;
// Maximum length of an error message on a grade's HTML page, in bytes.
inline constexpr std::size_t kLongestMessage = 4000;
// Maximum length of detailed output (such as a compiler's) on a grade's HTML page, in bytes.
inline constexpr std::size_t kLongestDetails = 64000;

// Formats text on one line of at most kLongestName columns.
std::string name(std::string_view text);

// Formats a time stamp as "2026-11-22 14:03 UTC"; returns an empty text if it is none.
std::string moment_text(const std::string& graded_at);

// Splits the name of a file or check at positions where a narrow table may break it.
mstch::array name_parts(std::string_view text);

// Splits a message into plain text and code (between backticks); an unpaired backtick is kept.
mstch::array message_parts(std::string_view message);

std::string css_class(Tone tone);

// Returns the symbol shown beside a check's status, so that no information depends on colour.
std::string mark_of(Tone tone);

}  // namespace warpmark
