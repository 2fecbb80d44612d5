// Text helpers: splitting the output of compilers and tools, suggesting words for misspelt ones, escaping.
#pragma once

#include <charconv>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace warpmark {

// Strips blanks, tabs and carriage returns from both ends.
std::string_view trimmed(std::string_view text);

// Removes the first line from `text` and returns it without its line end.
std::string_view take_line(std::string_view& text);

// Splits into lines; drops empty lines at the end.
std::vector<std::string> lines_of(std::string_view text);

// Returns the edit distance with swaps of neighbouring letters (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the known word that the misspelt `word` probably stands for: the only one that begins with `word`,
// else the first of the nearest, within an edit distance of a third of its letters; nullopt if none is that
// near.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& known);

// Returns the text with each listed character replaced by the string paired with it.
std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> replacements);

// Parses the whole text as a number; nullopt if any character is left over or the value is out of range.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace warpmark
