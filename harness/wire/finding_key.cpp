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

}  // namespace warpmark::wire
