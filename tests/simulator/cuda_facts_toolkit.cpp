// Compiled with the toolkit's headers.
#include <cstddef>

#include <cuda_runtime_api.h>
#include <library_types.h>

#include "tests/simulator/cuda_facts.h"

namespace warpmark::simulator {

std::vector<CudaFact> facts_of_the_toolkit() {
#define ENUMERATOR(name, number) {#name, static_cast<long>(name)},
#define MEMBER(name, offset) {"cudaDeviceProp::" #name, static_cast<long>(offsetof(cudaDeviceProp, name))},
  return {
#include "tests/simulator/cuda_facts.inc"
  };
}

}  // namespace warpmark::simulator
