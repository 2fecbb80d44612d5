// Command lines and sandbox settings of worker processes and of the simulated device.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {

// Folder in which a sandboxed worker process finds the libraries to load. The libraries are unknown when the
// sandbox is created, so the judge process copies each one there before it is loaded.
class Shelf {
 public:
  // Creates the folder in which a sandboxed worker process finds libraries. Throws std::system_error if that
  // fails.
  Shelf();
  // Copies a library to the folder in which a sandboxed worker process finds libraries. Returns its path as
  // seen inside the sandbox.
  Result<std::string> put(const std::filesystem::path& library);
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  TemporaryFolder private_;  // parent of the libraries' folder; closed to other users outside the sandbox
  // folder of a sandboxed worker process's libraries; readable if the process runs as another user
  std::filesystem::path folder_;
  int count_ = 0;
};

// Returns the command that starts a worker process, without its file descriptors. `shelf`: folder of the
// libraries that it loads, used at sandbox level `box`.
sandbox::Command worker_command(const Installation& installation, Engine engine,
                                const std::filesystem::path& shelf);

// Turns the command into one that starts several MPI ranks. `side` is start.mpi_side, and `folder` a folder
// for temporary files, as the ranks see them. `devices`: each rank has a simulated device of its own.
void add_ranks(sandbox::Command& command, const Installation& installation, const RankStart& start,
               const std::string& side, const std::filesystem::path& folder, bool devices);

// Returns the command that starts the simulated device, which cannot see student libraries. `libraries`: as
// in WorkerShape.
sandbox::Command device_command(const Installation& installation, int devices = 1,
                                const std::optional<std::vector<std::string>>& libraries = std::nullopt);

}  // namespace warpmark::judge
