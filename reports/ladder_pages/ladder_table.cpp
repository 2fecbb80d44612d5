#include "reports/ladder_pages/ladder_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "reports/reports.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::size_t kColumns = 4;

// Returns the input sizes at which at least one implementation was measured; all sizes if there is none.
std::vector<std::uint64_t> measured_sizes(const Ladder& ladder) {
  std::vector<std::uint64_t> sizes = ladder.sizes();
  const auto timed = [&](std::uint64_t n) {
    return std::ranges::any_of(ladder.series, [n](const LadderSeries& one) { return one.at(n) != nullptr; });
  };
  if (std::ranges::any_of(sizes, timed)) std::erase_if(sizes, std::not_fn(timed));
  return sizes;
}

std::vector<std::uint64_t> sizes_to_show(const Ladder& ladder) {
  const std::vector<std::uint64_t> measured = measured_sizes(ladder);
  std::vector<std::uint64_t> sizes;
  std::set_intersection(measured.begin(), measured.end(), std::begin(kTableSizes), std::end(kTableSizes),
                        std::back_inserter(sizes));
  if (sizes.size() >= 2) return sizes;
  const auto last = static_cast<std::ptrdiff_t>(std::min(kColumns, measured.size()));
  return {measured.end() - last, measured.end()};
}

}  // namespace

LadderTable table_of(const Ladder& ladder) {
  LadderTable table;
  table.sizes = sizes_to_show(ladder);
  table.rate_unit = ladder.rate_unit();
  table.widest_gpu = ladder.widest_percent(false, table.sizes);
  table.widest_cpu = ladder.widest_percent(true, table.sizes);
  const LadderSeries* baseline = ladder.baseline();
  if (baseline != nullptr) table.baseline = baseline->name;
  for (const LadderSeries& one : ladder.series) {
    LadderRow row;
    row.name = one.ranks == 0
                   ? one.name
                   : fmt::format("{}, {} {}", one.name, one.ranks, one.ranks == 1 ? "rank" : "ranks");
    row.cpu = one.cpu;
    for (const std::uint64_t n : table.sizes) {
      const LadderTime* time = one.at(n);
      row.times.push_back(time != nullptr ? milliseconds(time->median_ms) : "-");
      if (time == nullptr) continue;
      row.rate = rate_text(ladder.rate(*time));
      row.of_peak = time->percent_of_peak > 0 ? fmt::format("{:.1f}", time->percent_of_peak) : "";
      const auto ratio = baseline != nullptr ? times_as_fast(one, *baseline, n) : std::nullopt;
      row.speedup = ratio ? speedup_text(*ratio) : "";
    }
    row.note = left_out(one);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string left_out(const LadderSeries& one) {
  bool timed = false;
  for (const LadderTime& time : one.times) {
    timed |= time.samples > 0;
    if (time.note.empty()) continue;
    return timed ? fmt::format("{} (from {} values on)", time.note, power_text(time.n)) : time.note;
  }
  return {};
}

std::string power_text(std::uint64_t n) {
  return std::has_single_bit(n) ? fmt::format("2^{}", std::countr_zero(n)) : grouped(n);
}

std::string raised_power_text(std::uint64_t n) {
  if (!std::has_single_bit(n)) return grouped(n);
  constexpr const char* kRaised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "2";
  for (const char digit : fmt::format("{}", std::countr_zero(n))) text += kRaised[digit - '0'];
  return text;
}

std::string rate_text(double gb_per_s) {
  return gb_per_s < 100 ? fmt::format("{:.3g}", gb_per_s) : whole(gb_per_s);
}

std::string machine_text(const BenchSetting& setting) {
  std::string text;
  if (!setting.gpu.empty()) {
    const std::string driver = setting.driver.empty() ? "" : fmt::format("driver {}, ", setting.driver);
    text = fmt::format("{} ({}{}), ", setting.gpu, driver, setting.compiler);
  }
  return text +
         fmt::format("{} with {} threads", setting.cpu.empty() ? "a CPU" : setting.cpu, setting.cpu_threads);
}

std::string widest_text(const LadderTable& table) {
  std::string text;
  const auto add = [&](double percent, const char* where) {
    if (percent > 0)
      text += fmt::format("{}\u00B1{} % on the {}", text.empty() ? "" : " and ",
                          fmt::format("{:.{}f}", percent, percent < 10 ? 1 : 0), where);
  };
  add(table.widest_gpu, "GPU");
  add(table.widest_cpu, "CPU");
  return text.empty() ? text : fmt::format("The widest interval of these medians is {}.", text);
}

std::string method_text(const Ladder& ladder) {
  std::string text = fmt::format("Medians of single calls on values of type {}", ladder.type);
  if (ladder.confidence > 0) {
    text += fmt::format(", with the sign-test interval of the median at {:g} %", 100 * ladder.confidence);
  }
  text += ". Every answer was checked.";
  if (ladder.setting.gpu.empty()) return text;
  text +=
      " On the GPU, time is CUDA's events around the call, versions in interleaved rounds, 16 values "
      "changed before each call.";
  if (ladder.setting.l2_bytes > 0) {
    text += fmt::format(
        " Inputs above {} MiB, the size of L2, come from memory: L2 is swept before each call by reading "
        "another buffer. Smaller ones are in L2 already.",
        ladder.setting.l2_bytes >> 20);
  }
  return text;
}

std::string method_text(const Comparison& comparison) {
  return fmt::format(
      "The ratio is the second's time over the first's: above 1, {} is faster. Medians over interleaved "
      "rounds (first, second, second, first; the next mirrored) with the sign-test interval at {:g} %. "
      "Misaligned input begins one value past a 256-byte boundary. Time is CUDA's events around a call; L2 "
      "is swept before each call on an input that is larger, by reading another buffer. Every answer was "
      "checked.",
      comparison.first, 100 * comparison.confidence);
}

}  // namespace warpmark
