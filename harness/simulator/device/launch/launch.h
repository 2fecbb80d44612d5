// Loads PTX modules and simulates kernel launches on host threads. Side effects are limited to the given
// device memory: no clock, no files, no CUDA runtime state.
#pragma once

#include <atomic>
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
class InjectedFaults;
class Kernel;  // decoded entry function; owned by its module

// maps a variable's mangled name to its address
using VariablePlaces = std::unordered_map<std::string, Address>;

// Returns the initial bytes of a __device__ variable, or nullopt if the PTX text does not define it.
std::optional<std::vector<std::byte>> initial_value(std::string_view ptx, std::string_view mangled_name);

class LoadedModule {
 public:
  // Parses and decodes PTX text and allocates its .global variables in `memory`. Fails if the text is not
  // valid PTX or the memory does not suffice. An unsupported instruction becomes an `unsupported` finding
  // with name and line when its kernel is launched, so that the text's other kernels still run.
  static tl::expected<std::unique_ptr<LoadedModule>, std::string> load(std::string_view ptx,
                                                                       DeviceMemory& memory);
  // Loads and links the PTX files of a program: a declaration in one file refers to the definition in
  // another. `managed` has, per file, the addresses of variables that are already allocated. Returns a module
  // or an error message per file.
  static std::vector<tl::expected<std::unique_ptr<LoadedModule>, std::string>> load(
      const std::vector<std::string_view>& files, DeviceMemory& memory,
      const std::vector<VariablePlaces>& managed = {});
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  // Returns the module's kernel with this mangled name, or null.
  [[nodiscard]] const Kernel* find(std::string_view mangled_name) const;
  [[nodiscard]] std::optional<Address> variable(std::string_view mangled_name) const;
  // Returns addresses for the variables of `other`, the PTX of another compilation of the same source file,
  // that make it share this module's variables, so that kernels of both can alternate. `own` is the PTX of
  // this module. Returns nullopt if the variables differ, or if the code uses function addresses (indirect
  // calls, child launches), which differ between compilations.
  [[nodiscard]] std::optional<VariablePlaces> places_for(std::string_view other, std::string_view own) const;

 private:
  LoadedModule();
  // Builds a loadable module from a linked PTX file. `variables` has the addresses of all variables that the
  // file uses, `own` those of the variables that the file defines, which are initialised in device memory.
  static std::unique_ptr<LoadedModule> link_up(const ptx::Module& file,
                                               std::unordered_map<std::string, Address> variables,
                                               const std::unordered_map<std::string, Address>& own,
                                               DeviceMemory& memory);
  struct State;
  std::unique_ptr<State> state_;
  friend class Kernel;
};

// Return the mangled kernel name, and pointers to the arguments, of a child launch that a kernel requested
// (dynamic parallelism). `parent` is any kernel of the same module.
std::string_view mangled_name(const Kernel& parent, const ChildLaunch& child);
std::vector<const void*> arguments_of(const Kernel& kernel, const ChildLaunch& child);

// Return the sizes of a kernel's parameters, in declaration order, and of its static shared memory, in bytes.
std::vector<std::size_t> parameter_sizes(const Kernel& kernel);
// Returns per parameter, in declaration order, a flag per byte: true if the kernel's code may read it.
// Padding of structures and parameters that are not used are read by no code.
std::vector<std::vector<bool>> parameter_reads(const Kernel& kernel);
std::size_t static_shared_bytes(const Kernel& kernel);
// Returns true if a kernel was written in a header of the simulator's CUDA libraries (Thrust, CUB).
bool is_of_library(const Kernel& kernel);
const Program& program_of(const Kernel& kernel);
Dim3 cluster_of(const Kernel& kernel);  // blocks per cluster, from the kernel's __cluster_dims__; 0 if absent
std::string_view display_name(const Kernel& kernel);  // demangled kernel name, without the parameter list
std::string_view mangled_name(const Kernel& kernel);
bool is_simulated(const Kernel& kernel);  // true if all instructions of the kernel are supported

// Arguments of a kernel launch: the equivalent of cudaLaunchParams.
struct LaunchParameters {
  const Kernel* kernel = nullptr;
  Dim3 grid = {};
  Dim3 block = {};  // threads per block in each dimension, at most 1024 in all; checked by the caller
  // one pointer to a value per kernel parameter, as for cudaLaunchKernel
  const void* const* arguments = nullptr;
  std::size_t dynamic_shared_bytes = 0;
  // device that runs the launch; the kernel may access the memory of this device and of `peers`
  int device = 0;
  std::vector<int> peers = {};
  bool cooperative = false;    // cooperative launch: all blocks are co-resident
  Dim3 cluster = {1, 1, 1};    // blocks per thread block cluster; divides the grid
  DeviceHeap* heap = nullptr;  // serves malloc() in kernels; null: malloc() returns null
};

struct LaunchOptions {
  // execution order of blocks and warps: 0 by index, else the seed of a pseudo-random order
  std::uint64_t schedule = 0;
  // Limit on warp instructions that the launch executes. 0: none, except that an infinite loop is detected.
  std::uint64_t instruction_budget = 0;
  // Limit on the launch's cost in warp instructions, as estimated from its first blocks. 0: none. Beyond the
  // limit the launch is aborted.
  std::uint64_t work_limit = 0;
  // Limit on a launch's cost in warp instructions, after which no further block starts and the launch returns
  // which blocks are left. 0: no limit.
  std::uint64_t check_limit = 0;
  // Position, in scheduling order, of the first block to run; nonzero if the launch resumes after an earlier
  // run that stopped at its work limit.
  std::uint64_t first_block = 0;
  unsigned host_threads = 0;    // host threads that simulate blocks; 0: one per processor core
  bool check_accesses = false;  // check the launch for data races and uninitialised reads
  bool all_rules = false;       // true: disable the race detector's fast paths; tests compare both modes
  bool count_work = false;
  bool keep_costly = false;  // with count_work: WatchOptions::keep_costly
  // With count_work: blocks take short turns, and only one host thread runs them (LaunchState::short_turns).
  bool short_turns = false;
  // Run launches that are neither checked nor counted as machine code, if the host CPU supports it.
  bool native = true;
  std::size_t print_bytes = kPrintBytes;   // size of the launch's printf buffer in bytes
  FootprintRecorder* footprint = nullptr;  // receives the ranges that a checked launch accesses; may be null
  // Fetches the contents of host memory that another process registered. Called before a kernel's first
  // access to the memory, from any host thread, possibly several times.
  std::function<void(const Allocation&)> bring = {};
  // Returns the name of the __device__ or __constant__ variable that host code calls by this address; empty:
  // there is none. Called from any host thread.
  std::function<std::string(Address)> symbol_at = {};
  // Watchdog of a launch: aborts it if no block completes within this many seconds of processor time. 0: the
  // default limit.
  unsigned time_limit = 0;
  // Faults to inject; not owned; null: none. The launch then runs on one host thread, and neither checked nor
  // counted.
  InjectedFaults* faults = nullptr;
  // Receives the number of blocks (or clusters) that began, while the launch runs; null: nobody asks.
  std::atomic<std::uint64_t>* begun = nullptr;
};

struct Outcome {
  // true: the launch ran to its end; false: aborted by a fatal finding, memory stays as it was then
  bool completed = false;
  // Findings of a launch: at most one per kind and pair of source lines; a fatal one, which ended the launch,
  // comes last.
  std::vector<Finding> findings;
  std::optional<LaunchWork> work;  // launch's performance counters, if requested; independent of host_threads
  std::string printed;             // output of the kernel's printf calls
  bool printed_all = true;         // false: the kernel's printf output exceeded print_bytes
  std::string said;                // text that a GPU prints on stderr: failed assertions
  std::vector<ChildLaunch> children;  // child launches that the kernel requested (dynamic parallelism)
  // cost of the launch in warp instructions, including that of starting blocks and warps
  std::uint64_t work_done = 0;
  // Position, in scheduling order, of the first block that did not start because the limit on checked work
  // was reached; nullopt if all blocks ran.
  std::optional<std::uint64_t> rest;
  // True if repeating the launch on the same memory would give the same outcome and leave memory unchanged.
  bool repeatable = false;
  // True if a launch's outcome and final memory are a function of the initial memory alone, disregarding
  // races and the order of atomics. False, for example, if the kernel prints.
  bool by_memory_alone = false;
  // True if every order of blocks and warps gives the same outcome and memory: all accesses were checked, no
  // two conflict, and nothing else depends on the order.
  bool one_order = false;
};

// Simulates the launch of a grid. Results and findings of race-free kernels do not depend on host_threads.
Outcome run(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory);

}  // namespace warpmark::simulator
