// `warpmark nvcc`: makes what nvcc would make of a command line, for the simulator. Objects and programs are
// ordinary ELF files, which g++ and mpicxx link, too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/nvcc/options.h"

namespace warpmark::nvcc {

struct Place {
  build::Settings build;          // cache, headers and runtime of the simulator
  std::filesystem::path start;    // warpmark_start.o, which is linked into every program
  std::filesystem::path samples;  // headers with the names of those of NVIDIA's samples
  std::filesystem::path toolkit;  // root of the stand-in for a CUDA toolkit (stand_in.h), for -v
};

// Executes one command line of nvcc, its program's name left out. Diagnostics go to stderr. Returns the exit
// status: 0, 1 for what the compilers refuse, 2 for a fault of this program or machine.
int nvcc(const Place& place, const std::vector<std::string>& arguments);

}  // namespace warpmark::nvcc
