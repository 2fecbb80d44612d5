#include "harness/judge/rules/work_limit.h"

#include <algorithm>

namespace warpmark::judge {

std::optional<WorkCounter> work_counter_from(std::string_view name) {
  const auto* rule = std::ranges::find(kWorkCounters, name, &WorkCounterRule::name);
  return rule == kWorkCounters.end() ? std::nullopt : std::optional(rule->counter);
}

}  // namespace warpmark::judge
