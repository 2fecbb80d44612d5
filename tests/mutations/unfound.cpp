#include "tests/mutations/unfound.h"

#include <algorithm>
#include <array>

namespace warpmark::mutations {
namespace {

using enum Unfound::Because;

constexpr std::array kUnfound = {
    Unfound{"v03_atomic_coalesced test.1", equivalent, "a thread without values adds its 0"},
    Unfound{"v05_tree_modulo test.3", equivalent, "every thread stores the same sum: a note, no error"},
    Unfound{"v10_tree_unrolled barrier.2", equivalent,
            "stands in code for blocks of 512, of which no kernel is made"},
    Unfound{"v10_tree_unrolled test.3", equivalent,
            "stands in code for blocks of 512, of which no kernel is made"},
    Unfound{"v17_vector_loads test.1", equivalent,
            "four values before an aligned array's packs are a head like any other"},
    Unfound{"v18_single_pass test.2", equivalent,
            "every warp adds up the same sums, and only thread 0 uses them"},
    Unfound{
        "v18_single_pass fence.2", missed,
        "the fence before the ticket is asked for, the one behind it is not: published code does without"},
    Unfound{"v21_peak test.1", equivalent, "how many blocks share a multiprocessor changes the speed alone"},
    Unfound{"v21_peak test.10", equivalent,
            "four values before an aligned array's packs are a head like any other"},
};

}  // namespace

std::span<const Unfound> all_unfound() {
  return kUnfound;
}

const Unfound* unfound(std::string_view mutant) {
  const auto* const found = std::find_if(kUnfound.begin(), kUnfound.end(),
                                         [=](const Unfound& entry) { return entry.mutant == mutant; });
  return found == kUnfound.end() ? nullptr : found;
}

}  // namespace warpmark::mutations
