// The simulator as its host program sees it, beside the CUDA runtime functions that the same library exports.
// C linkage and plain data, because the caller may be built by another compiler.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct WarpmarkSimulatorOptions {
  int checking;            // 1: run the -O0 code, 0: the -O2 code
  std::uint64_t schedule;  // 0: blocks and warps in order; any other value seeds another order
  std::uint64_t
      instruction_budget;  // warp instructions a launch may execute before it counts as endless; 0: default
  int host_threads;        // 0: as many as the machine has
  int check_accesses;      // 1: look for races and uninitialised reads
  int count_work;          // 1: count what each launch does (of the -O2 code, if it is to mean anything)
  // Warp instructions that are checked, of all launches together; what comes after runs unchecked. A launch
  // that would need many times this is ended, as soon as its first blocks show it. 0: no limit.
  std::uint64_t work_limit;
  // Seconds of processor time that a launch may run without one of its blocks ending; 0: default.
  unsigned time_limit;
  int devices;  // how many there are; 0: as many as before, and 1 at first
};

struct WarpmarkMemoryHistory {
  int freed;                 // 1: it was freed, by that call or before
  int frame_count;           // 0: neither freed nor allocated by that call
  std::uint64_t frames[16];  // of the call that freed it, or else allocated it, as in a finding
};

struct WarpmarkSimulatorControl {
  // Holds from the next launch on.
  void (*configure)(const struct WarpmarkSimulatorOptions* options);

  // Everything seen since the last call, as a line of a journal (harness/wire/journal.h). The text belongs to
  // the simulator and holds until the next call.
  const char* (*drain)(void);

  // What lies there counts as never written, although it was: to read it is a finding of checked launches.
  void (*undefine)(const void* device, std::size_t bytes);

  // A host access to device memory ends the process; before that its finding is written, as a line of a
  // journal, to this descriptor (-1: to stderr).
  void (*report_to)(int fd);

  // Around the call of a function, whose work belongs on this stream (a cudaStream_t): what it queues
  // elsewhere and memory that it allocates and does not free are findings, told at its end. Their frames are
  // offsets in the library of the function. kept: the memory that it returned, or null.
  void (*begin_call)(const void* function, const void* stream);
  void (*end_call)(const void* kept);

  // What the last call did with memory that begins there.
  struct WarpmarkMemoryHistory (*history_of)(const void* memory);
};

// The table, to the first caller in a process; null to every later one: what a library that is loaded
// afterwards must not reach is no symbol that it could link to.
const struct WarpmarkSimulatorControl* warpmark_simulator_control(void);

}  // extern "C"
