// PTX in, effects and findings out: a module is parsed once, a launch runs a grid of it on host threads.
// Pure but for the device memory it is given: no clock, no files, no CUDA runtime state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "harness/simulator/memory.h"
#include "harness/simulator/printing.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

namespace ptx {
struct Module;
}

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

inline constexpr int kMultiprocessors = 16;  // few: programs that fill the device stay quick to simulate

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
    uninitialised_read,  // of memory that nobody wrote
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
bool is_fatal(Finding::Kind kind);

class Kernel;  // decoded; owned by its module

class Module {
 public:
  // Parses and decodes. Fails on text that is not PTX. An unknown instruction does not fail here: it becomes
  // an `unsupported` finding with name and line when its kernel is launched, so that other kernels of the
  // file still run.
  // `.global` variables are allocated in memory.
  static tl::expected<std::unique_ptr<Module>, std::string> load(std::string_view ptx, DeviceMemory& memory);
  // The same for all files of a program at once: a function or variable that one declares and another defines
  // is that one's.
  static std::vector<tl::expected<std::unique_ptr<Module>, std::string>> load(
      const std::vector<std::string_view>& files, DeviceMemory& memory);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  [[nodiscard]] const Kernel* find(std::string_view mangled_name) const;  // null when there is none
  [[nodiscard]] std::optional<Address> variable(std::string_view mangled_name) const;

 private:
  Module();
  // own: the variables that are this file's to initialise.
  static std::unique_ptr<Module> link_up(const ptx::Module& file,
                                         std::unordered_map<std::string, Address> variables,
                                         const std::unordered_map<std::string, Address>& own,
                                         DeviceMemory& memory);
  struct State;
  std::unique_ptr<State> state_;
  friend class Kernel;
};

// Sizes of a kernel's parameters in bytes, in order, and its static shared memory.
std::vector<std::size_t> parameter_sizes(const Kernel& kernel);
std::size_t static_shared_bytes(const Kernel& kernel);
std::string_view display_name(const Kernel& kernel);  // demangled, without its parameters

struct Launch {
  const Kernel* kernel = nullptr;
  Dim3 grid = {};
  Dim3 block = {};                         // limits are the caller's to check; at most 1024 threads
  const void* const* arguments = nullptr;  // one pointer a parameter, as cudaLaunchKernel gets them
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks run at the same time
};

// Warp instructions that one block may execute before it counts as endless: a second or two on one core
// (measured at 4 to 17 ns each), and enough for one thread to add up 4 Mi values. A budget a block, not a
// launch, so that large grids are not mistaken for endless loops.
inline constexpr std::uint64_t kDefaultInstructionBudget = std::uint64_t{1} << 27;

struct LaunchOptions {
  std::uint64_t schedule = 0;             // 0: blocks and warps in order; else the seed of another order
  std::uint64_t instruction_budget = 0;   // warp instructions in all; 0: kDefaultInstructionBudget a block
  std::uint64_t work_limit = 0;           // warp instructions that the whole launch may need; 0: no limit
  unsigned host_threads = 0;              // 0: as many as the machine has
  bool check_accesses = false;            // look for races and uninitialised reads
  bool count_work = false;                // fill Outcome::work
  std::size_t print_bytes = kPrintBytes;  // what one launch may print
};

struct Outcome {
  bool completed = false;          // false: stopped by a fatal finding; memory is as it was left
  std::vector<Finding> findings;   // each kind once a pair of lines; the fatal one last
  std::optional<LaunchWork> work;  // what was asked to be counted; the same for any host_threads
  std::string printed;             // by printf
  bool printed_all = true;         // false: there was more than print_bytes
  std::string said;                // on the program's stderr: failed assertions
};

// Runs the whole grid. The answer and the findings do not depend on host_threads, for programs without races.
Outcome run(const Launch& launch, const LaunchOptions& options, DeviceMemory& memory);

}  // namespace warpmark::simulator
