// Character classes of C++ source text (whitespace, identifier characters), shared by the compiler passes
// that rewrite or inspect a student's source.
#pragma once

#include <cctype>
#include <string_view>

namespace warpmark::build {

inline constexpr auto kNone = std::string_view::npos;
inline constexpr std::string_view kSpaces = " \t\r";  // white space within a line

// Returns true if c can be part of an identifier.
inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace warpmark::build
