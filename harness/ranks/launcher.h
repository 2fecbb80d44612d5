// Runs a version's ranks: starts mpirun, gives each rank its descriptors, and tells the judge how they ended
// when they end without an answer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmark::ranks {

struct Launch {
  int ranks = 1;
  bool devices = false;              // descriptors kDevice, kDevice + 1, ... are there, one a rank
  std::filesystem::path folder;      // for the socket; the caller's, who removes it
  std::vector<std::string> starter;  // mpirun or srun, with its options
  std::vector<std::string> worker;   // with its options
};

// Returns when a rank or mpirun has ended; the caller ends the process, and its keeper the others.
int launch(const Launch& launch);

}  // namespace warpmark::ranks
