// Pieces of text, as the output of compilers and tools is taken apart.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace warpmark {

// Without the blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

// Takes the first line, without its line end, off the text.
std::string_view take_line(std::string_view& text);

// Without empty lines at the end.
std::vector<std::string> lines_of(std::string_view text);

// How many letters have to be changed, added, left out or swapped with their neighbour to make one of the
// other (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word that a misspelt one probably stands for: the only one that begins with it, else the first of
// the nearest within a third of its letters. Nothing where none is that near.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& known);

// The whole text as a number; nothing for anything else.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace warpmark
