#include "harness/wire/finding_key.h"

#include <algorithm>
#include <cctype>

namespace warpmark::wire {
namespace {

std::string without_numbers(std::string_view message) {
  std::string text;
  bool inside = false;
  for (const char c : message) {
    const bool hexadecimal = std::isxdigit(static_cast<unsigned char>(c)) != 0;
    const bool number =
        std::isdigit(static_cast<unsigned char>(c)) != 0 || (inside && (hexadecimal || c == 'x' || c == '.'));
    if (!number) text += c;
    if (number && !inside) text += '#';
    inside = number;
  }
  return text;
}

}  // namespace

FindingKey key_of(CauseKind kind, std::string_view file, int line, int other_line, std::string_view message) {
  return {.kind = kind,
          .file = std::string(file),
          .low = other_line == 0 ? line : std::min(line, other_line),
          .high = other_line == 0 || other_line == line ? 0 : std::max(line, other_line),
          .words = line > 0 ? std::string() : without_numbers(message),
          .frames = {}};
}

std::string_view remedy_in(std::string_view message) {
  constexpr std::string_view kBefore = "nothing orders the two";
  constexpr std::string_view kBehind = "; the same at line";
  const std::size_t begin = message.find(kBefore);
  if (begin == std::string_view::npos) return message;
  message.remove_prefix(begin);
  std::string_view remedy = message.substr(0, message.find(kBehind));
  // A race of a line with itself asks for a barrier "between one step and the next", not "between them".
  constexpr std::string_view kBetween = " between ";
  return remedy.substr(0, remedy.rfind(kBetween));
}

std::string pair_text(int line, int other_line) {
  return line == other_line ? std::to_string(line)
                            : std::to_string(line) + " and " + std::to_string(other_line);
}

std::string also_at(const std::vector<std::string>& pairs) {
  constexpr std::size_t kNamed = 3;
  if (pairs.empty()) return {};
  std::string text =
      "; " + std::to_string(pairs.size()) + " more " +
      (pairs.size() == 1 ? "race of the same cause: line " : "races of the same cause: lines ");
  for (std::size_t i = 0; i < std::min(pairs.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + pairs[i];
  return pairs.size() > kNamed ? text + ", ..." : text;
}

}  // namespace warpmark::wire
