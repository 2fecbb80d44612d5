#include "tests/mutations/equivalent.h"

#include <algorithm>
#include <array>

namespace warpmark::mutations {
namespace {

constexpr std::array kEquivalents = {
    Equivalent{"v03_atomic_coalesced test.1", "a thread without values adds its 0"},
    Equivalent{"v10_tree_unrolled barrier.2", "stands in code for blocks of 512, of which no kernel is made"},
    Equivalent{"v10_tree_unrolled test.3", "stands in code for blocks of 512, of which no kernel is made"},
    Equivalent{"v17_vector_loads test.1",
               "four values before an aligned array's packs are a head like any other"},
    Equivalent{"v18_single_pass test.2", "every warp adds up the same sums, and only thread 0 uses them"},
    Equivalent{"v21_peak test.10", "four values before an aligned array's packs are a head like any other"},
};

}  // namespace

std::span<const Equivalent> equivalents() {
  return kEquivalents;
}

const Equivalent* equivalent(std::string_view mutant) {
  const auto* const found = std::find_if(kEquivalents.begin(), kEquivalents.end(),
                                         [=](const Equivalent& entry) { return entry.mutant == mutant; });
  return found == kEquivalents.end() ? nullptr : found;
}

}  // namespace warpmark::mutations
