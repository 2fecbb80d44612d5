#include "harness/program_analysis/counts.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "harness/base/counters.h"
#include "harness/program_analysis/library_kernels.h"
#include "reports/wording/text.h"

namespace warpmark::program_analysis {
namespace {

// Number of 32-byte sectors per memory request above which a source line gets the advice to coalesce its
// accesses: 32 adjacent 16-byte values need only 16.
constexpr double kWideSectors = 16.5;
constexpr double kFewLanes = 16;
// Only source lines that execute at least this share of a kernel's instructions get advice on idle lanes.
constexpr double kMuchOfAKernel = 0.1;

double number_in(const std::map<std::string, double>& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? 0 : found->second;
}

// Adds the performance counters of one launch to the sums of its kernel. An average per instruction is
// multiplied by the instruction count first, so that large launches count for more.
void add(const wire::CountedWork& work, KernelCounts& counts) {
  for (const std::string_view name : kCounterNames) {
    const double weight = name == counter::kActiveLanes ? work.counters.at(counter::kInstructions) : 1;
    counts.counters[std::string(name)] += work.counters.at(name) * weight;
  }
  for (const wire::CountedLine& line : work.lines) {
    auto& sums = counts.lines[{line.file, line.line}];
    sums.instructions += static_cast<double>(line.instructions);
    sums.lanes += line.active_lanes * static_cast<double>(line.instructions);
    sums.requests += static_cast<double>(line.requests);
    sums.sectors += static_cast<double>(line.sectors);
    sums.shared_requests += static_cast<double>(line.shared_requests);
    sums.conflicts += static_cast<double>(line.conflicts);
  }
}

void add(const wire::Launch& launch, KernelCounts& counts) {
  const std::string shape =
      fmt::format("{} x {}", grouped(wire::volume(launch.grid)), wire::volume(launch.block));
  if (counts.launches == 0) counts.shape = shape;
  counts.same_shape = counts.same_shape && shape == counts.shape;
  ++counts.launches;
  if (launch.work) add(*launch.work, counts);
}

}  // namespace

double KernelCounts::at(std::string_view counter) const {
  return number_in(counters, std::string(counter));
}

double KernelCounts::sectors_per_load() const {
  return ratio(at(counter::kLoadSectors), at(counter::kLoadRequests));
}

double KernelCounts::sectors_per_store() const {
  return ratio(at(counter::kStoreSectors), at(counter::kStoreRequests));
}

double KernelCounts::bank_conflicts() const {
  return at(counter::kLoadConflicts) + at(counter::kStoreConflicts);
}

double KernelCounts::active_lanes() const {
  return ratio(at(counter::kActiveLanes), at(counter::kInstructions));
}

std::vector<Hint> hints_for(const KernelCounts& kernel, std::size_t most) {
  // Optimisation hints for source lines, each with the count by which it is ranked.
  std::vector<std::pair<double, Hint>> found;
  const double instructions = kernel.at(counter::kInstructions);
  for (const auto& [place, line] : kernel.lines) {
    if (is_library_file(place.first)) continue;
    const auto add = [&, &place = place](double cost, std::string message) {
      found.push_back({cost, {place.first, place.second, std::move(message)}});
    };
    const double sectors = ratio(line.sectors, line.requests);
    if (sectors > kWideSectors) {
      add(line.sectors, fmt::format("{:.1f} sectors per request: the threads of a warp access memory that is "
                                    "far apart; let adjacent threads access adjacent values",
                                    sectors));
    }
    const double conflicts = ratio(line.conflicts, line.shared_requests);
    if (conflicts >= 1) {
      add(line.conflicts,
          fmt::format("{} bank conflicts, {:.1f} per request: threads of a warp access different words of "
                      "one bank; change the stride, or pad the array by one column",
                      grouped(static_cast<unsigned long long>(line.conflicts)), conflicts));
    }
    const double lanes = ratio(line.lanes, line.instructions);
    if (lanes < kFewLanes && line.instructions > kMuchOfAKernel * instructions) {
      add(line.instructions,
          fmt::format(
              "{:.1f} of 32 lanes are active on average: let all threads of a warp take the same branch",
              lanes));
    }
  }
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, Hint>::first);
  std::vector<Hint> hints;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) hints.push_back(std::move(found[i].second));
  return hints;
}

std::vector<KernelCounts> counts_by_kernel(const std::vector<wire::Launch>& launches) {
  std::vector<KernelCounts> all;
  for (const wire::Launch& launch : launches) {
    const std::string kernel = shown_kernel(launch.kernel);
    auto known = std::ranges::find(all, kernel, &KernelCounts::kernel);
    if (known == all.end())
      known = all.insert(all.end(), KernelCounts{.kernel = kernel, .shape = {}, .counters = {}, .lines = {}});
    add(launch, *known);
  }
  return all;
}

}  // namespace warpmark::program_analysis
