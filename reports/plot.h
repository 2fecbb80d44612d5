// Line plots as inline SVG: a pure function of what is to be shown. Colours and fonts come from the page
// (templates/plots.mustache); each line also has a marker of its own shape and its name beside its end, so
// that no meaning hangs on colour.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

enum class ScaleKind { linear, log2, log10 };

// Maps values to places. Both ends of the domain are finite, different, and above 0 on a logarithmic scale.
struct Scale {
  ScaleKind kind = ScaleKind::linear;
  double from = 0;  // of the values
  double to = 1;
  double begin = 0;  // where `from` lies, in pixels
  double end = 1;

  [[nodiscard]] double operator()(double value) const;
};

// Round values inside the domain, at most about `wanted` of them: steps of 1, 2 or 5 times a power of ten on
// a linear scale, whole powers on the others.
std::vector<double> ticks_of(const Scale& scale, std::size_t wanted);

// Places at least `gap` apart, within [low, high] where there is room, each as near to the wanted one as that
// allows, and in the same order.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // of the interval of y; both 0: none
  double high = 0;
  std::string title;  // shown where a pointer rests on the point
};

struct PlotLine {
  std::string label;
  std::vector<PlotPoint> points;   // by rising x
  std::optional<std::size_t> ink;  // which of the colours and markers; none: grey, thin, without a label
  bool dashed = false;
};

inline constexpr std::size_t kInks = 7;

struct Plot {
  std::string description;  // for who cannot see it
  ScaleKind x = ScaleKind::log2;
  ScaleKind y = ScaleKind::linear;
  std::string x_label;
  std::string y_label;
  std::string (*x_text)(double) = nullptr;  // of a tick
  std::string (*y_text)(double) = nullptr;
  std::vector<PlotLine> lines;
  struct Mark {
    double at = 0;
    std::string label;
  };
  std::optional<Mark> level;     // a horizontal line, "peak"
  std::optional<Mark> boundary;  // a vertical one
  bool from_zero = false;        // a linear y begins at 0
  double width = 620;            // pixels, of the drawing; the page scales it
  double height = 360;
};

// Empty when no line has a point that the scales can show.
std::string to_svg(const Plot& plot);

}  // namespace warpmark
