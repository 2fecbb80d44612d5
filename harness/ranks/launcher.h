// Runs the ranks of a version: starts mpirun, passes each rank its descriptors, and reports to the judge how
// the ranks ended if they end without an answer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmark::ranks {

struct MpiJob {
  int ranks = 1;
  bool devices = false;              // descriptors kDevice, kDevice + 1, ... are open, one per rank
  std::filesystem::path folder;      // holds the socket; owned and removed by the caller
  std::vector<std::string> starter;  // command line of mpirun or srun
  std::vector<std::string> worker;   // command line of the worker
};

// Returns when a rank or mpirun has ended. The caller then ends this process, and its keeper kills the other
// ranks.
int launch(const MpiJob& job);

}  // namespace warpmark::ranks
