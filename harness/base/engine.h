// Where a submission runs.
#pragma once

#include <string_view>

namespace warpmark {

enum class Engine { gpu, simulator };

constexpr std::string_view name_of(Engine engine) {
  return engine == Engine::gpu ? "gpu" : "simulator";
}

}  // namespace warpmark
