// Defines Kernel, which launch.h only declares: a decoded entry function of a PTX module.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/engine/native/native_code.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Native machine code of a program's decoded PTX, compiled on first use. Thread-safe.
class NativeProgram {
 public:
  explicit NativeProgram(const Program& program) : program_(program) {}
  // machine code of the PTX program, compiled on first use; null if the host cannot run it
  const native::NativeCode* get() {
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
  // pcs of unsupported instructions in the kernel and the functions it calls
  std::vector<std::uint32_t> unsupported;
  NativeProgram* native = nullptr;
  Dim3 cluster = {0, 0, 0};  // blocks per cluster, from the kernel's __cluster_dims__; 0 if absent
};

}  // namespace warpmark::simulator
