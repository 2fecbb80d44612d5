// Implements NativeCode for processor architectures without code generation: all kernels are interpreted.
#include "harness/simulator/engine/native/native_code.h"

namespace warpmark::simulator::native {

std::unique_ptr<NativeCode> NativeCode::of(const Program& /*program*/) {
  return nullptr;
}

std::uint64_t NativeCode::run(Context& /*context*/, std::uint32_t /*rejoin*/) const {
  return 0;
}

}  // namespace warpmark::simulator::native
