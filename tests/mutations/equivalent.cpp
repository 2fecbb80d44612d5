#include "tests/mutations/equivalent.h"

#include <algorithm>
#include <array>

namespace warpmark::mutations {
namespace {

constexpr std::array kEquivalents = {
    Equivalent{"v03_atomic_coalesced test.1", "a thread without values adds its 0"},
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
