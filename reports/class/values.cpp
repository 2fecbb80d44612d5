#include "reports/class/values.h"

#include <cctype>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark::class_page {
namespace {

// Maximum width of a student's or file's name on a class page, in text columns.
constexpr std::size_t kLongestName = 80;
constexpr std::size_t kLongestClassMessage = 2000;  // maximum length of a message on a class page, in bytes

}  // namespace

std::string name(std::string_view text) {
  return cut_to(visible_line(text), kLongestName);
}

std::string message(std::string_view text) {
  return shortened(visible(text), kLongestClassMessage);
}

std::string link_path(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("-_./").find(c) != std::string_view::npos;
    text += plain && byte < 0x80 ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

}  // namespace warpmark::class_page
