// Loads PTX modules and runs launches on host threads. Side effects are limited to the given device memory:
// no clock, no files, no CUDA runtime state.
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

#include "harness/simulator/engine/machine/child_launches.h"
#include "harness/simulator/engine/machine/finding.h"
#include "harness/simulator/engine/machine/grid.h"
#include "harness/simulator/engine/machine/printing.h"
#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

namespace ptx {
struct Module;
}
class FootprintRecorder;
struct Program;

class DeviceHeap;
class Kernel;  // decoded entry function; owned by its module

using VariablePlaces = std::unordered_map<std::string, Address>;  // keyed by mangled name

// Returns the initial bytes of a variable of the file, or nullopt if the file does not define it.
std::optional<std::vector<std::byte>> initial_value(std::string_view ptx, std::string_view mangled_name);

class LoadedModule {
 public:
  // Parses and decodes the text and allocates its .global variables in `memory`. Fails only if the text is
  // not valid PTX. An unsupported instruction becomes an `unsupported` finding with name and line when its
  // kernel is launched, so that the file's other kernels still run.
  static tl::expected<std::unique_ptr<LoadedModule>, std::string> load(std::string_view ptx,
                                                                       DeviceMemory& memory);
  // Loads all files of a program together and links them: a declaration in one file refers to the definition
  // in another.
  static std::vector<tl::expected<std::unique_ptr<LoadedModule>, std::string>> load(
      const std::vector<std::string_view>& files, DeviceMemory& memory,
      const std::vector<VariablePlaces>& managed = {});  // per file: variables that lie at given addresses
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  [[nodiscard]] const Kernel* find(std::string_view mangled_name) const;  // null if there is none
  [[nodiscard]] std::optional<Address> variable(std::string_view mangled_name) const;
  // Returns the addresses at which a second compilation of the same file (`other`) must place its variables
  // to share them with this module, so that kernels of both can alternate. own: the text that this module was
  // loaded from. Returns nullopt if they cannot share them: the variables differ, or the code uses function
  // addresses (indirect calls, child launches), which are not the same in the two.
  [[nodiscard]] std::optional<VariablePlaces> places_for(std::string_view other, std::string_view own) const;

 private:
  LoadedModule();
  // own: the variables that this file defines and initialises.
  static std::unique_ptr<LoadedModule> link_up(const ptx::Module& file,
                                               std::unordered_map<std::string, Address> variables,
                                               const std::unordered_map<std::string, Address>& own,
                                               DeviceMemory& memory);
  struct State;
  std::unique_ptr<State> state_;
  friend class Kernel;
};

// Name and argument addresses of a child launch, for a launch of the child. `parent`: any kernel of the
// module.
std::string_view mangled_name(const Kernel& parent, const ChildLaunch& child);
std::vector<const void*> arguments_of(const Kernel& kernel, const ChildLaunch& child);

// Sizes of a kernel's parameters in bytes, in order, and of its static shared memory.
std::vector<std::size_t> parameter_sizes(const Kernel& kernel);
std::size_t static_shared_bytes(const Kernel& kernel);
const Program& program_of(const Kernel& kernel);
Dim3 cluster_of(const Kernel& kernel);                // from __cluster_dims__ in the source; else 0
std::string_view display_name(const Kernel& kernel);  // demangled, without parameters
std::string_view mangled_name(const Kernel& kernel);
bool is_simulated(const Kernel& kernel);  // true if all its instructions are supported

// Arguments of a kernel launch, as cudaLaunchParams of the CUDA runtime.
struct LaunchParameters {
  const Kernel* kernel = nullptr;
  Dim3 grid = {};
  Dim3 block = {};                         // at most 1024 threads; the caller checks the limits
  const void* const* arguments = nullptr;  // one pointer per parameter, as passed to cudaLaunchKernel
  std::size_t dynamic_shared_bytes = 0;
  int device = 0;  // device whose memory, and whose peers' memory, it may access
  std::vector<int> peers = {};
  bool cooperative = false;    // all blocks are co-resident
  Dim3 cluster = {1, 1, 1};    // blocks per cluster; the grid is a multiple of it
  DeviceHeap* heap = nullptr;  // serves device-side malloc(); null: it returns null
};

struct LaunchOptions {
  std::uint64_t schedule = 0;  // 0: blocks and warps in order; else the seed of a random order
  // Limit on warp instructions of the launch; 0: no limit, only a loop that cannot end counts as endless.
  std::uint64_t instruction_budget = 0;
  // Limit on the estimated cost of the launch in warp instructions; 0: none.
  std::uint64_t work_limit = 0;
  // Cost in warp instructions after which no more blocks start; 0: no limit.
  std::uint64_t check_limit = 0;
  // First block to run, in the order of blocks; the ones before it ran earlier.
  std::uint64_t first_block = 0;
  unsigned host_threads = 0;    // 0: one per processor core
  bool check_accesses = false;  // detect races and uninitialised reads
  bool all_rules = false;       // disables the race detector's fast paths; tests compare the two
  bool count_work = false;      // fill Outcome::work
  // Unobserved launches run as machine code, if this machine supports it.
  bool native = true;
  std::size_t print_bytes = kPrintBytes;   // size of the launch's printf buffer
  FootprintRecorder* footprint = nullptr;  // records the accesses of an observed launch; may be null
  // Called before a thread accesses memory adopted from another process, to fetch its contents. May be called
  // from any host thread, and repeatedly for the same memory.
  std::function<void(const Allocation&)> bring = {};
  unsigned time_limit = 0;  // seconds of processor time in which some block must end; 0: kDefaultTimeLimit
};

struct Outcome {
  bool completed = false;             // false: stopped by a fatal finding, memory stays as it was then
  std::vector<Finding> findings;      // each kind once per pair of lines; the fatal one last
  std::optional<LaunchWork> work;     // if requested; does not depend on host_threads
  std::string printed;                // output of printf
  bool printed_all = true;            // false: output exceeded print_bytes
  std::string said;                   // what CUDA prints on stderr: failed assertions
  std::vector<ChildLaunch> children;  // launches requested by its threads
  std::uint64_t work_done = 0;        // cost in warp instructions, including the start of blocks and warps
  // First block, in the order of blocks, that check_limit kept from starting.
  std::optional<std::uint64_t> rest;
  // A repetition on the same memory would give the same outcome and leave memory unchanged.
  bool repeatable = false;
  // A repetition on the same memory would give the same outcome and the same memory contents, except for the
  // effects of atomics' order and of races.
  bool by_memory_alone = false;
  // Any other order of blocks and warps would give the same outcome and memory: accesses were observed, no
  // two conflict, and nothing else depends on the order.
  bool one_order = false;
};

// Runs the whole grid. For programs without races, results and findings do not depend on host_threads.
Outcome run(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory);

}  // namespace warpmark::simulator
