#include "harness/simulator/machine/finding.h"

#include <array>

namespace warpmark::simulator {

// A trap and a failed assertion are what a GPU reports as a failed launch, so they have no kind of their own.
std::string_view name_of(Finding::Kind kind) {
  constexpr std::array<std::string_view, 16> names{
      "out_of_bounds",     "misaligned",      "host_pointer",       "use_after_free",
      "divergent_barrier", "deadlock",        "endless_loop",       "unsupported",
      "cuda_error",        "cuda_error",      "launch_limit",       "race",
      "warp_synchronous",  "same_word_store", "uninitialised_read", "early_exit"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace warpmark::simulator
