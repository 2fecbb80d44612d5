// Runs the ranks of a student's MPI program: starts mpirun, passes each rank its file descriptors, and
// reports to the judge process how the ranks ended if they end without a reply.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmark::ranks {

struct MpiJob {
  int ranks = 1;
  bool devices = false;  // true: kDevice, kDevice + 1, ... are sockets to simulated devices, one per rank
  std::filesystem::path folder;      // folder of the launcher's socket; owned and removed by the caller
  std::vector<std::string> starter;  // command line of mpirun or srun
  std::vector<std::string> worker;   // command line of the worker
};

// Returns when a rank or mpirun has ended. The caller then exits, after which the sandbox kills the other
// ranks.
int launch(const MpiJob& job);

}  // namespace warpmark::ranks
