// Builds the worker programs (which run student code) that depend on the machine: the GPU worker on its CUDA
// toolkit, the sanitizer workers on its clang. They are compiled or linked once, on the machine where they
// run, and kept; all other workers are built beforehand.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/error.h"
#include "harness/build/builder.h"

namespace warpmark::build {

// Returns true for engines (gpu and the sanitizers) whose worker program is built on the machine where it
// runs, by make_worker().
constexpr bool is_made_here(Engine engine) {
  return engine == Engine::gpu || is_sanitizer(engine);
}

struct WorkerParts {
  // Folder of the installation or repository, which holds the worker program's sources (harness/worker) and
  // headers.
  std::filesystem::path root;
  // Folder of the worker program's prebuilt objects, common.o and <engine>.o, and of packaged third-party
  // headers in include/.
  std::filesystem::path objects;
};

// Builds the engine's worker program, unless `program` was already built from the same parts by the same
// compiler. If several processes call this at once, one builds and the others wait. `progress` is called
// before any step that takes more than a second. Fails with a message that says what the machine lacks and
// how to get it.
Result<void> make_worker(const Toolchain& toolchain, const WorkerParts& parts,
                         const std::filesystem::path& program,
                         const std::function<void(const std::string&)>& progress);

// Returns the folder of the CUDA toolkit whose libraries a GPU worker program built by make_worker() loads;
// empty if there is none.
std::filesystem::path toolkit_of(const std::filesystem::path& program);

}  // namespace warpmark::build
