#include "harness/judge/workers/installation.h"

#include <fmt/format.h>

namespace warpmark::judge {

std::filesystem::path Installation::worker(Engine engine) const {
  return programs / fmt::format("warpmark-worker-{}", name_of(engine));
}

}  // namespace warpmark::judge
