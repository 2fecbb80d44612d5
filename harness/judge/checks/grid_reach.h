// Recognises outputs that are not written because the grid ends before them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/reply.h"

namespace warpmark::judge {

struct Reach {
  std::string kernel;
  char axis = 'x';
  std::string what;    // "65535 blocks of 8 threads in y reach 524280 numbers, and no thread takes ..."
  std::string advice;  // a clause
};

// Looks for an axis in which a launch has exactly as many threads as the number of the first output that was
// never written. `message`: begins with that output's name, "b(524280, 0)" or "sums[4096]".
std::optional<Reach> about_reach(std::string_view message, const std::vector<wire::Launch>& launches);

}  // namespace warpmark::judge
