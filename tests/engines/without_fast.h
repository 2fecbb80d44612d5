// A rubric without the check `fast`, which only a GPU decides, and only if no other process uses it.
#pragma once

#include <string>

#include "harness/base/error.h"

namespace warpmark::engines {

// Returns the rubric without `fast` in the checks of its versions. Fails if the text is no TOML.
Result<std::string> without_fast(const std::string& rubric);

}  // namespace warpmark::engines
