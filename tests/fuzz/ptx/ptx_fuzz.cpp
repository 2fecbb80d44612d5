// PTX, with the debug information in it. Clang writes it, but a submission's inline assembly comes through: to the
// device that runs it, and to the judge, who looks for what is not simulated.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "harness/simulator/decode/array_index.h"
#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/ptx/link.h"
#include "harness/simulator/ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmark::simulator;
  auto module = ptx::parse({reinterpret_cast<const char*>(data), size});
  if (!module) {
    if (module.error().empty()) std::abort();
    return 0;
  }
  ptx::link(std::span(&*module, 1), 0);
  settle_index_tests(*module);
  VariableAddresses places;
  for (const ptx::Variable& variable : module->variables) places[variable.name] = 1;
  decode(*module, places);
  return 0;
}
