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
  double from = 0;  // value at the start of the axis
  double to = 1;
  double begin = 0;  // pixel position of the start of the axis
  double end = 1;

  [[nodiscard]] double operator()(double value) const;
};

// Returns about `wanted` round values for the ticks of a plot's axis: steps of 1, 2 or 5 times a power of ten
// on a linear axis, whole powers of the base on a logarithmic one.
std::vector<double> ticks_of(const Scale& scale, std::size_t wanted);

// Returns positions for labels, in the same order as `wanted`: at least `gap` apart, in [low, high] if there
// is room, each as close as possible to its wanted position.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

struct PlotPoint {
  double x = 0;
  double y = 0;
  // Lower end of the confidence interval of a point's y value; both ends 0: no interval is drawn.
  double low = 0;
  double high = 0;
  std::string title;  // tooltip of the point
};

struct PlotLine {
  std::string label;
  std::vector<PlotPoint> points;  // points of the line in ascending order of x
  // Index of the plot line's colour and marker; nullopt: a thin grey line without a label.
  std::optional<std::size_t> ink;
  bool dashed = false;
};

inline constexpr std::size_t kInks = 7;

struct Plot {
  std::string description;  // alternative text of the plot for screen readers
  ScaleKind x = ScaleKind::log2;
  ScaleKind y = ScaleKind::linear;
  std::string x_label;
  std::string y_label;
  std::string (*x_text)(double) = nullptr;  // function that formats the label of a tick on the x axis
  std::string (*y_text)(double) = nullptr;
  std::vector<PlotLine> lines;
  struct Mark {
    double at = 0;
    std::string label;
  };
  std::optional<Mark> level;     // horizontal line, such as "peak"
  std::optional<Mark> boundary;  // vertical line across the plot, at a limit such as the size of the L2 cache
  bool from_zero = false;        // true: a linear y axis of the plot starts at 0
  double width = 620;            // natural width of the plot in pixels; the HTML page scales it
  double height = 360;
};

// Renders a line plot as SVG; returns an empty string if no line has a point that the plot's axes can show.
std::string to_svg(const Plot& plot);

}  // namespace warpmark
