// PTX in, effects and findings out: a module is parsed once, a launch runs a grid of it on host threads.
// Pure but for the device memory it is given: no clock, no files, no CUDA runtime state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "harness/simulator/machine/child_launches.h"
#include "harness/simulator/machine/finding.h"
#include "harness/simulator/machine/grid.h"
#include "harness/simulator/machine/printing.h"
#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

namespace ptx {
struct Module;
}
class FootprintRecorder;
struct Program;

class DeviceHeap;
class Kernel;  // decoded; owned by its module

using VariablePlaces = std::unordered_map<std::string, Address>;  // by mangled name

// The bytes that a variable of a file begins with; empty where the file has no such variable.
std::optional<std::vector<std::byte>> initial_value(std::string_view ptx, std::string_view mangled_name);

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
      const std::vector<std::string_view>& files, DeviceMemory& memory,
      const std::vector<VariablePlaces>& managed = {});  // a file each: variables that lie elsewhere
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  [[nodiscard]] const Kernel* find(std::string_view mangled_name) const;  // null when there is none
  [[nodiscard]] std::optional<Address> variable(std::string_view mangled_name) const;
  // Where the variables of other code of the same file have to lie for kernels of both to run in turns: where
  // this module's lie. own: the text that it was loaded from. Empty where they cannot: functions have
  // addresses in each code that the other does not know.
  [[nodiscard]] std::optional<VariablePlaces> places_for(std::string_view other, std::string_view own) const;

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

// The kernel's name of a launch from a kernel of the same module, and the addresses of its arguments.
std::string_view mangled_name(const Kernel& parent, const ChildLaunch& child);
std::vector<const void*> arguments_of(const Kernel& kernel, const ChildLaunch& child);

// Sizes of a kernel's parameters in bytes, in order, and its static shared memory.
std::vector<std::size_t> parameter_sizes(const Kernel& kernel);
std::size_t static_shared_bytes(const Kernel& kernel);
const Program& program_of(const Kernel& kernel);
Dim3 cluster_of(const Kernel& kernel);                // that its source asks for by __cluster_dims__; else 0
std::string_view display_name(const Kernel& kernel);  // demangled, without its parameters
std::string_view mangled_name(const Kernel& kernel);
bool is_simulated(const Kernel& kernel);  // all its instructions are

struct Launch {
  const Kernel* kernel = nullptr;
  Dim3 grid = {};
  Dim3 block = {};                         // limits are the caller's to check; at most 1024 threads
  const void* const* arguments = nullptr;  // one pointer a parameter, as cudaLaunchKernel gets them
  std::size_t dynamic_shared_bytes = 0;
  int device = 0;  // whose memory it reaches, and that of its peers
  std::vector<int> peers = {};
  bool cooperative = false;    // all blocks run at the same time
  Dim3 cluster = {1, 1, 1};    // so many do; the grid's are a multiple
  DeviceHeap* heap = nullptr;  // where malloc() takes its memory from; null: there is none
};

struct LaunchOptions {
  std::uint64_t schedule = 0;  // 0: blocks and warps in order; else the seed of another order
  // Warp instructions in all; 0: none counts as endless by their number alone.
  std::uint64_t instruction_budget = 0;
  std::uint64_t work_limit = 0;            // warp instructions that the whole launch may need; 0: no limit
  std::uint64_t check_limit = 0;           // warp instructions after which no block begins; 0: no limit
  std::uint64_t first_block = 0;           // in the order of the blocks; those before it ran already
  unsigned host_threads = 0;               // 0: as many as the machine has
  bool check_accesses = false;             // look for races and uninitialised reads
  bool all_rules = false;                  // then without the shortcuts: tests hold these against it
  bool count_work = false;                 // fill Outcome::work
  bool native = true;                      // where nothing is looked at: as machine code, if this machine can
  std::size_t print_bytes = kPrintBytes;   // what one launch may print
  FootprintRecorder* footprint = nullptr;  // records the accesses, where they are looked at; may be null
  // Called before a thread reaches memory that was adopted from another process: brings its bytes. From any
  // host thread, and for the same memory again.
  std::function<void(const Allocation&)> bring = {};
  unsigned time_limit = 0;  // seconds of processor time until some block has to end; 0: kDefaultTimeLimit
};

struct Outcome {
  bool completed = false;             // false: stopped by a fatal finding; memory is as it was left
  std::vector<Finding> findings;      // each kind once a pair of lines; the fatal one last
  std::optional<LaunchWork> work;     // what was asked to be counted; the same for any host_threads
  std::string printed;                // by printf
  bool printed_all = true;            // false: there was more than print_bytes
  std::string said;                   // on the program's stderr: failed assertions
  std::vector<ChildLaunch> children;  // that its threads asked for
  std::uint64_t work_done = 0;        // warp instructions, and what its blocks cost in these
  std::optional<std::uint64_t> rest;  // the first block in their order that check_limit kept from beginning
  // The same launch on the same memory would give the same outcome and leave memory as it is.
  bool repeatable = false;
  // The same launch on the same memory would give the same outcome and leave the same in memory, but for
  // what atomic operations and races leave to chance.
  bool by_memory_alone = false;
  // Every other order of blocks and warps would give the same outcome and the same memory: its accesses were
  // looked at, no two of them conflict, and nothing else shows the order.
  bool one_order = false;
};

// Runs the whole grid. The answer and the findings do not depend on host_threads, for programs without races.
Outcome run(const Launch& launch, const LaunchOptions& options, DeviceMemory& memory);

}  // namespace warpmark::simulator
