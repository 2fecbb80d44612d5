// Text of unknown origin on its way into a report. Names, messages and sources come from students: they hold
// bytes that are not UTF-8, terminal commands, letters that reverse a line, and lines of any length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// Valid UTF-8 in which every character can be seen: bad bytes become U+FFFD; control characters, those that
// reverse or hide text, and those that XML forbids are spelled out (\x1b, \u202e). Line ends and tabs stay,
// "\r\n" becomes "\n".
std::string visible(std::string_view text);

// The same for what has to stay on one line (names, values): line ends and tabs are spelled out as well.
std::string visible_line(std::string_view text);

// At most `bytes` bytes, cut between characters, with a note of how much is missing and where all of it is.
std::string shortened(std::string_view text, std::size_t bytes);

// The columns that the text takes on a terminal: 0 for combining marks, 2 for wide East Asian letters and
// emoji.
std::size_t display_width(std::string_view text);

// Cut to at most `width` columns, the last three then "...".
std::string cut_to(std::string_view text, std::size_t width);
// Padded with spaces to `width` columns.
std::string padded(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at spaces, inside a word only where it is longer than a line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// One line of source: its line end taken off, tabs expanded to every fourth column, the rest as visible_line.
std::string source_line(std::string_view text);

// "3", "2.5", "0.33": at most two digits after the point, none that say nothing.
std::string plain_number(double value);
// "1 point", "2 points", "0.5 points".
std::string counted(double count, std::string_view one, std::string_view many);
// As the text of an XML element or the value of an attribute in double quotes. Takes what visible() left,
// which holds nothing that XML 1.0 forbids.
std::string escaped(std::string_view text);

// "16,777,216"
std::string grouped(unsigned long long count);

}  // namespace warpmark
