// PTX, with the debug information in it. Clang writes it, but a submission's inline assembly comes through.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/simulator/ptx/link.h"
#include "harness/simulator/ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmark::simulator::ptx;
  const auto module = parse({reinterpret_cast<const char*>(data), size});
  if (!module) {
    if (module.error().empty()) std::abort();
    return 0;
  }
  link(std::span(&*module, 1), 0);
  return 0;
}
