// The simulator's control interface, exported next to the CUDA runtime API. It is plain C, because the caller
// may be built by another compiler.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct WarpmarkSimulatorOptions {
  int checking;            // 1: run the -O0 code, 0: the -O2 code
  std::uint64_t schedule;  // 0: blocks and warps in order; any other value seeds another order
  std::uint64_t
      // warp instructions that a launch may execute before it counts as an infinite loop; 0: default
      instruction_budget;
  int host_threads;    // worker threads; 0: one per hardware thread
  int check_accesses;  // 1: check for races and uninitialised reads
  int count_work;      // 1: collect counters for each launch (meaningful for the -O2 code only)
  // Number of warp instructions to check, over all launches; the rest runs unchecked. A launch whose first
  // blocks show that it would need many times this number is aborted. 0: no limit.
  std::uint64_t work_limit;
  // CPU seconds that a launch may run without completing a block; 0: default.
  unsigned time_limit;
  int devices;  // number of devices; 0: unchanged (initially 1)
};

struct WarpmarkMemoryHistory {
  int freed;        // 1: it was freed, in the last call or earlier
  int frame_count;  // 0: the last call neither freed nor allocated it
  // return addresses of the call that freed it, or else allocated it, as in a finding
  std::uint64_t frames[16];
};

struct WarpmarkSimulatorControl {
  // Takes effect at the next launch.
  void (*configure)(const struct WarpmarkSimulatorOptions* options);

  // Returns everything seen since the last call, as one journal line (harness/wire/journal.h). The string is
  // owned by the simulator and valid until the next call.
  const char* (*drain)(void);

  // Marks device memory as uninitialised: a checked launch that reads it before writing it gets a finding.
  void (*undefine)(const void* device, std::size_t bytes);

  // Sets the descriptor (-1: stderr) to which a host access to device memory is reported, as a journal line,
  // before it ends the process.
  void (*report_to)(int fd);

  // Bracket the call of a graded function. Work that it enqueues on streams other than `stream` (a
  // cudaStream_t), and memory that it allocates and does not free, become findings, reported by end_call().
  // Their frames are offsets in the library that contains `function`. kept: memory that the function
  // returned, which is therefore not leaked, or null.
  void (*begin_call)(const void* function, const void* stream);
  void (*end_call)(const void* kept);

  // Returns what the last call did with the allocation that begins at this address.
  struct WarpmarkMemoryHistory (*history_of)(const void* memory);
};

// Returns the table to the first caller in the process and null to every later one. Its functions are not
// exported, so a library loaded afterwards (a submission) can neither get the table nor link to them.
const struct WarpmarkSimulatorControl* warpmark_simulator_control(void);

}  // extern "C"
