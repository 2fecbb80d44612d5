// What CUDA 13 calls its enumerators and members, and their numbers: by the table (cuda_facts.inc), by the
// simulator's headers, and, where the toolkit is installed, by its own.
#pragma once

#include <string>
#include <vector>

namespace warpmark::simulator {

struct CudaFact {
  std::string name;
  long number = 0;
  friend bool operator==(const CudaFact&, const CudaFact&) = default;
};

std::vector<CudaFact> facts_of_the_toolkit();

}  // namespace warpmark::simulator
