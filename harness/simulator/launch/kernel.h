// What launch.h calls a Kernel: an entry of a program.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/launch/launch.h"
#include "harness/simulator/native/native_code.h"

namespace warpmark::simulator {

// A program's native code, made when it is first asked for.
class NativeProgram {
 public:
  explicit NativeProgram(const Program& program) : program_(program) {}
  const native::NativeCode* get() {  // null: there is none on this machine
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
  std::vector<std::uint32_t> unsupported;  // pcs
  NativeProgram* native = nullptr;
  Dim3 cluster = {0, 0, 0};  // that the source asks for
};

}  // namespace warpmark::simulator
