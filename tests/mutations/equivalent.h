// Mutations of the reference that change nothing anybody can see, and why.
#pragma once

#include <span>
#include <string_view>

namespace warpmark::mutations {

struct Equivalent {
  std::string_view mutant;  // version and name: "v03_atomic_coalesced test.1"
  std::string_view why;
};

std::span<const Equivalent> equivalents();

// Null when the mutation has to be found.
const Equivalent* equivalent(std::string_view mutant);

}  // namespace warpmark::mutations
