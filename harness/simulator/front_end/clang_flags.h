// How clang turns one .cu file into a library for the simulator: two device passes, one host pass, no CUDA
// toolkit.
//
//   clang++ device_flags(checking)  -I<include> a.cu -o a.O0.ptx
//   clang++ device_flags(counting)  -I<include> a.cu -o a.O2.ptx
//   (both put into one file by fat_binary.h's pack())
//   clang++ host_flags(packed file) -I<include> a.cu -o a.so link_flags(libwarpmark_cudart.so)
// or, for a program of several files,
//   clang++ host_flags(packed file) -I<include> -c a.cu -o a.o
//   clang++ a.o b.o libwarpmark_cudart.so -o program
// What every source begins with may be parsed once for each of the three:
//   clang++ <flags of the pass> precompile_flags() empty.cu -o pass.pch
// and is then given to the pass by its name.
//
// <include> is harness/simulator/include: headers of our own, before all other folders. Flags of the caller
// (-D, -I, warnings) stand before the source and have to be the same in the three passes.
#pragma once

#include <string>
#include <vector>

namespace warpmark::simulator {

enum class Level {
  checking,  // -O0: every access and barrier of the source is still there
  counting,  // -O2: what a GPU would run
};

// precompiled: what precompile_flags() made in a run with otherwise the same flags; empty: the header is
// parsed.
inline std::vector<std::string> preamble_flags(const std::string& precompiled) {
  if (precompiled.empty()) return {"-include", "cuda_runtime.h"};
  return {"-Xclang", "-include-pch", "-Xclang", precompiled};
}

// The file holds no times: who keeps it compares what it was made from.
inline std::vector<std::string> precompile_flags() {
  return {"-c", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"};
}

inline std::vector<std::string> common_flags() {
  return {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-gpu-arch=sm_80",
          "-std=c++20",
          // As nvcc and the programs that it has taken: a float may be written as a part of a uint4, and a
          // function that ends without its return gives any value.
          "-fno-strict-aliasing", "-fno-strict-return",
          // Which C++17 no longer knows, and g++ behind nvcc lets pass.
          "-Wno-register",
          // libcu++ declares functions of any arguments for the device, which nothing calls.
          "-Xclang", "-fcuda-allow-variadic-functions",
          // Anything after 9.2: launches go through __cudaPushCallConfiguration.
          "-Xclang", "-target-sdk-version=11.0",
          // The packaged thrust, for C++20, over kernels of our own (include/thrust).
          "-DTHRUST_IGNORE_DEPRECATED_CPP_DIALECT", "-Wno-unused-command-line-argument",
          "-Wno-unknown-cuda-version"};
}

// No warnings: the host pass parses the same text and shows them once.
inline std::vector<std::string> device_flags(Level level, const std::string& precompiled = {}) {
  auto flags = common_flags();
  const auto preamble = preamble_flags(precompiled);
  flags.insert(flags.end(), preamble.begin(), preamble.end());
  flags.insert(flags.end(), {"--cuda-device-only", "-S", "-w", "-Xclang", "-target-feature", "-Xclang",
                             "+ptx70", level == Level::checking ? "-O0" : "-O2",
                             // Names of parameters, and where functions were inlined. (The driver's own -g
                             // gives optimised device code lines alone.)
                             "-Xclang", "-debug-info-kind=limited", "-Xclang", "-dwarf-version=2"});
  // Indices of arrays are tested, and the code goes on (decode/array_index.h).
  if (level == Level::checking) {
    flags.insert(flags.end(),
                 {"-Xclang", "-fsanitize=array-bounds", "-Xclang", "-fsanitize-recover=array-bounds"});
  }
  return flags;
}

// DWARF 4: binutils' addr2line (2.40) loses where a function with several ranges was inlined in DWARF 5.
inline std::vector<std::string> host_flags(const std::string& packed_fat_binary,
                                           const std::string& precompiled = {}) {
  auto flags = common_flags();
  const auto preamble = preamble_flags(precompiled);
  flags.insert(flags.end(), preamble.begin(), preamble.end());
  flags.insert(flags.end(), {"--cuda-host-only", "-O2", "-gline-tables-only", "-gdwarf-4", "-fPIC",
                             // A function's last call keeps its line.
                             "-fno-optimize-sibling-calls", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                             packed_fat_binary});
  return flags;
}

// A file of C in the same program.
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

// After the source ("-x none": the library is no CUDA source). Nothing may stay undefined, and a library's
// own functions come first, so that equal names in two submissions never meet.
inline std::vector<std::string> link_flags(const std::string& runtime_library) {
  return {"-x", "none", "-shared", runtime_library, "-Wl,-z,defs", "-Wl,-Bsymbolic"};
}

}  // namespace warpmark::simulator
