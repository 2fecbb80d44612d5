#include "harness/judge/rules/work_limit.h"

#include <algorithm>

namespace warpmark::judge {
namespace {

constexpr std::array kOfLoads{WorkCounter::bytes_read_a_value, WorkCounter::load_requests_a_value};
constexpr std::array kOfSharedMemory{WorkCounter::shared_requests_a_warp};

}  // namespace

std::optional<WorkCounter> work_counter_from(std::string_view name) {
  const auto* rule = std::ranges::find(kWorkCounters, name, &WorkCounterRule::name);
  return rule == kWorkCounters.end() ? std::nullopt : std::optional(rule->counter);
}

std::span<const WorkCounter> missing_bounds(const WorkLimit& limit, std::span<const WorkLimit> all) {
  const Padding padding = rule_of(limit.counter).padding;
  // A minimum per thread or block is kept by doing more, and nothing divided by anything stays nothing.
  if (padding == Padding::none || limit.limit == 0 || limit.at_least != (padding == Padding::raised_by_loads))
    return {};
  const std::span<const WorkCounter> bounds = padding == Padding::lowered_by_shared_memory
                                                  ? std::span<const WorkCounter>(kOfSharedMemory)
                                                  : std::span<const WorkCounter>(kOfLoads);
  const bool bounded = std::ranges::any_of(all, [&](const WorkLimit& other) {
    return !other.at_least && std::ranges::find(bounds, other.counter) != bounds.end();
  });
  return bounded ? std::span<const WorkCounter>() : bounds;
}

}  // namespace warpmark::judge
