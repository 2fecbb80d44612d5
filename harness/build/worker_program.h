// The workers that depend on the machine: the GPU's on its CUDA toolkit, the sanitizers' on its clang. What
// is the same everywhere is built beforehand; the rest is compiled or linked where they run, once, and kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/error.h"
#include "harness/build/builder.h"

namespace warpmark::build {

// True for engines whose worker make_worker() makes.
constexpr bool is_made_here(Engine engine) {
  return engine == Engine::gpu || is_sanitizer(engine);
}

struct WorkerParts {
  std::filesystem::path root;     // of an installation or a repository: harness/worker/*.cpp and our headers
  std::filesystem::path objects;  // common.o, <engine>.o; include/: headers of others, if they are carried
};

// Makes the engine's worker, unless `program` was made of the same parts by the same compiler. Of several
// processes that ask at once, one makes it and the others wait. `progress` is called before anything that
// takes more than a second. Fails with what the machine lacks and the remedy.
Result<void> make_worker(const Toolchain& toolchain, const WorkerParts& parts,
                         const std::filesystem::path& program,
                         const std::function<void(const std::string&)>& progress);

// The toolkit's folder that a GPU's worker, made by make_worker(), takes its libraries from; empty: none.
std::filesystem::path toolkit_of(const std::filesystem::path& program);

}  // namespace warpmark::build
