#include "harness/wire/observation.h"

#include <algorithm>

namespace warpmark::wire {

double Counters::at(std::string_view name) const {
  const auto* const found = std::ranges::find(kCounterNames, name);
  return found == kCounterNames.end() ? 0 : values_[static_cast<std::size_t>(found - kCounterNames.begin())];
}

void Counters::set(std::string_view name, double value) {
  const auto* const found = std::ranges::find(kCounterNames, name);
  if (found != kCounterNames.end()) values_[static_cast<std::size_t>(found - kCounterNames.begin())] = value;
}

std::uint64_t Observation::kernels() const {
  if (!events) return launches.size();
  return static_cast<std::uint64_t>(
      std::ranges::count_if(*events, [](const AuditEvent& event) { return event.launch.has_value(); }));
}

}  // namespace warpmark::wire
