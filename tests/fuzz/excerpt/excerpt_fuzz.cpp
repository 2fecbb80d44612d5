// Sources of students on their way into a report: the excerpt around a line, made visible and cut.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/build/excerpt.h"
#include "reports/wording/text.h"

namespace {

constexpr std::size_t kWidth = 80;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// The first byte is the line that the excerpt is about.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmark;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  for (const SourceLine& line : build::excerpt_of(text, data[0])) {
    const std::string shown = cut_to(source_line(line.text), kWidth);
    require(display_width(shown) <= kWidth);
    require(shown.find_first_of("\n\r\t\x1b") == std::string::npos);
    require(escaped(visible(line.text)).find('<') == std::string::npos);
  }
  for (const std::string& line : wrapped(visible(text), kWidth)) require(display_width(line) <= kWidth);
  return 0;
}
