// Control interface of the simulator, exported next to the CUDA runtime API. Plain C, because the caller may
// be built by another compiler.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct WarpmarkSimulatorOptions {
  // 1: the simulator runs kernels compiled at -O0, for race checking; 0: compiled at -O2
  int checking;
  std::uint64_t schedule;  // seed of a random execution order of blocks and warps; 0: they run in order
  std::uint64_t
      // the simulator's limit on warp instructions per launch, beyond which it counts as an infinite loop; 0:
      // default
      instruction_budget;
  // host threads on which the simulator executes a kernel launch; 0: one per hardware thread
  int host_threads;
  int check_accesses;  // 1: the simulator checks kernels for races and uninitialised reads
  // 1: the simulator collects performance counters per launch (meaningful only for code compiled at -O2)
  int count_work;
  int keep_costly;     // 1: with count_work, the simulator records each line's costliest access of the first
                       // block
  int note_handovers;  // 1: the simulator reports what the program gives to the device, and gets
                       // (handovers.h)
  // Limit on the warp instructions that the simulator checks for races, over all launches; the rest runs
  // unchecked. A launch whose first blocks predict many times this number is aborted. 0: no limit.
  std::uint64_t work_limit;
  // CPU seconds for which the simulator lets a launch run without completing a block; 0: default.
  unsigned time_limit;
  // Faults that the simulator injects into the next call: it changes the results of this many executions of
  // instructions of a group (an InstructionGroup), chosen among those of the last call whose work was
  // counted. 0: none.
  std::uint64_t faults;
  int fault_group;
  std::uint64_t fault_seed;
  int without_faults;  // 1: launches run as with these faults, but no result is changed
  int forgives;        // 1: a sticky error is forgotten once the judge has been told
  int devices;         // number of simulated devices; 0: unchanged (initially 1)
};

struct WarpmarkMemoryHistory {
  int freed;  // 1: the memory was freed by the last call of a graded function, or earlier
  // number of return addresses recorded for an allocation; 0: the last call of a graded function neither
  // allocated nor freed it
  int frame_count;
  // Call stack, as return addresses (encoded as CallSite::frames), of the call that freed an allocation or,
  // if it is not freed, of the call that allocated it.
  std::uint64_t frames[16];
};

struct WarpmarkSimulatorControl {
  // Sets the simulator's options, which take effect at the next kernel launch.
  void (*configure)(const struct WarpmarkSimulatorOptions* options);

  // Returns all observations (findings, kernel launches, memory transfers) since the last call of drain() as
  // one journal line (harness/wire/journal.h). The simulator owns the string, which is valid until the next
  // call.
  const char* (*drain)(void);

  // Marks device memory as uninitialised, so that the simulator reports an error if a kernel reads the memory
  // before writing it.
  void (*undefine)(const void* device, std::size_t bytes);

  // Sets the descriptor (-1: stderr) to which a host access to device memory is reported, as a journal line,
  // before the access ends the process.
  void (*report_to)(int fd);

  // begin_call() and end_call() bracket one call of a graded function. Work that the function enqueues on
  // streams other than `stream` (a cudaStream_t), and memory that it allocates and does not free, become
  // findings, reported by end_call(), with frames as offsets in the library that contains `function`. `kept`
  // is the memory that the function returned, which is no leak, or null.
  void (*begin_call)(const void* function, const void* stream);
  void (*end_call)(const void* kept);

  // Returns the history of the allocation that begins at `memory`: whether it is freed, and the call stack
  // with which the student's function freed or allocated it, if its last call did so.
  struct WarpmarkMemoryHistory (*history_of)(const void* memory);
};

// Returns the table of control functions to the first caller in the process and null to every later one. The
// functions in the table are not exported, so a library loaded afterwards (a student's submission) can
// neither get the table nor link to them.
const struct WarpmarkSimulatorControl* warpmark_simulator_control(void);

}  // extern "C"
