// Amounts of work of the kernels in harness/worker/probe.cu, which judge process and library must agree on.
#pragma once

#include <cstdint>

namespace warpmark::probe {

inline constexpr std::uint64_t kThreads = 256;  // threads per block of all kernels but the empty one
inline constexpr std::uint64_t kWarps = kThreads / 32;

// probe_instructions: each warp executes kTurns x kInstructions arithmetic instructions, and about
// kLoopInstructions more per turn for the loop.
inline constexpr std::uint64_t kTurns = 2048;
inline constexpr std::uint64_t kInstructions = 64;
inline constexpr std::uint64_t kLoopInstructions = 3;
// Blocks per multiprocessor of probe_instructions and probe_atomics: enough that each scheduler has 16 warps.
inline constexpr std::uint64_t kBlocksEach = 8;

inline constexpr std::uint64_t kAtomics = 256;   // probe_atomics: atomics per warp, all on one address
inline constexpr std::uint64_t kLaunches = 200;  // probe_launches: empty kernels, one after the other

}  // namespace warpmark::probe
