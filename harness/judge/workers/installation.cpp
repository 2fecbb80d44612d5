#include "harness/judge/workers/installation.h"

#include <fmt/format.h>

#include "harness/build/worker_program.h"

namespace warpmark::judge {

Engine Installation::player_of(Engine engine) const {
  const auto player = played_by.find(engine);
  return player == played_by.end() ? engine : player->second;
}

std::filesystem::path Installation::worker(Engine engine) const {
  engine = player_of(engine);
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
