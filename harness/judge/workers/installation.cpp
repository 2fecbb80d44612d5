#include "harness/judge/workers/installation.h"

#include <fmt/format.h>

#include "harness/build/worker_program.h"

namespace warpmark::judge {

std::filesystem::path Installation::worker(Engine engine) const {
  const std::string name = fmt::format("warpmark-worker-{}", name_of(engine));
  if (!build::is_made_here(engine)) return programs / name;
  return (made.empty() ? programs.parent_path() / "cache/workers" : made) / name;
}

std::filesystem::path Installation::ranks() const {
  return programs / "warpmark-ranks";
}

std::filesystem::path Installation::simulator_headers() const {
  return libraries / "simulator-headers";
}

std::filesystem::path Installation::device() const {
  return programs / "warpmark-device";
}

}  // namespace warpmark::judge
