#include "harness/judge/workers/installation.h"

#include <fmt/format.h>

namespace warpmark::judge {

std::filesystem::path Installation::worker(Engine engine) const {
  return programs / fmt::format("warpmark-worker-{}", name_of(engine));
}

std::filesystem::path Installation::ranks() const {
  return programs / "warpmark-ranks";
}

std::filesystem::path Installation::device() const {
  return programs / "warpmark-device";
}

}  // namespace warpmark::judge
