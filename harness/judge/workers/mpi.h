// Detects the machine's MPI installation: compiler and linker flags, and the command that starts ranks.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

struct Mpi {
  std::filesystem::path mpirun;
  std::filesystem::path srun;  // path of srun; empty unless inside a Slurm allocation with PMIx support
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;
  std::string description;  // such as "Open MPI 4.1.4"
};

// Finds the machine's Open MPI, the only supported MPI. Errors name the packages to install.
Result<Mpi> find_mpi();

// Parameters to start a worker program on several MPI ranks.
struct RankStart {
  int ranks = 1;
  std::filesystem::path mpi_side;  // library through which MPI ranks start (harness/ranks/mpi_side.cpp)
  Mpi mpi;
  // Processor of each rank, so that threads do not make it faster; empty: ranks run where they like.
  std::vector<int> processors = {};
};

// Returns the launcher's command line, to which the program that each rank runs is appended. `in_box`: inside
// a sandbox, where the launcher has no network and so cannot use Slurm.
std::vector<std::string> rank_starter(const RankStart& start, bool in_box);

// Returns the environment variables of a program's MPI ranks. `folder` is for the ranks' temporary files.
std::map<std::string, std::string> rank_environment(const RankStart& start,
                                                    const std::filesystem::path& folder, bool in_box);

}  // namespace warpmark::judge
