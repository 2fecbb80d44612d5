// The clang flags that compile a .cu file for the simulator: two device passes and one host pass, without a
// CUDA toolkit.
//
//   clang++ device_flags(checking)  -I<include> a.cu -o a.O0.ptx
//   clang++ device_flags(counting)  -I<include> a.cu -o a.O2.ptx
//   (both put into one file by fat_binary.h's pack())
//   clang++ host_flags(packed file) -I<include> a.cu -o a.so link_flags(libwarpmark_cudart.so)
// or, for a program of several files,
//   clang++ host_flags(packed file) -I<include> -c a.cu -o a.o
//   clang++ a.o b.o libwarpmark_cudart.so -o program
// The headers that all sources include first can be precompiled once per pass:
//   clang++ <flags of the pass> precompile_flags() empty.cu -o pass.pch
// and its path is then passed to the pass's flag function.
//
// <include> is the folder of the simulator's headers (harness/simulator/headers.cmake); it must come before
// all other include paths. The caller's own flags (-D, -I, warnings) precede the source and must be identical
// in the three passes.
#pragma once

#include <string>
#include <vector>

namespace warpmark::simulator {

enum class Level {
  // -O0 PTX, which preserves every access and barrier of the source: the simulator checks it for errors.
  checking,
  counting,  // -O2 PTX, as a GPU would run it: the simulator counts its memory accesses and instructions
};

// Returns the flags that include the simulator's common headers: from the file `precompiled`, made with
// precompile_flags() and otherwise identical flags, or by parsing cuda_runtime.h if `precompiled` is empty.
inline std::vector<std::string> preamble_flags(const std::string& precompiled) {
  if (precompiled.empty()) return {"-include", "cuda_runtime.h"};
  return {"-Xclang", "-include-pch", "-Xclang", precompiled};
}

// Returns the flags that write a precompiled header without its inputs' timestamps. clang then does not
// detect a changed input, so a cache must compare the inputs itself.
inline std::vector<std::string> precompile_flags() {
  return {"-c", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"};
}

inline std::vector<std::string> common_flags() {
  return {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-gpu-arch=sm_80",
          "-std=c++20",
          // Compiles as leniently as nvcc: type punning (a float written through a uint4) is permitted, and a
          // function that lacks its return statement returns an unspecified value instead of running on.
          "-fno-strict-aliasing", "-fno-strict-return",
          // Permits the `register` keyword, which C++17 removed and nvcc's host compiler accepts.
          "-Wno-register",
          // Permits the variadic device functions that libcu++ declares but never calls.
          "-Xclang", "-fcuda-allow-variadic-functions",
          // With any CUDA version from 9.2 on, clang launches kernels through __cudaPushCallConfiguration.
          "-Xclang", "-target-sdk-version=11.0",
          // Silences Thrust's warning about the C++ dialect.
          "-DTHRUST_IGNORE_DEPRECATED_CPP_DIALECT", "-Wno-unused-command-line-argument",
          "-Wno-unknown-cuda-version"};
}

// Returns the flags of a device pass. Warnings are off, because the host pass parses the same source and
// reports them.
inline std::vector<std::string> device_flags(Level level, const std::string& precompiled = {}) {
  auto flags = common_flags();
  const auto preamble = preamble_flags(precompiled);
  flags.insert(flags.end(), preamble.begin(), preamble.end());
  flags.insert(flags.end(), {"--cuda-device-only", "-S", "-w", "-Xclang", "-target-feature", "-Xclang",
                             "+ptx70", level == Level::checking ? "-O0" : "-O2",
                             // Debug information with parameter names and inlining. (The driver's own -g
                             // reduces optimised device code to line tables.)
                             "-Xclang", "-debug-info-kind=limited", "-Xclang", "-dwarf-version=2"});
  // Bounds-checks array indices; execution continues after a failed check (decode/array_index.h).
  if (level == Level::checking) {
    flags.insert(flags.end(),
                 {"-Xclang", "-fsanitize=array-bounds", "-Xclang", "-fsanitize-recover=array-bounds"});
  }
  return flags;
}

// Returns clang's flags for the host pass. Requests DWARF 4, because addr2line of binutils 2.40 fails on
// inlined functions with several address ranges in DWARF 5.
inline std::vector<std::string> host_flags(const std::string& packed_fat_binary,
                                           const std::string& precompiled = {}) {
  auto flags = common_flags();
  const auto preamble = preamble_flags(precompiled);
  flags.insert(flags.end(), preamble.begin(), preamble.end());
  flags.insert(flags.end(), {"--cuda-host-only", "-O2", "-gline-tables-only", "-gdwarf-4", "-fPIC",
                             // Disables tail calls, which would drop the caller's frame and with it the
                             // source line of the call.
                             "-fno-optimize-sibling-calls", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                             packed_fat_binary});
  return flags;
}

// Returns the flags for a C source file of a CUDA program.
inline std::vector<std::string> c_flags() {
  return {"-x",
          "c",
          "-std=gnu17",
          "-O2",
          "-gline-tables-only",
          "-gdwarf-4",
          "-fPIC",
          "-fno-strict-aliasing",
          "-fno-optimize-sibling-calls"};
}

// Returns the flags that link a shared library; they must follow the source on the command line. "-x none" is
// needed because the runtime library is no CUDA source. Undefined symbols are errors, and -Bsymbolic binds a
// library's symbols to its own definitions, so that equal names in two submissions do not clash.
inline std::vector<std::string> link_flags(const std::string& runtime_library) {
  return {"-x", "none", "-shared", runtime_library, "-Wl,-z,defs", "-Wl,-Bsymbolic"};
}

}  // namespace warpmark::simulator
