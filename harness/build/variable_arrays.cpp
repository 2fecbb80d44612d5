#include "harness/build/variable_arrays.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "harness/build/diagnostics.h"
#include "harness/build/source_text.h"

namespace warpmark::build {
namespace {

constexpr std::string_view kRefused = "variable-sized object may not be initialized";

// Returns the index after the string, character literal or comment that starts at `at`, or `at` itself if
// none starts there.
std::size_t behind_text(std::string_view source, std::size_t at) {
  const char c = source[at];
  const std::string_view rest = source.substr(at);
  if (rest.starts_with("//")) return std::min(source.find('\n', at), source.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = source.find("*/", at + 2);
    return end == std::string_view::npos ? source.size() : end + 2;
  }
  if (c != '"' && (c != '\'' || (at > 0 && is_word(source[at - 1])))) return at;
  for (std::size_t i = at + 1; i < source.size(); ++i) {
    if (source[i] == '\\')
      ++i;
    else if (source[i] == c)
      return i + 1;
  }
  return source.size();
}

std::size_t behind_spaces(std::string_view source, std::size_t at) {
  while (at < source.size()) {
    const std::size_t next = std::isspace(static_cast<unsigned char>(source[at])) != 0 ? at + 1
                             : source[at] == '/' ? behind_text(source, at)
                                                 : at;
    if (next == at) break;
    at = next;
  }
  return at;
}

// Returns the index of the bracket or brace that closes the one at `open`.
std::optional<std::size_t> closing(std::string_view source, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < source.size();) {
    const std::size_t behind = behind_text(source, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    const char c = source[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at;
    ++at;
  }
  return std::nullopt;
}

struct Initializer {
  std::string name;
  int dimensions = 0;
  std::size_t begin = 0;  // index after the array declarator's last closing bracket
  std::size_t open = 0;
  std::size_t close = 0;
};

// Finds the initializer of the array whose first bracket is at index `bracket`.
std::optional<Initializer> initializer_of(std::string_view source, std::size_t bracket) {
  std::size_t end = bracket;
  while (end > 0 && source[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  Initializer found;
  found.name = source.substr(begin, end - begin);
  if (found.name.empty() || std::isdigit(static_cast<unsigned char>(found.name.front())) != 0)
    return std::nullopt;
  // Keywords after which [ starts a lambda, not an array.
  constexpr std::array kNoNames{"return", "co_return", "co_yield", "throw", "case",
                                "else",   "do",        "new",      "delete"};
  if (std::ranges::find(kNoNames, found.name) != kNoNames.end()) return std::nullopt;
  std::size_t at = bracket;
  while (at < source.size() && source[at] == '[') {
    const auto close = closing(source, at);
    if (!close) return std::nullopt;
    ++found.dimensions;
    found.begin = *close + 1;
    at = behind_spaces(source, found.begin);
  }
  if (at < source.size() && source[at] == '=') at = behind_spaces(source, at + 1);
  if (at >= source.size() || source[at] != '{') return std::nullopt;
  const auto close = closing(source, at);
  if (!close) return std::nullopt;
  found.open = at;
  found.close = *close;
  return found;
}

bool is_all_zeros(std::string_view list) {
  char before = ' ';
  return std::ranges::all_of(list, [&](char c) {
    const bool ends_number = (c == 'f' || c == 'F') && (before == '0' || before == '.');
    before = c;
    return ends_number || std::string_view("{}0., \t\r\n").find(c) != std::string_view::npos;
  });
}

// Returns the index of the last character that is neither whitespace nor comment, or npos.
std::size_t last_of_code(std::string_view list) {
  std::size_t last = std::string_view::npos;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t behind = behind_text(list, at);
    const bool is_space = std::isspace(static_cast<unsigned char>(list[at])) != 0;
    if (behind == at && !is_space) last = at;
    if (behind != at && list[at] != '/') last = behind - 1;
    at = behind == at ? at + 1 : behind;
  }
  return last;
}

bool has_braces(std::string_view list) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t behind = behind_text(list, at);
    if (behind == at && list[at] == '{') return true;
    at = behind == at ? at + 1 : behind;
  }
  return false;
}

// Blanks out `const` in a declaration of an array of const elements, because the generated code could not
// fill such an array.
void drop_const(std::string& text) {
  constexpr std::string_view kConst = "const";
  const std::size_t last = text.find_last_of(";{}");
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  if (text.find('*', begin) != std::string::npos) return;
  for (std::size_t at = text.find(kConst, begin); at != std::string::npos; at = text.find(kConst, at + 1)) {
    const std::size_t end = at + kConst.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      text.replace(at, kConst.size(), kConst.size(), ' ');
  }
}

// Converts an initializer list to function arguments, keeping line breaks; drops a trailing comma, and the
// values of a list of zeros. Returns nullopt if the list has nested braces.
std::optional<std::string> as_arguments(std::string_view list) {
  if (is_all_zeros(list)) {
    std::string lines;
    for (const char c : list) {
      if (c == '\n') lines += c;
    }
    return lines;
  }
  if (has_braces(list)) return std::nullopt;
  std::string arguments(list);
  const std::size_t last = last_of_code(list);
  if (last != std::string_view::npos && list[last] == ',') arguments[last] = ' ';
  return arguments;
}

}  // namespace

ArrayLines lines_of_variable_arrays(std::string_view output) {
  ArrayLines lines;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.find(kRefused) == std::string_view::npos) continue;
    const std::optional<Diagnostic> error = first_error(line);
    if (!error || error->places.empty()) continue;
    const SourcePlace& place = error->places.front();
    lines[std::filesystem::path(place.file).filename().string()].insert(place.line);
  }
  return lines;
}

std::string spell_variable_arrays(std::string_view source, const std::set<int>& lines) {
  std::string spelled;
  int line = 1;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t behind = behind_text(source, at);
    std::size_t next = behind == at ? at + 1 : behind;
    std::string text(source.substr(at, next - at));
    if (source[at] == '[' && lines.contains(line)) {
      const auto found = initializer_of(source, at);
      const auto arguments =
          found ? as_arguments(source.substr(found->open + 1, found->close - found->open - 1)) : std::nullopt;
      if (arguments) {
        drop_const(spelled);
        std::string first = found->name;
        for (int i = 0; i < found->dimensions; ++i) first += "[0]";
        const std::string_view between = source.substr(found->begin, found->open - found->begin);
        text = fmt::format("{}, *warpmark_filled_{} = warpmark_fill_array(&{}, sizeof {}){}({})",
                           source.substr(at, found->begin - at), found->name, first, found->name,
                           std::string(static_cast<std::size_t>(std::ranges::count(between, '\n')), '\n'),
                           *arguments);
        next = found->close + 1;
      }
    }
    line += static_cast<int>(std::ranges::count(text, '\n'));
    spelled += text;
    at = next;
  }
  return spelled;
}

}  // namespace warpmark::build
