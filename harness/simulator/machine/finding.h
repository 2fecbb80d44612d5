// What a launch showed to be wrong.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::simulator {

// What a launch showed to be wrong. A launch stops at the first fatal one, and its kind becomes a sticky CUDA
// error. It goes on after the others: races, uninitialised reads, notes.
struct Finding {
  enum class Kind {
    out_of_bounds,
    misaligned,
    host_pointer,  // a kernel used an address of ordinary host memory
    use_after_free,
    divergent_barrier,
    deadlock,
    endless_loop,
    unsupported,   // an instruction or call that is not simulated: its name stands in the message
    trap,          // the kernel stopped itself: __trap()
    assertion,     // assert() in a kernel
    launch_limit,  // more work than LaunchOptions::work_limit
    // Not fatal:
    race,                // two threads of different warps or blocks, one writes, nothing orders them
    warp_synchronous,    // the same within a warp: right only while its lanes run in step
    same_word_store,     // several lanes store to one word in one instruction
    uninitialised_read,  // of memory that no store or copy has written
    early_exit,          // threads returned before a barrier that others of the block wait at
  };
  Kind kind = Kind::unsupported;
  std::string kernel;   // demangled, without its parameters
  std::string file;     // as the compiler was given it
  int line = 0;         // 0: not known
  int other_line = 0;   // the second place, where there is one
  std::string message;  // what, where, which array and index, which block and threads, the remedy
};
std::string_view name_of(Finding::Kind kind);

}  // namespace warpmark::simulator
