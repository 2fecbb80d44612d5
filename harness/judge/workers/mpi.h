// The machine's own MPI, found out by asking it: how to compile for it, and how to start ranks.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

struct Mpi {
  std::filesystem::path mpirun;
  std::filesystem::path srun;  // of an allocation whose Slurm knows PMIx; else empty
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;
  std::string description;  // "Open MPI 4.1.4"
};

// Fails with what to install. Of several kinds of MPI only Open MPI is known.
Result<Mpi> find_mpi();

// How a worker of several ranks is started.
struct RankStart {
  int ranks = 1;
  std::filesystem::path mpi_side;  // the library of harness/ranks/mpi_side.cpp
  Mpi mpi;
};

// The program that starts ranks, with its options; the ranks' own program follows. in_box: it sees no
// network, and so no Slurm.
std::vector<std::string> rank_starter(const RankStart& start, bool in_box);

// For all of them. folder: for what they leave.
std::map<std::string, std::string> rank_environment(const RankStart& start,
                                                    const std::filesystem::path& folder, bool in_box);

}  // namespace warpmark::judge
