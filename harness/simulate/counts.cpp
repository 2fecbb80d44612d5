#include "harness/simulate/counts.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "harness/base/counters.h"
#include "reports/text.h"

namespace warpmark::simulate {
namespace {

using nlohmann::json;

// More sectors a request than even 16-byte values in a row need.
constexpr double kWideSectors = 16.5;
constexpr double kFewLanes = 16;
constexpr double kMuchOfAKernel = 0.1;  // of its instructions

std::uint64_t volume(const json& launch, const char* name) {
  std::uint64_t product = 1;
  for (const json& side : launch.value(name, json::array())) product *= side.get<std::uint64_t>();
  return product;
}

double number_in(const std::map<std::string, double>& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? 0 : found->second;
}

// A mean over instructions becomes a sum, so that large launches count for more.
void add_numbers(const json& from, std::string_view mean, const std::string& weight,
                 std::map<std::string, double>& to) {
  for (const auto& [name, value] : from.items()) {
    if (value.is_number()) to[name] += value.get<double>() * (name == mean ? from.value(weight, 0.0) : 1);
  }
}

void add(const json& launch, KernelCounts& counts) {
  const std::string shape = fmt::format("{} x {}", grouped(volume(launch, "grid")), volume(launch, "block"));
  if (counts.launches == 0) counts.shape = shape;
  counts.same_shape = counts.same_shape && shape == counts.shape;
  ++counts.launches;
  add_numbers(launch.value("counters", json::object()), counter::kActiveLanes,
              std::string(counter::kInstructions), counts.counters);
  for (const json& line : launch.value("lines", json::array())) {
    add_numbers(line, "active_lanes", "instructions",
                counts.lines[{line.value("file", ""), line.value("line", 0)}]);
  }
}

double ratio(double sum, double count) {
  return count == 0 ? 0 : sum / count;
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
  std::vector<std::pair<double, Hint>> found;  // with what the line costs, in instructions
  const double instructions = kernel.at(counter::kInstructions);
  for (const auto& [place, numbers] : kernel.lines) {
    const auto number = [&numbers = numbers](const char* name) { return number_in(numbers, name); };
    const auto add = [&, &place = place](double cost, std::string message) {
      found.push_back({cost, {place.first, place.second, std::move(message)}});
    };
    const double sectors = ratio(number("sectors"), number("requests"));
    if (sectors > kWideSectors) {
      add(number("sectors"),
          fmt::format("{:.1f} sectors a request: the threads of a warp use memory far apart; let "
                      "neighbouring threads use neighbouring values",
                      sectors));
    }
    const double conflicts = ratio(number("conflicts"), number("shared_requests"));
    if (conflicts >= 1) {
      add(number("conflicts"),
          fmt::format("{} bank conflicts, {:.1f} a request: threads of a warp use different words of "
                      "one bank; change the stride, or pad the array by a column",
                      grouped(static_cast<unsigned long long>(number("conflicts"))), conflicts));
    }
    const double lanes = ratio(number("active_lanes"), number("instructions"));
    if (lanes < kFewLanes && number("instructions") > kMuchOfAKernel * instructions) {
      add(number("instructions"),
          fmt::format("{:.1f} of 32 lanes work on average: let whole warps take the same branch", lanes));
    }
  }
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, Hint>::first);
  std::vector<Hint> hints;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) hints.push_back(std::move(found[i].second));
  return hints;
}

std::vector<KernelCounts> counts_by_kernel(const std::vector<json>& launches) {
  std::vector<KernelCounts> all;
  for (const json& launch : launches) {
    const std::string kernel = launch.value("kernel", "");
    auto known = std::ranges::find(all, kernel, &KernelCounts::kernel);
    if (known == all.end())
      known = all.insert(all.end(), KernelCounts{.kernel = kernel, .shape = {}, .counters = {}, .lines = {}});
    add(launch, *known);
  }
  return all;
}

}  // namespace warpmark::simulate
