// Sanitises untrusted text for reports. Names, messages and sources of students may contain invalid UTF-8,
// terminal escape sequences, bidirectional control characters and lines of any length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// Returns valid UTF-8 without invisible characters. Invalid bytes become U+FFFD; control characters,
// bidirectional and hidden characters, and those that XML forbids are escaped (\x1b, \u202e). Newlines and
// tabs are kept, "\r\n" becomes "\n".
std::string visible(std::string_view text);

// Makes untrusted single-line text (names, values) safe to show: like visible(), but newlines and tabs are
// escaped as well.
std::string visible_line(std::string_view text);

// Truncates a text to at most `bytes` bytes at a character boundary and notes how much is missing and where
// the whole text is.
std::string shortened(std::string_view text, std::size_t bytes);

// Returns the number of terminal columns that a text occupies: 0 for combining marks, 2 for wide East Asian
// characters and emoji.
std::size_t display_width(std::string_view text);

// Truncates a text to `width` terminal columns; a truncated text ends in "...".
std::string cut_to(std::string_view text, std::size_t width);
// Pads a text with spaces to `width` terminal columns.
std::string padded(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);

// Wraps a text at spaces to lines of at most `width` terminal columns; a word is broken only if it is longer
// than a line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Makes one source line safe to show: line end removed, tabs expanded to every fourth column, invalid bytes
// and control characters escaped.
std::string source_line(std::string_view text);

// Formats a number with at most two decimals and without trailing zeros: "3", "2.5", "0.33".
std::string plain_number(double value);
// Returns a count with its noun: "1 point", "2 points", "0.5 points".
std::string counted(double count, std::string_view one, std::string_view many);
// Escapes text for an XML element or a double-quoted attribute. The text must have passed visible(), because
// characters that XML 1.0 forbids are not removed.
std::string escaped(std::string_view text);

// Groups digits by thousands: "16,777,216".
std::string grouped(unsigned long long count);

}  // namespace warpmark
