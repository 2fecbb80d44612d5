// Runs the ranks of a student's MPI program: starts mpirun, passes each rank its file descriptors, and
// reports to the judge process how the ranks ended if they end without a reply.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmark::ranks {

struct MpiJob {
  int ranks = 1;
  // True: the launcher passes each rank a socket to its own simulated GPU, inherited as descriptors kDevice,
  // kDevice + 1, ...
  bool devices = false;
  std::string processors;  // of the ranks, in their order: "0,2"; "any": they run where they like
  // Folder in which the launcher creates the socket for the MPI ranks' connections; the caller owns and
  // removes it.
  std::filesystem::path folder;
  std::vector<std::string> starter;  // command line of mpirun or srun
  // Command line of the worker process that runs the student's code in each rank.
  std::vector<std::string> worker;
};

// Starts a student's MPI program and watches its ranks. Returns when any rank or mpirun has ended; the caller
// then exits, after which the sandbox kills the remaining ranks.
int launch(const MpiJob& job);

}  // namespace warpmark::ranks
