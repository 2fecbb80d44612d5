#include "harness/build/excerpt.h"

#include <string_view>

#include "harness/base/text.h"

namespace warpmark::build {
namespace {

constexpr int kLinesAround = 3;
constexpr std::size_t kLongestExcerptLine = 200;

}  // namespace

std::vector<SourceLine> excerpt_of(const std::string& text, int line) {
  std::vector<SourceLine> excerpt;
  std::string_view rest = text;
  for (int number = 1; number <= line + kLinesAround && !rest.empty(); ++number) {
    const std::string_view whole = take_line(rest);
    if (number < line - kLinesAround) continue;
    std::string_view shown = whole.substr(0, kLongestExcerptLine);
    if (shown.ends_with('\r')) shown.remove_suffix(1);
    excerpt.push_back({number, std::string(shown) + (whole.size() > kLongestExcerptLine ? "..." : "")});
  }
  return excerpt;
}

}  // namespace warpmark::build
