#include "reports/drawing/plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr double kLeft = 58;    // left margin of a plot, in pixels, which holds the y axis's tick labels
constexpr double kRight = 192;  // right margin of a plot, in pixels, which holds the names of its lines
// Margin for the name of the y axis and the label of a vertical reference line, in pixels.
constexpr double kTop = 30;
constexpr double kBottom = 42;
constexpr double kLabelGap = 15;  // least distance between the baselines of two labels, in pixels
// Shortest error bar that is drawn, in pixels: the point's marker would hide a shorter one.
constexpr double kSmallestWhisker = 7;
constexpr std::size_t kTicks = 8;
constexpr double kPixelsATick = 42;  // minimum distance between ticks of a plot's x axis, in pixels
constexpr double kHeadroom = 1.04;
// Width in pixels above which a plot scrolls on a narrow screen; a narrower plot is scaled down instead.
constexpr double kWide = 900;

// SVG path of the marker of each line colour, centred at the origin.
constexpr std::string_view kMarkers[kInks] = {
    "M-3 0A3 3 0 1 1 3 0A3 3 0 1 1 -3 0Z",                          // circle
    "M-2.7-2.7H2.7V2.7H-2.7Z",                                      // square
    "M0-3.6L3.4 2.6H-3.4Z",                                         // triangle
    "M0-3.9L3.9 0L0 3.9L-3.9 0Z",                                   // diamond
    "M0 3.6L3.4-2.6H-3.4Z",                                         // triangle, point down
    "M-3.6-1.2H-1.2V-3.6H1.2V-1.2H3.6V1.2H1.2V3.6H-1.2V1.2H-3.6Z",  // plus
    "M0-3.8L3.6-1.2L2.2 3.1H-2.2L-3.6-1.2Z",                        // pentagon
};

bool can_show(ScaleKind kind, double value) {
  return std::isfinite(value) && (kind == ScaleKind::linear || value > 0);
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {
    for (const PlotLine& line : plot.lines) {
      lines_.push_back(line);
      std::erase_if(lines_.back().points, [&](const PlotPoint& point) {
        return !can_show(plot.x, point.x) || !can_show(plot.y, point.y);
      });
    }
  }

  std::string text() {
    if (!find_scales()) return {};
    out_ = fmt::format("<svg class=\"plot{}\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {:g} {:g}\">\n",
                       plot_.width > kWide ? " wide" : "", escaped(visible_line(plot_.description)),
                       plot_.width, plot_.height);
    axes();
    marks();
    for (const PlotLine& line : lines_) {
      if (!line.ink) curve(line);
    }
    for (const PlotLine& line : lines_) {
      if (line.ink) inked(line);
    }
    labels();
    return out_ + "</svg>\n";
  }

 private:
  bool find_scales() {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const PlotLine& line : lines_) {
      for (const PlotPoint& point : line.points) {
        xs.push_back(point.x);
        ys.push_back(point.y);
        // A plot's grey background lines are drawn without confidence intervals.
        if (!line.ink) continue;
        if (can_show(plot_.y, point.low) && point.high > 0) ys.push_back(point.low);
        if (can_show(plot_.y, point.high) && point.high > 0) ys.push_back(point.high);
      }
    }
    if (xs.empty()) return false;
    if (plot_.level && can_show(plot_.y, plot_.level->at)) ys.push_back(plot_.level->at);
    x_ = domain(plot_.x, xs);
    y_ = domain(plot_.y, ys);
    if (plot_.y == ScaleKind::linear) {
      const double room = (kHeadroom - 1) * (y_.to - y_.from);
      y_.to += room;
      if (plot_.from_zero) {
        y_.from = 0;
      } else {
        y_.from -= room;
      }
    }
    x_.begin = kLeft;
    x_.end = plot_.width - kRight;
    y_.begin = plot_.height - kBottom;
    y_.end = kTop;
    return true;
  }

  // Returns a plot axis's scale from the least to the greatest of the values, widened if all values are
  // equal.
  static Scale domain(ScaleKind kind, const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    Scale scale{kind, *least, *most, 0, 1};
    if (scale.from < scale.to) return scale;
    if (kind == ScaleKind::linear) return {kind, *least - 1, *most + 1, 0, 1};
    return {kind, *least / 2, *most * 2, 0, 1};
  }

  void put_line(std::string_view name, double x1, double y1, double x2, double y2) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" />\n",
                        name, x1, y1, x2, y2);
  }

  void put_text(std::string_view name, double x, double y, std::string_view text) {
    out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", name, x, y,
                        escaped(visible_line(text)));
  }

  void axes() {
    for (const double tick : ticks_of(y_, kTicks)) {
      const double at = y_(tick);
      put_line("grid", x_.begin, at, x_.end, at);
      put_text("tick left", x_.begin - 8, at + 4, plot_.y_text(tick));
    }
    const auto room = static_cast<std::size_t>((x_.end - x_.begin) / kPixelsATick);
    for (const double tick : ticks_of(x_, room)) {
      put_line("grid", x_(tick), y_.begin, x_(tick), y_.begin + 5);
      put_text("tick below", x_(tick), y_.begin + 18, plot_.x_text(tick));
    }
    put_line("axis", x_.begin, y_.begin, x_.end, y_.begin);
    put_text("name", 2, 14, plot_.y_label);
    put_text("name below", (x_.begin + x_.end) / 2, plot_.height - 5, plot_.x_label);
  }

  void marks() {
    if (plot_.level) {
      const double at = y_(plot_.level->at);
      put_line("level", x_.begin, at, x_.end, at);
      put_text("mark", x_.begin + 4, at + 14, plot_.level->label);
    }
    if (plot_.boundary && plot_.boundary->at > x_.from && plot_.boundary->at < x_.to) {
      const double at = x_(plot_.boundary->at);
      put_line("boundary", at, y_.begin, at, y_.end);
      put_text("mark below", at, kTop - 6, plot_.boundary->label);
    }
  }

  void curve(const PlotLine& line) {
    if (line.points.empty()) return;
    std::string places;
    for (const PlotPoint& point : line.points) {
      places += fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", x_(point.x), y_(point.y));
    }
    out_ += fmt::format("<polyline class=\"{}{}\" points=\"{}\" />\n", line.ink ? "line" : "context",
                        line.dashed ? " dashed" : "", places);
  }

  void inked(const PlotLine& line) {
    out_ += fmt::format("<g class=\"ink{}\">\n", *line.ink % kInks);
    curve(line);
    for (const PlotPoint& point : line.points) {
      const double x = x_(point.x);
      if (point.high > 0 && can_show(plot_.y, point.low)) {
        const double low = y_(point.low);
        const double high = y_(point.high);
        if (low - high > kSmallestWhisker) put_line("whisker", x, low, x, high);
      }
      marker(line, x, y_(point.y), point.title);
    }
    out_ += "</g>\n";
  }

  void marker(const PlotLine& line, double x, double y, std::string_view title) {
    out_ += fmt::format("<path class=\"marker\" transform=\"translate({:.1f} {:.1f})\" d=\"{}\"", x, y,
                        kMarkers[*line.ink % kInks]);
    out_ +=
        title.empty() ? " />\n" : fmt::format("><title>{}</title></path>\n", escaped(visible_line(title)));
  }

  // Draws the names at the ends of their lines, with a leader line where a name had to be moved.
  void labels() {
    std::vector<const PlotLine*> named;
    std::vector<double> ends;
    for (const PlotLine& line : lines_) {
      if (!line.ink || line.points.empty()) continue;
      named.push_back(&line);
      ends.push_back(y_(line.points.back().y));
    }
    const auto places = spread(ends, kLabelGap, kTop, y_.begin);
    for (std::size_t i = 0; i < named.size(); ++i) {
      const double end = x_(named[i]->points.back().x);
      out_ += fmt::format("<g class=\"ink{}\">\n", *named[i]->ink % kInks);
      out_ +=
          fmt::format("<polyline class=\"leader\" points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" />\n",
                      end + 5, ends[i], x_.end + 14, places[i], x_.end + 20, places[i]);
      marker(*named[i], x_.end + 25, places[i], "");
      put_text("label", x_.end + 34, places[i] + 4, named[i]->label);
      out_ += "</g>\n";
    }
  }

  const Plot& plot_;
  std::vector<PlotLine> lines_;  // lines of the plot, without the points that lie outside of its axes
  Scale x_;
  Scale y_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  return Drawing(plot).text();
}

}  // namespace warpmark
