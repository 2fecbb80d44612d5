// Shapes of an SVG drawing that a page stretches to its column: the width is kWidth units at any size.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace warpmark {

// Width of an SVG drawing in its own coordinate system; the HTML page scales the drawing.
inline constexpr double kWidth = 1000;

inline std::string rect(std::string_view name, double x, double y, double width, double height) {
  return fmt::format(R"(<rect class="{}" x="{:.1f}" y="{:g}" width="{:.1f}" height="{:g}"/>)", name, x, y,
                     width, height);
}

inline std::string line(std::string_view name, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<path class="{}" d="M{:.1f} {:g}L{:.1f} {:g}"/>)", name, x1, y1, x2, y2);
}

inline std::string stretched(std::string_view name, double height, std::string_view body) {
  return fmt::format(
      R"(<svg class="stretched {}" viewBox="0 0 {:g} {:g}" preserveAspectRatio="none" aria-hidden="true" focusable="false">{}</svg>)",
      name, kWidth, height, body);
}

// Wraps a drawing that has a text of its own for those who cannot see it. title and description: plain text,
// without characters that XML escapes.
inline std::string described(std::string_view name, double height, std::string_view title,
                             std::string_view description, std::string_view body) {
  return fmt::format(
      R"(<svg class="stretched {0}" height="{1:g}" viewBox="0 0 {2:g} {1:g}" preserveAspectRatio="none" role="img"><title>{3}</title><desc>{4}</desc>{5}</svg>)",
      name, height, kWidth, title, description, body);
}

}  // namespace warpmark
