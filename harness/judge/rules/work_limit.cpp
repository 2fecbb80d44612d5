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

std::span<const WorkCounter> bounds_of(const WorkLimit& limit) {
  // A minimum per thread or block is kept by doing more, and nothing divided by anything stays nothing.
  const bool of_busy =
      limit.counter == WorkCounter::busy_threads_a_value || limit.counter == WorkCounter::busy_launches;
  if (limit.at_least != of_busy || limit.limit == 0) return {};
  switch (limit.counter) {
    case WorkCounter::atomics_a_thread:
    case WorkCounter::shared_atomics_a_thread:
    case WorkCounter::busy_threads_a_value:
    case WorkCounter::busy_launches:
    case WorkCounter::sectors_a_request:
    case WorkCounter::stores_a_block:
    case WorkCounter::shared_requests_a_warp:
    case WorkCounter::barriers_a_block:
      return kOfLoads;
    case WorkCounter::conflicts_a_request:
      return kOfSharedMemory;
    case WorkCounter::atomics_a_value:
    case WorkCounter::threads_a_value:
    case WorkCounter::instructions_a_value:
    case WorkCounter::block_y:
    case WorkCounter::span:
    case WorkCounter::shuffles_a_warp:
    case WorkCounter::library_share:
    case WorkCounter::launches:
    case WorkCounter::load_requests_a_value:
    case WorkCounter::bytes_read_a_value:
      break;
  }
  return {};
}

}  // namespace warpmark::judge
