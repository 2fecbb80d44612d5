#include "tests/simulator/cuda_facts.h"

#include <cstddef>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <library_types.h>

namespace warpmark::simulator {
namespace {

std::vector<CudaFact> facts_of_the_table() {
#define ENUMERATOR(name, number) {#name, number},
#define MEMBER(name, offset) {"cudaDeviceProp::" #name, offset},
  return {
#include "tests/simulator/cuda_facts.inc"
  };
#undef ENUMERATOR
#undef MEMBER
}

std::vector<CudaFact> facts_of_the_simulator() {
#define ENUMERATOR(name, number) {#name, static_cast<long>(name)},
#define MEMBER(name, offset) {"cudaDeviceProp::" #name, static_cast<long>(offsetof(cudaDeviceProp, name))},
  return {
#include "tests/simulator/cuda_facts.inc"
  };
}

TEST(CudaFacts, of_the_simulators_headers_are_those_of_cuda_13) {
  EXPECT_EQ(facts_of_the_simulator(), facts_of_the_table());
}

#ifdef WARPMARK_TEST_TOOLKIT
TEST(CudaFacts, of_the_installed_toolkit_are_those_of_the_table) {
  EXPECT_EQ(facts_of_the_toolkit(), facts_of_the_table());
}
#endif

}  // namespace
}  // namespace warpmark::simulator
