// Counters that a rubric may limit in the check `work`. They count executed work (requests, atomics,
// barriers), chosen so that they do not depend on the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/base/instruction_group.h"

namespace warpmark::judge {

// Performance counters that a rubric can limit: sums over all kernel launches of one call, most of them
// divided by another sum. "a_value" in a name means per input element; "a_thread", "a_warp" and "a_block"
// count busy ones only, see value_of() in judge/cases/counted.h.
enum class WorkCounter : std::uint8_t {
  atomics_a_value,
  atomics_a_thread,
  shared_atomics_a_thread,
  threads_a_value,
  block_y,
  busy_threads_a_value,
  instructions_a_value,
  real_operations_a_value,
  span,
  shuffles_a_warp,
  library_share,
  launches,
  busy_launches,
  load_requests_a_value,
  sectors_a_request,
  bytes_read_a_value,
  stores_a_block,
  stores_a_thread,
  shared_requests_a_warp,
  conflicts_a_request,
  barriers_a_block,
};

// How work that adds nothing to the answer, such as loads by idle threads, changes a counter in a student's
// favour, unless another counter is limited: bytes read or load requests per value, or shared memory requests
// per warp. lowered_*: by less of the counter, where that is at most something; raised_by_loads: by more of
// it, where that is at least something.
enum class Padding : std::uint8_t { none, lowered_by_loads, raised_by_loads, lowered_by_shared_memory };

struct WorkCounterRule {
  WorkCounter counter;
  std::string_view name;   // name of the work counter, as in the rubric file
  std::string_view title;  // text shown in reports
  Padding padding = Padding::none;
  // True if less is better by itself, so that `assignment check --propose` may propose an upper limit.
  bool is_cost = true;
  // Instructions that the counter counts, for limits with WorkLimit::used; nullopt: the counter has none.
  std::optional<InstructionGroup> group = std::nullopt;
};

inline constexpr std::array kWorkCounters{
    WorkCounterRule{WorkCounter::atomics_a_value, "atomics_a_value", "global atomics per value"},
    WorkCounterRule{WorkCounter::atomics_a_thread, "atomics_a_thread", "global atomics per thread",
                    Padding::lowered_by_loads, true, InstructionGroup::global_atomics},
    WorkCounterRule{WorkCounter::shared_atomics_a_thread, "shared_atomics_a_thread",
                    "shared memory atomics per thread", Padding::lowered_by_loads},
    WorkCounterRule{WorkCounter::threads_a_value, "threads_a_value", "threads launched per value"},
    WorkCounterRule{WorkCounter::block_y, "block_y", "threads of a block in y", Padding::none, false},
    WorkCounterRule{WorkCounter::busy_threads_a_value, "busy_threads_a_value", "busy threads per value",
                    Padding::raised_by_loads, false},
    WorkCounterRule{WorkCounter::instructions_a_value, "instructions_a_value",
                    "instructions of all threads per value", Padding::none, false},
    WorkCounterRule{WorkCounter::real_operations_a_value, "real_operations_a_value",
                    "floating-point operations per value", Padding::none, false,
                    InstructionGroup::real_arithmetic},
    WorkCounterRule{WorkCounter::span, "span", "instructions one after another", Padding::none, false},
    WorkCounterRule{WorkCounter::shuffles_a_warp, "shuffles_a_warp", "shuffles per warp", Padding::none,
                    false, InstructionGroup::shuffles},
    WorkCounterRule{WorkCounter::library_share, "library_share",
                    "share of the instructions in kernels of Thrust and CUB", Padding::none, false},
    WorkCounterRule{WorkCounter::launches, "launches", "kernel launches"},
    WorkCounterRule{WorkCounter::busy_launches, "busy_launches", "busy kernel launches",
                    Padding::raised_by_loads, false},
    WorkCounterRule{WorkCounter::load_requests_a_value, "load_requests_a_value", "load requests per value"},
    WorkCounterRule{WorkCounter::sectors_a_request, "sectors_a_request", "sectors per load request",
                    Padding::lowered_by_loads},
    WorkCounterRule{WorkCounter::bytes_read_a_value, "bytes_read_a_value", "bytes read per value"},
    WorkCounterRule{WorkCounter::stores_a_block, "stores_a_block", "values stored per block",
                    Padding::lowered_by_loads, false},
    WorkCounterRule{WorkCounter::stores_a_thread, "stores_a_thread", "values stored per thread",
                    Padding::lowered_by_loads, false},
    WorkCounterRule{WorkCounter::shared_requests_a_warp, "shared_requests_a_warp",
                    "shared memory requests per warp", Padding::lowered_by_loads, true,
                    InstructionGroup::shared_memory},
    WorkCounterRule{WorkCounter::conflicts_a_request, "conflicts_a_request",
                    "bank conflicts per shared memory request", Padding::lowered_by_shared_memory},
    WorkCounterRule{WorkCounter::barriers_a_block, "barriers_a_block", "barriers per block",
                    Padding::lowered_by_loads}};

constexpr const WorkCounterRule& rule_of(WorkCounter counter) {
  return kWorkCounters[static_cast<std::size_t>(counter)];
}
static_assert([] {
  for (const WorkCounterRule& rule : kWorkCounters) {
    if (&rule_of(rule.counter) != &rule) return false;
  }
  return true;
}());

std::optional<WorkCounter> work_counter_from(std::string_view name);

struct WorkLimit {
  WorkCounter counter = WorkCounter::launches;
  bool at_least = false;  // true: the counted work must be at least `limit`; false: at most
  double limit = 0;
  std::string lesson;  // advice to the student if the limit is violated
  // True: a minimum that has to be reached by work on which the answer depends; see find_unused_work().
  bool used = false;

  [[nodiscard]] bool holds(double value) const { return at_least ? value >= limit : value <= limit; }
  friend bool operator==(const WorkLimit&, const WorkLimit&) = default;
};

// Returns the counters of which a version must limit one from above so that a solution cannot keep a limit by
// work that adds nothing to the answer. Empty if no such limit is needed, or `all` limits of the version have
// one.
std::span<const WorkCounter> missing_bounds(const WorkLimit& limit, std::span<const WorkLimit> all);

}  // namespace warpmark::judge
