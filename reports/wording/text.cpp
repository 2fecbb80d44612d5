#include "reports/wording/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <utf8proc.h>

#include "harness/base/text.h"

namespace warpmark {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kCut = "...";
constexpr utf8proc_int32_t kBad = -1;
constexpr std::size_t kBytesPerColumn = 8;
constexpr std::size_t kTab = 4;

struct Character {
  utf8proc_int32_t code = kBad;
  std::size_t bytes = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  utf8proc_int32_t code = kBad;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                       static_cast<utf8proc_ssize_t>(std::min<std::size_t>(rest.size(), 4)), &code);
  if (bytes <= 0) return {};
  return {code, static_cast<std::size_t>(bytes)};
}

// Returns true for characters that reverse or hide surrounding text (Trojan Source, CVE-2021-42574), that end
// a line invisibly in most editors, or that XML 1.0 forbids. U+200C and U+200D are kept, because names in
// several scripts need them.
bool is_spelled_out(utf8proc_int32_t code) {
  if (code == 0x200C || code == 0x200D) return false;
  if ((code & 0xFFFE) == 0xFFFE) return true;
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

// Returns the number of terminal columns of a character; an invalid byte counts as one, because it is shown
// as U+FFFD.
std::size_t columns_of(utf8proc_int32_t code) {
  return code == kBad ? 1 : static_cast<std::size_t>(std::max(utf8proc_charwidth(code), 0));
}

// Returns true if a CI system takes the text from `at` on for a command. Azure Pipelines finds "##[...]" and
// "##vso[...]" anywhere (Command.cs of its agent), as does the runner of GitHub (ActionCommand.cs), which
// finds
// "::...::" at the begin of a line alone; only names of its commands count here, because "::" begins names in
// C++.
bool is_ci_command(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("##[") || rest.starts_with("##vso[")) return true;
  if (!rest.starts_with("::")) return false;
  const std::size_t begin = text.find_last_not_of(" \t", at - 1);
  if (at != 0 && begin != std::string_view::npos && text[begin] != '\n') return false;
  static constexpr std::array<std::string_view, 15> kCommands{
      "error",      "warning",    "notice",      "debug",          "group",
      "endgroup",   "add-mask",   "add-matcher", "remove-matcher", "stop-commands",
      "set-output", "save-state", "set-env",     "add-path",       "echo"};
  return std::ranges::any_of(kCommands,
                             [&](std::string_view name) { return rest.substr(2).starts_with(name); });
}

std::string made_visible(std::string_view text, bool keep_lines) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (is_ci_command(text, at)) {
      shown += fmt::format("{}\\", text[at]);
    } else if (character.code == kBad) {
      shown += kReplacement;
    } else if (character.code == '\r' && text.substr(at, 2) == "\r\n") {
      // drop the \r of a Windows line end
    } else if (character.code == '\n' || character.code == '\t') {
      if (keep_lines) {
        shown += text[at];
      } else {
        shown += character.code == '\n' ? "\\n" : "\\t";
      }
    } else if (is_spelled_out(character.code)) {
      const auto code = static_cast<unsigned>(character.code);
      shown += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    } else {
      shown += text.substr(at, character.bytes);
    }
    at += character.bytes;
  }
  return shown;
}

// Returns the length in bytes of the text's longest prefix that takes at most `width` columns. The number of
// bytes is limited, too, because a character can have any number of combining marks.
std::size_t prefix_of_width(std::string_view text, std::size_t width) {
  std::size_t columns = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = character_at(text, at);
    const std::size_t more = columns_of(character.code);
    if (columns + more > width || at + character.bytes > width * kBytesPerColumn) break;
    columns += more;
    at += character.bytes;
  }
  return at;
}

// Wraps a line of text and appends the result to `lines`. width: at least 2 columns, so that every character
// fits on a line.
void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>& lines) {
  std::string current;
  std::size_t columns = 0;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    std::string_view word = line.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!current.empty() && columns + 1 + display_width(word) > width) {
      lines.push_back(std::exchange(current, {}));
      columns = 0;
    }
    while (prefix_of_width(word, width) < word.size()) {
      const std::size_t fits = prefix_of_width(word, width);
      lines.emplace_back(word.substr(0, fits));
      word.remove_prefix(fits);
    }
    if (!current.empty()) {
      current += ' ';
      ++columns;
    }
    current += word;
    columns += display_width(word);
  }
  lines.push_back(std::move(current));
}

}  // namespace

std::string visible(std::string_view text) {
  return made_visible(text, true);
}

std::string visible_line(std::string_view text) {
  return made_visible(text, false);
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return fmt::format("{}... ({} more bytes; grade.json has the whole text)", text.substr(0, end),
                     grouped(text.size() - end));
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    columns += columns_of(character.code);
    at += character.bytes;
  }
  return columns;
}

std::string cut_to(std::string_view text, std::size_t width) {
  if (prefix_of_width(text, width) == text.size()) return std::string(text);
  if (width <= kCut.size()) return std::string(text.substr(0, prefix_of_width(text, width)));
  return std::string(text.substr(0, prefix_of_width(text, width - kCut.size()))).append(kCut);
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  return std::string(text).append(columns < width ? width - columns : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  return std::string(columns < width ? width - columns : 0, ' ').append(text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) wrap_line(line, std::max<std::size_t>(width, 2), lines);
  return lines;
}

std::string source_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  std::string expanded;
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const bool tab = character.code == '\t';
    const std::size_t more = tab ? kTab - columns % kTab : columns_of(character.code);
    if (tab) {
      expanded.append(more, ' ');
    } else {
      expanded.append(text.substr(at, character.bytes));
    }
    columns += more;
    at += character.bytes;
  }
  return visible_line(expanded);
}

std::string plain_number(double value) {
  if (!std::isfinite(value)) return "?";
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string counted(double count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", plain_number(count), count == 1 ? one : many);
}

std::string escaped(std::string_view text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string grouped(unsigned long long count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace warpmark
