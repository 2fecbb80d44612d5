// How a worker is started: what it is told and what it sees.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {

// Where a boxed worker finds the libraries that it is told to load. They are not known when it starts: the
// judge puts them there, one by one.
class Shelf {
 public:
  // Throws std::system_error when there is no room for it.
  Shelf();
  // Copies a library there. Its name in the box.
  Result<std::string> put(const std::filesystem::path& library);
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  TemporaryFolder private_;       // which other users of the machine cannot enter
  std::filesystem::path folder_;  // in it, for a worker that is another user
  int count_ = 0;
};

// All but the descriptors. shelf: the folder of one, for Level::box.
sandbox::Command worker_command(const Installation& installation, Engine engine,
                                const std::filesystem::path& shelf);

// Makes that the command of a worker of several ranks. side: start.mpi_side, as the worker sees it. folder:
// for what they leave, as they see it. devices: whether each rank has one of its own.
void add_ranks(sandbox::Command& command, const Installation& installation, const RankStart& start,
               const std::string& side, const std::filesystem::path& folder, bool devices);

// The same of the simulated device, which sees nothing of the shelf.
sandbox::Command device_command(const Installation& installation, int devices = 1);

}  // namespace warpmark::judge
