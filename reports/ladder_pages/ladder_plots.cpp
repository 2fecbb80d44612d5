#include "reports/ladder_pages/ladder_plots.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "reports/ladder_pages/ladder_table.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::size_t kFamily = 5;  // number of implementations in a plot group if their names share no word
// Minimum number of implementations whose names share a word that get a plot group of their own.
constexpr std::size_t kOwnFamily = 3;

// Returns the word after an implementation's number, which names its technique: "tree" for
// "v07_tree_sequential".
std::string word_of(std::string_view version) {
  const std::size_t begin = std::min(version.find('_'), version.size() - 1) + 1;
  return std::string(version.substr(begin, version.find('_', begin) - begin));
}

std::string power_tick(double n) {
  return raised_power_text(static_cast<std::uint64_t>(std::llround(n)));
}
std::string rate_tick(double gb_per_s) {
  return grouped(static_cast<unsigned long long>(std::llround(gb_per_s)));
}
std::string ratio_tick(double ratio) {
  return plain_number(ratio);
}

std::string point_title(const LadderSeries& of, const LadderTime& time) {
  std::string text =
      fmt::format("{}, {} values: {} ms", of.name, raised_power_text(time.n), milliseconds(time.median_ms));
  if (time.high_ms > 0)
    text += fmt::format(" [{}, {}]", milliseconds(time.low_ms), milliseconds(time.high_ms));
  text += time.gflops > 0 ? fmt::format(", {} GFLOP/s", whole(time.gflops))
                          : fmt::format(", {} GB/s", whole(time.gb_per_s));
  if (time.percent_of_peak > 0) text += fmt::format(", {} % of peak", whole(time.percent_of_peak));
  return text;
}

enum class Quantity { time, rate };

PlotLine line_of(const Ladder& ladder, const LadderSeries& series, Quantity quantity) {
  PlotLine line;
  line.label = label_of(series.name);
  line.dashed = series.cpu;
  for (const LadderTime& time : series.times) {
    if (time.samples == 0) continue;
    PlotPoint point{static_cast<double>(time.n), time.median_ms, time.low_ms, time.high_ms,
                    point_title(series, time)};
    if (quantity == Quantity::rate) {
      point.y = ladder.rate(time);
      point.low = ladder.rate(time.n, time.high_ms);
      point.high = ladder.rate(time.n, time.low_ms);
    }
    line.points.push_back(std::move(point));
  }
  return line;
}

// Returns the lines of a plot: all implementations in grey, then those in `names` again in colour on top.
std::vector<PlotLine> lines_of(const Ladder& ladder, const std::vector<std::string>& names, Quantity quantity,
                               bool with_cpu) {
  std::vector<PlotLine> lines;
  std::map<std::string, PlotLine> named;
  for (const LadderSeries& series : ladder.series) {
    if (series.cpu && !with_cpu) continue;
    PlotLine line = line_of(ladder, series, quantity);
    if (std::find(names.begin(), names.end(), series.name) != names.end()) {
      named[series.name] = std::move(line);
    } else {
      lines.push_back(std::move(line));
    }
  }
  for (std::size_t ink = 0; ink < names.size(); ++ink) {
    const auto found = named.find(names[ink]);
    if (found == named.end()) continue;
    found->second.ink = ink;
    lines.push_back(std::move(found->second));
  }
  return lines;
}

Plot base_plot(const Ladder& ladder, std::string description) {
  Plot plot;
  plot.description = std::move(description);
  plot.x_label = fmt::format("values of type {}", ladder.type);
  plot.x_text = power_tick;
  if (ladder.setting.l2_bytes > 0 && ladder.value_bytes > 0) {
    plot.boundary =
        Plot::Mark{static_cast<double>(ladder.setting.l2_bytes) / static_cast<double>(ladder.value_bytes),
                   "in L2 \u2190 \u2192 in memory"};
  }
  return plot;
}

Plot time_plot(Plot plot) {
  plot.y = ScaleKind::log10;
  plot.y_label = "time of a call";
  plot.y_text = duration_text;
  return plot;
}

}  // namespace

std::vector<Family> families_of(const std::vector<std::string>& versions) {
  std::vector<std::vector<std::string>> groups;
  bool open = false;  // true: further implementations may join the last plot group
  for (std::size_t at = 0; at < versions.size();) {
    std::size_t end = at;
    while (end < versions.size() && word_of(versions[end]) == word_of(versions[at])) ++end;
    const std::vector<std::string> run(versions.begin() + static_cast<std::ptrdiff_t>(at),
                                       versions.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
    for (std::size_t k = 0; k < run.size(); ++k) {
      const bool own = run.size() >= kOwnFamily;
      const bool begins = own ? k % kInks == 0 : !open || groups.back().size() == kFamily;
      if (begins) groups.emplace_back();
      groups.back().push_back(run[k]);
      open = !own;
    }
  }
  std::vector<Family> families;
  for (std::vector<std::string>& group : groups) {
    const auto number = [](const std::string& version) { return version.substr(0, version.find('_')); };
    std::string title = number(group.front());
    if (group.size() > 1) title += " to " + number(group.back());
    families.push_back({std::move(title), std::move(group)});
  }
  return families;
}

std::string label_of(std::string_view version) {
  std::string label(version);
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::string duration_text(double milliseconds) {
  const double micro = milliseconds * 1e3;
  if (micro < 0.9995) return fmt::format("{:.3g} ns", micro * 1e3);
  if (micro < 999.5) return fmt::format("{:.3g} \u00B5s", micro);
  if (milliseconds < 999.5) return fmt::format("{:.3g} ms", milliseconds);
  return fmt::format("{:.3g} s", milliseconds / 1e3);
}

Plot plot_cpu_against_gpu(const Ladder& ladder) {
  std::vector<std::string> names;
  for (const LadderSeries& series : ladder.series) {
    if (series.cpu) names.push_back(series.name);
  }
  if (const LadderSeries* first = ladder.baseline()) names.push_back(first->name);
  const LadderSeries* best = ladder.fastest(false);
  if (best != nullptr && best->name != names.back()) names.push_back(best->name);
  Plot plot = time_plot(base_plot(ladder,
                                  "Time of a call over the number of values: the sums on the CPU against the "
                                  "first and the fastest version"));
  plot.lines = lines_of(ladder, names, Quantity::time, true);
  plot.width = 1240;
  plot.height = 440;
  return plot;
}

Plot plot_bandwidth(const Ladder& ladder, const Family& family) {
  Plot plot =
      base_plot(ladder, fmt::format("{} over the number of values, {}", ladder.rate_unit(), family.title));
  plot.y_label = ladder.rate_unit();
  plot.y_text = rate_tick;
  plot.from_zero = true;
  plot.lines = lines_of(ladder, family.versions, Quantity::rate, false);
  const double peak = ladder.counts_operations() ? ladder.setting.peak_gflops : ladder.setting.peak_gb_per_s;
  if (peak > 0) {
    plot.level = Plot::Mark{
        peak, fmt::format("{} peak, {} {}", ladder.counts_operations() ? ladder.precision + "'s" : "memory's",
                          rate_tick(peak), ladder.rate_unit())};
  }
  return plot;
}

Plot plot_time(const Ladder& ladder, const Family& family) {
  Plot plot =
      time_plot(base_plot(ladder, fmt::format("Time of a call over the number of values, {}", family.title)));
  plot.lines = lines_of(ladder, family.versions, Quantity::time, false);
  return plot;
}

Plot plot_of(const Comparison& comparison) {
  Plot plot;
  plot.description = fmt::format("How many times as fast {} is as {}, over the number of values",
                                 comparison.first, comparison.second);
  plot.x_label = "values";
  plot.x_text = power_tick;
  plot.y_label =
      fmt::format("time of {} / time of {}", label_of(comparison.second), label_of(comparison.first));
  plot.y_text = ratio_tick;
  plot.level = Plot::Mark{1, "equally fast"};
  plot.width = 1240;
  plot.height = 440;
  for (const ComparedSize& size : comparison.sizes) {
    if (size.rounds == 0) continue;
    const std::string label = size.type + (size.aligned ? "" : ", misaligned");
    auto line = std::find_if(plot.lines.begin(), plot.lines.end(),
                             [&](const PlotLine& one) { return one.label == label; });
    if (line == plot.lines.end()) {
      plot.lines.push_back({label, {}, plot.lines.size() % kInks, !size.aligned});
      line = plot.lines.end() - 1;
    }
    line->points.push_back({static_cast<double>(size.n), size.ratio, size.low, size.high,
                            fmt::format("{}, {} values: {:.3f} [{:.3f}, {:.3f}]", label,
                                        raised_power_text(size.n), size.ratio, size.low, size.high)});
  }
  return plot;
}

}  // namespace warpmark
