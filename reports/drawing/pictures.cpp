#include "reports/drawing/pictures.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/drawing/svg.h"

namespace warpmark {
namespace {

// Largest number of input elements that are drawn one by one; a larger input is drawn as runs of adjacent
// elements.
constexpr std::uint64_t kMostCells = 128;
// Minimum width of a drawn run of input elements, so that even one element of a large input is visible.
constexpr double kSmallest = 3;
// Largest number of lines between blocks; with more of them a strip would be nothing but lines.
constexpr std::uint64_t kMostBlocks = 100;
constexpr std::size_t kMostDots = 400;

double place(double value, double most) {
  if (!std::isfinite(value) || !(most > 0)) return 0;
  return std::clamp(value / most, 0.0, 1.0) * kWidth;
}

std::string run_of(const ElementCount& run, std::uint64_t n) {
  const double scale = kWidth / static_cast<double>(n);
  const std::string_view name = run.times == 0 ? "element-lost" : "element-twice";
  if (n > kMostCells) {
    const double x = static_cast<double>(run.first) * scale;
    const double width = static_cast<double>(run.last - run.first + 1) * scale;
    return rect(name, std::min(x, kWidth - kSmallest), 0, std::max(width, kSmallest), 24);
  }
  std::string cells;
  for (std::uint64_t at = run.first; at <= run.last; ++at)
    cells += rect(name, static_cast<double>(at) * scale, 0, scale * 0.9, 24);
  return cells;
}

}  // namespace

std::string bar_svg(const Bar& bar, double most) {
  std::string body;
  if (bar.reference_high > 0) {
    const double low = place(bar.reference_low, most);
    body += rect("bar-reference", low, 0, std::max(place(bar.reference_high, most) - low, kSmallest), 24);
  }
  body += rect(bar.good ? "bar-good" : "bar-bad", 0, 5, place(bar.value, most), 14);
  if (bar.one > 0) body += line("bar-one", place(bar.one, most), 0, place(bar.one, most), 24);
  if (bar.high > 0) body += line("bar-span", place(bar.low, most), 12, place(bar.high, most), 12);
  if (bar.asked > 0) body += line("bar-asked", place(bar.asked, most), 0, place(bar.asked, most), 24);
  return stretched("bar-row", 24, body);
}

std::string score_svg(const ScoreParts& parts) {
  const double all = parts.earned + parts.lost + parts.not_started + parts.open;
  std::string body;
  double x = 0;
  for (const auto& [name, points] : {std::pair{"score-earned", parts.earned},
                                     {"score-lost", parts.lost},
                                     {"score-open", parts.open},
                                     {"score-not-started", parts.not_started}}) {
    if (!(points > 0)) continue;
    const double width = place(points, all);
    body += rect(name, x, 0, width, 12);
    x += width;
  }
  return stretched("score-bar", 12, body);
}

bool draws_blocks(std::uint64_t n, std::uint64_t block) {
  return block > 0 && block < n && (n - 1) / block <= kMostBlocks;
}

std::string elements_svg(const std::vector<ElementCount>& elements, std::uint64_t n, std::uint64_t block) {
  std::string body;
  if (n <= kMostCells) {
    for (std::uint64_t at = 0; at < n; ++at) {
      const double scale = kWidth / static_cast<double>(n);
      body += rect("element", static_cast<double>(at) * scale, 0, scale * 0.9, 24);
    }
  } else {
    body += rect("element", 0, 0, kWidth, 24);
  }
  bool any = false;
  for (const ElementCount& run : elements) {
    if (run.first > run.last || run.last >= n) continue;
    body += run_of(run, n);
    any = true;
  }
  for (std::uint64_t at = block; draws_blocks(n, block) && at < n; at += block) {
    const double x = static_cast<double>(at) * kWidth / static_cast<double>(n);
    body += line("element-block", x, 0, x, 24);
  }
  return any ? stretched("elements", 24, body) : std::string();
}

std::string uses_svg(const std::vector<OutputUses>& uses) {
  constexpr double kRow = 20;
  const std::size_t inputs = uses.empty() ? 0 : uses.front().of_inputs.size();
  if (inputs == 0 || inputs > kMostInputs) return {};
  const std::size_t rows = std::min(uses.size(), kMostUses);
  const double width = kWidth / static_cast<double>(inputs);
  std::string body;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string& letters = uses[row].of_inputs;
    for (std::size_t k = 0; k < std::min(letters.size(), inputs); ++k) {
      const std::string_view kind = letters[k] == '='   ? "uses-right"
                                    : letters[k] == '-' ? "uses-not"
                                    : letters[k] == '+' ? "uses-wrongly"
                                    : letters[k] == '~' ? "uses-otherwise"
                                                        : "element";
      const double x = static_cast<double>(k) * width;
      const double y = static_cast<double>(row) * kRow;
      body += rect(kind, x, y + 1, width * 0.9, kRow - 2);
      // What is not used is crossed out, so that the drawing does not depend on colour.
      if (letters[k] == '-') body += line("uses-line", x, y + kRow - 1, x + width * 0.9, y + 1);
    }
  }
  const double height = static_cast<double>(rows) * kRow;
  return fmt::format(
      R"(<svg class="stretched uses" height="{0:g}" viewBox="0 0 {1:g} {0:g}" preserveAspectRatio="none" aria-hidden="true" focusable="false">{2}</svg>)",
      height, kWidth, body);
}

std::string samples_svg(const std::vector<double>& milliseconds, double most) {
  std::string body = line("sample-axis", 0, 12, kWidth, 12);
  const std::size_t shown = std::min(milliseconds.size(), kMostDots);
  for (std::size_t i = 0; i < shown; ++i) {
    if (!std::isfinite(milliseconds[i])) continue;
    const double x = place(milliseconds[i], most);
    body += line("sample", x, 3, x, 21);
  }
  return stretched("samples-row", 24, body);
}

std::string share_svg(double share) {
  return stretched("share", 10, rect("share-of", 0, 0, place(share, 1), 10));
}

}  // namespace warpmark
