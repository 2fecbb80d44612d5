// Definition of Kernel, which launch.h only declares: an entry function of a program.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/engine/native/native_code.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Native code of a program, compiled on first use. Thread-safe.
class NativeProgram {
 public:
  explicit NativeProgram(const Program& program) : program_(program) {}
  const native::NativeCode* get() {  // null if this machine cannot run native code
    std::call_once(once_, [&] { code_ = native::NativeCode::of(program_); });
    return code_.get();
  }

 private:
  const Program& program_;
  std::once_flag once_;
  std::unique_ptr<native::NativeCode> code_;
};

class Kernel {
 public:
  const Program* program = nullptr;
  const ProgramFunction* function = nullptr;
  std::vector<std::uint32_t> unsupported;  // pcs of unsupported instructions
  NativeProgram* native = nullptr;
  Dim3 cluster = {0, 0, 0};  // __cluster_dims__ in the source; 0 if absent
};

}  // namespace warpmark::simulator
