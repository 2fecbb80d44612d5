// Character classes and names of C++ source text and of messages about it, shared by the compiler passes
// that rewrite or inspect a student's source.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace warpmark::build {

inline constexpr auto kNone = std::string_view::npos;
inline constexpr std::string_view kSpaces = " \t\r";  // white space within a line

// Returns true if c can be part of an identifier.
inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Returns the name behind the last place where a message says `before`; empty if it does not.
inline std::string name_behind(std::string_view message, std::string_view before) {
  const std::size_t at = message.rfind(before);
  if (at == kNone) return {};
  const std::size_t begin = at + before.size();
  std::size_t end = begin;
  while (end < message.size() && is_word(message[end])) ++end;
  return std::string(message.substr(begin, end - begin));
}

}  // namespace warpmark::build
