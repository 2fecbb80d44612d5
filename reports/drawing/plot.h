// Draws line plots as inline SVG. Pure functions. Colours and fonts come from the page
// (templates/plots.mustache). Each line also has a distinct marker and its name at its end, so that no
// information depends on colour.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpmark {

enum class ScaleKind { linear, log2, log10 };

// Maps values to pixels. The ends of the domain must be finite and distinct, and positive on a logarithmic
// scale.
struct Scale {
  ScaleKind kind = ScaleKind::linear;
  double from = 0;  // start of the domain
  double to = 1;
  double begin = 0;  // pixel position of `from`
  double end = 1;

  [[nodiscard]] double operator()(double value) const;
};

// Returns round values inside the domain, at most about `wanted`: steps of 1, 2 or 5 times a power of ten on
// a linear scale, whole powers of the base on the others.
std::vector<double> ticks_of(const Scale& scale, std::size_t wanted);

// Returns positions for labels, in the same order as `wanted`: at least `gap` apart, in [low, high] if there
// is room, each as close as possible to its wanted position.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // lower end of the confidence interval of y; both ends 0: no interval
  double high = 0;
  std::string title;  // tooltip of the point
};

struct PlotLine {
  std::string label;
  std::vector<PlotPoint> points;   // points of the line in ascending order of x
  std::optional<std::size_t> ink;  // index of the colour and marker; nullopt: thin grey line without a label
  bool dashed = false;
};

inline constexpr std::size_t kInks = 7;

struct Plot {
  std::string description;  // alternative text for screen readers
  ScaleKind x = ScaleKind::log2;
  ScaleKind y = ScaleKind::linear;
  std::string x_label;
  std::string y_label;
  std::string (*x_text)(double) = nullptr;  // formats a tick's label
  std::string (*y_text)(double) = nullptr;
  std::vector<PlotLine> lines;
  struct Mark {
    double at = 0;
    std::string label;
  };
  std::optional<Mark> level;     // horizontal line, such as "peak"
  std::optional<Mark> boundary;  // vertical line, such as the size of the L2 cache
  bool from_zero = false;        // the y axis starts at 0 if it is linear
  double width = 620;            // drawing width in pixels; the page scales it
  double height = 360;
};

// Returns the SVG, or an empty string if no line has a point inside the scales' domains.
std::string to_svg(const Plot& plot);

}  // namespace warpmark
