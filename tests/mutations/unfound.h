// Mutations of the reference that the simulator does not find, and why.
#pragma once

#include <span>
#include <string_view>

namespace warpmark::mutations {

struct Unfound {
  enum class Because {
    equivalent,  // it changes nothing that anybody could see
    missed,      // it is a defect, and nothing here sees it as yet
  };
  std::string_view mutant;  // version and name: "v03_atomic_coalesced test.1"
  Because because;
  std::string_view why;
};

std::span<const Unfound> all_unfound();

// Null when the mutation has to be found.
const Unfound* unfound(std::string_view mutant);

}  // namespace warpmark::mutations
