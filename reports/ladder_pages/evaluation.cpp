#include "reports/ladder_pages/evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "reports/ladder_pages/ladder_plots.h"
#include "reports/ladder_pages/ladder_table.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

std::string power_tick(double n) {
  return raised_power_text(static_cast<std::uint64_t>(std::llround(n)));
}

// Returns the approach of a benchmarked implementation (one core, threads, MPI, GPU). Older result files do
// not name the approach and only distinguish CPU and GPU.
std::string_view way_of(const LadderSeries& series) {
  if (!series.way.empty()) return series.way;
  return series.cpu ? kThreads : kGpu;
}

// Returns the implementation that is fastest at the largest input size for which any has a time; null if none
// has a time.
const LadderSeries* fastest_of(const std::vector<const LadderSeries*>& all,
                               const std::vector<std::uint64_t>& sizes) {
  for (auto n = sizes.rbegin(); n != sizes.rend(); ++n) {
    const LadderSeries* best = nullptr;
    for (const LadderSeries* one : all) {
      const LadderTime* time = one->at(*n);
      if (time != nullptr && (best == nullptr || time->median_ms < best->at(*n)->median_ms)) best = one;
    }
    if (best != nullptr) return best;
  }
  return nullptr;
}

std::string name_of_way(const Ladder& ladder, std::string_view way, unsigned ranks) {
  if (way == kOneCore) return "one core";
  if (way == kThreads) return fmt::format("{} threads", ladder.setting.cpu_threads);
  if (way == kRanks) return ranks == 1 ? "MPI, 1 rank" : fmt::format("MPI, {} ranks", ranks);
  if (way == kGpu) return "GPU";
  if (ranks == 0) return "several GPUs";
  return ranks == 1 ? "MPI, 1 GPU" : fmt::format("MPI, {} GPUs", ranks);
}

// Returns the reason why no implementation of an approach (such as MPI) has a time: what the machine lacks,
// why the implementations were skipped, or that the assignment has none.
std::string reason(const Ladder& ladder, std::string_view way, const std::vector<const LadderSeries*>& all) {
  const auto lacking = std::ranges::find(ladder.missing, way, &LadderMissing::way);
  if (lacking != ladder.missing.end()) return "not run: " + lacking->why;
  for (const LadderSeries* one : all) {
    if (const auto why = left_out(*one); !why.empty()) return fmt::format("{}: {}", one->name, why);
  }
  return fmt::format("{} has no such version", ladder.assignment);
}

// Returns alternative text for a plot: each approach's value at the last size with a time.
std::string last_values(const std::vector<EvaluationWay>& ways,
                        const std::function<std::string(const LadderSeries&, std::uint64_t)>& text) {
  std::string all;
  for (const EvaluationWay& way : ways) {
    if (way.series == nullptr) continue;
    for (auto time = way.series->times.rbegin(); time != way.series->times.rend(); ++time) {
      const std::string value = time->samples > 0 ? text(*way.series, time->n) : "";
      if (value.empty()) continue;
      all +=
          fmt::format("{}{} {} at {} values", all.empty() ? "" : ", ", way.name, value, power_text(time->n));
      break;
    }
  }
  return all;
}

Plot base_plot(const Ladder& ladder, const std::string& description) {
  Plot plot;
  plot.description = description;
  plot.x_label = fmt::format("size, in values of type {}", ladder.type);
  plot.x_text = power_tick;
  plot.y = ScaleKind::log10;
  plot.width = 1240;
  plot.height = 440;
  return plot;
}

std::string ratio_tick(double ratio) {
  return plain_number(ratio) + "\u00D7";
}

}  // namespace

std::vector<EvaluationWay> ways_of(const Ladder& ladder) {
  std::map<std::pair<std::string_view, unsigned>, std::vector<const LadderSeries*>> groups;
  for (const LadderSeries& series : ladder.series) groups[{way_of(series), series.ranks}].push_back(&series);
  const auto sizes = ladder.sizes();
  std::vector<EvaluationWay> ways;
  for (const std::string_view way : {kOneCore, kThreads, kRanks, kGpu, kGpus}) {
    bool any = false;
    for (const auto& [key, all] : groups) {
      if (key.first != way) continue;
      any = true;
      EvaluationWay found{name_of_way(ladder, way, key.second), fastest_of(all, sizes), ""};
      if (found.series == nullptr) {
        found.missing = reason(ladder, way, all);
      } else if (const auto why = left_out(*found.series); !why.empty()) {
        found.missing = fmt::format("{}: {}", found.series->name, why);
      }
      ways.push_back(std::move(found));
    }
    if (!any)
      ways.push_back({way == kRanks ? "MPI" : name_of_way(ladder, way, 0), nullptr, reason(ladder, way, {})});
  }
  return ways;
}

const LadderSeries* evaluation_base(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  if (ways.front().series != nullptr) return ways.front().series;
  const LadderSeries* first = ladder.baseline();
  const bool timed = first != nullptr && std::ranges::any_of(first->times, [](const LadderTime& time) {
                       return time.samples > 0;
                     });
  return timed ? first : nullptr;
}

std::string title_of(const EvaluationWay& way) {
  return way.series == nullptr ? way.name : fmt::format("{}: {}", way.name, way.series->name);
}

Plot plot_evaluation_time(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  Plot plot =
      base_plot(ladder, fmt::format("Time of a call over the size, both axes logarithmic: {}",
                                    last_values(ways, [](const LadderSeries& series, std::uint64_t n) {
                                      return duration_text(series.at(n)->median_ms);
                                    })));
  plot.y_label = "time of a call";
  plot.y_text = duration_text;
  for (std::size_t ink = 0; ink < ways.size(); ++ink) {
    if (ways[ink].series == nullptr) continue;
    PlotLine line{ways[ink].name, {}, ink % kInks, ways[ink].series->cpu};
    for (const LadderTime& time : ways[ink].series->times) {
      if (time.samples == 0) continue;
      line.points.push_back({static_cast<double>(time.n), time.median_ms, time.low_ms, time.high_ms,
                             fmt::format("{}, {} values: {}", title_of(ways[ink]), raised_power_text(time.n),
                                         duration_text(time.median_ms))});
    }
    plot.lines.push_back(std::move(line));
  }
  return plot;
}

std::optional<Plot> plot_evaluation_speedup(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  const LadderSeries* base = evaluation_base(ladder, ways);
  if (base == nullptr) return std::nullopt;
  const auto ratio_text = [base](const LadderSeries& series, std::uint64_t n) {
    const auto ratio = times_as_fast(series, *base, n);
    return ratio ? speedup_text(*ratio) + " times" : std::string();
  };
  Plot plot = base_plot(ladder, fmt::format("Speedup over {} over the size, both axes logarithmic: {}",
                                            base->name, last_values(ways, ratio_text)));
  plot.y_label = fmt::format("times as fast as {}", label_of(base->name));
  plot.y_text = ratio_tick;
  plot.level = Plot::Mark{1, "as fast as " + label_of(base->name)};
  for (std::size_t ink = 0; ink < ways.size(); ++ink) {
    const LadderSeries* series = ways[ink].series;
    if (series == nullptr || series == base) continue;
    PlotLine line{ways[ink].name, {}, ink % kInks, series->cpu};
    for (const LadderTime& time : series->times) {
      const auto ratio = times_as_fast(*series, *base, time.n);
      if (!ratio) continue;
      line.points.push_back({static_cast<double>(time.n), *ratio, 0, 0,
                             fmt::format("{}, {} values: {} times", title_of(ways[ink]),
                                         raised_power_text(time.n), speedup_text(*ratio))});
    }
    if (!line.points.empty()) plot.lines.push_back(std::move(line));
  }
  return plot;
}

}  // namespace warpmark
