// What launch.h calls a Kernel: an entry of a program.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/launch/launch.h"

namespace warpmark::simulator {

class Kernel {
 public:
  const Program* program = nullptr;
  const ProgramFunction* function = nullptr;
  std::vector<std::uint32_t> unsupported;  // pcs
  Dim3 cluster = {0, 0, 0};  // that the source asks for
};

}  // namespace warpmark::simulator
