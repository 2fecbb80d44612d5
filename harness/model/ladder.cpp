#include "harness/model/ladder.h"

#include <algorithm>

namespace warpmark {

const LadderTime* LadderSeries::at(std::uint64_t n) const {
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const LadderTime& time) { return time.n == n; });
  return found == times.end() || found->samples == 0 ? nullptr : &*found;
}

double LadderTime::half_width() const {
  if (!(low_ms > 0)) return 0;
  return std::max(high_ms - median_ms, median_ms - low_ms) / median_ms;
}

LadderWork Ladder::work_at(std::uint64_t n) const {
  const auto found = std::ranges::find(work, n, &LadderWork::n);
  if (found != work.end()) return *found;
  return {n, static_cast<double>(n) * static_cast<double>(value_bytes), 0};
}

double Ladder::rate(std::uint64_t n, double milliseconds) const {
  if (!(milliseconds > 0)) return 0;
  const LadderWork needed = work_at(n);
  return (counts_operations() ? needed.operations : needed.bytes) / 1e6 / milliseconds;
}

void Ladder::add_rates() {
  for (LadderSeries& one : series) {
    for (LadderTime& time : one.times) {
      if (!(time.median_ms > 0)) continue;
      const LadderWork needed = work_at(time.n);
      time.gb_per_s = needed.bytes / 1e6 / time.median_ms;
      time.gflops = needed.operations / 1e6 / time.median_ms;
      const auto percent = [&](double reached, double peak) {
        return one.cpu || !(peak > 0) ? 0 : 100 * reached / peak;
      };
      time.percent_of_peak =
          std::max(percent(time.gb_per_s, setting.peak_gb_per_s), percent(time.gflops, setting.peak_gflops));
    }
  }
}

const LadderSeries* Ladder::baseline() const {
  const auto found = std::ranges::find(series, false, &LadderSeries::cpu);
  return found == series.end() ? nullptr : &*found;
}

const LadderSeries* Ladder::fastest(bool cpu) const {
  const LadderSeries* best = nullptr;
  const auto asked = sizes();
  for (auto n = asked.rbegin(); n != asked.rend() && best == nullptr; ++n) {
    for (const LadderSeries& one : series) {
      const LadderTime* time = one.cpu == cpu ? one.at(*n) : nullptr;
      if (time == nullptr || (best != nullptr && time->median_ms >= best->at(*n)->median_ms)) continue;
      best = &one;
    }
  }
  return best;
}

double Ladder::widest_percent(bool cpu, std::span<const std::uint64_t> at_sizes) const {
  double widest = 0;
  for (const LadderSeries& one : series) {
    for (const std::uint64_t n : at_sizes) {
      const LadderTime* time = one.cpu == cpu ? one.at(n) : nullptr;
      if (time != nullptr) widest = std::max(widest, 100 * time->half_width());
    }
  }
  return widest;
}

std::optional<double> times_as_fast(const LadderSeries& one, const LadderSeries& other, std::uint64_t n) {
  const LadderTime* time = one.at(n);
  const LadderTime* others = other.at(n);
  if (time == nullptr || others == nullptr || !(time->median_ms > 0)) return std::nullopt;
  return others->median_ms / time->median_ms;
}

Comparison::Tally Comparison::tally() const {
  Tally tally;
  for (const ComparedSize& size : sizes) {
    if (size.rounds == 0) continue;
    ++tally.measured;
    tally.faster += size.low > 1 ? 1 : 0;
    tally.slower += size.high > 0 && size.high < 1 ? 1 : 0;
  }
  return tally;
}

std::vector<std::uint64_t> Ladder::sizes() const {
  std::vector<std::uint64_t> sizes;
  for (const LadderSeries& one : series) {
    for (const LadderTime& time : one.times) sizes.push_back(time.n);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace warpmark
