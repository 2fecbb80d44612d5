// Command lines and sandboxes of workers.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {

// Folder in which a boxed worker finds the libraries to load. They are not known when it starts: the judge
// copies them there one by one.
class Shelf {
 public:
  // Throws std::system_error if the folder cannot be created.
  Shelf();
  // Copies a library to the shelf. Returns its path inside the box.
  Result<std::string> put(const std::filesystem::path& library);
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  TemporaryFolder private_;       // not accessible to other users
  std::filesystem::path folder_;  // inside private_, readable by a worker that runs as another user
  int count_ = 0;
};

// Returns the command of a worker, without its descriptors. shelf: folder of a Shelf, for Level::box.
sandbox::Command worker_command(const Installation& installation, Engine engine,
                                const std::filesystem::path& shelf);

// Turns the command into that of an MPI worker. side: start.mpi_side as the worker sees it. folder: for
// temporary files, as the ranks see it. devices: each rank has a simulated device of its own.
void add_ranks(sandbox::Command& command, const Installation& installation, const RankStart& start,
               const std::string& side, const std::filesystem::path& folder, bool devices);

// Returns the command of the simulated device, which has no access to the shelf.
sandbox::Command device_command(const Installation& installation, int devices = 1);

}  // namespace warpmark::judge
