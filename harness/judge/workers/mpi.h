// Detects the machine's MPI installation: compiler and linker flags, and how to start ranks.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

struct Mpi {
  std::filesystem::path mpirun;
  std::filesystem::path srun;  // inside a Slurm allocation with PMIx support; else empty
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;
  std::string description;  // "Open MPI 4.1.4"
};

// Fails with what to install. Supports Open MPI only.
Result<Mpi> find_mpi();

// Start parameters of a worker with several ranks.
struct RankStart {
  int ranks = 1;
  std::filesystem::path mpi_side;  // library built from harness/ranks/mpi_side.cpp
  Mpi mpi;
};

// Returns the launcher's command line; the rank program is to be appended. in_box: the launcher has no
// network and so cannot use Slurm.
std::vector<std::string> rank_starter(const RankStart& start, bool in_box);

// Returns the environment of all ranks. folder: for their temporary files.
std::map<std::string, std::string> rank_environment(const RankStart& start,
                                                    const std::filesystem::path& folder, bool in_box);

}  // namespace warpmark::judge
