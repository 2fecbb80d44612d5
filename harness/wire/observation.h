// Observations of an engine (GPU or simulator) while code ran: findings, launches, transfers. Untrusted,
// because student code may share the process: the codec bounds them and the judge process checks them for
// consistency.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/counters.h"
#include "harness/base/evidence.h"

namespace warpmark::wire {

using warpmark::name_of;
using warpmark::RacingAccess;

// Start of the simulator's message that a program called a CUDA library (such as cuBLAS) which is not
// installed for the simulator. The judge process recognises the message by it; a program cannot provoke the
// message about an installed library.
inline constexpr std::string_view kNotInBuild = "not simulated by this build of Warpmark";

struct Finding {
  // Kind of the reported defect: only kinds that an engine (GPU or simulator) can detect.
  CauseKind kind = CauseKind::unsupported;
  std::string kernel;  // demangled name of the kernel with the defect, without parameters; empty: host code
  std::string file;    // path of the source file with the defect, as passed to the compiler
  int line = 0;        // source line of the defect; 0: unknown
  int other_line = 0;  // source line of a defect's second place, such as a race's other access; 0: none
  std::string message;
  // Call sites of the function that contains the defect's source line, if it was called or inlined: ", called
  // from a.cu:17, from a.cu:40".
  std::string callers = {};
  // Call stack of a finding in host code, innermost frame first. Each entry is a return address minus one, as
  // an offset in the program or library.
  std::vector<std::uint64_t> frames = {};
  // Host call stack of a defect's second place, for example where memory was freed that is used later.
  // other_in_launch: the second place is a kernel launch, and the innermost frame is the kernel's host stub.
  std::vector<std::uint64_t> other_frames = {};
  bool other_in_launch = false;
  // The two accesses of a data race, in the order in which the message names them; else empty.
  std::vector<RacingAccess> accesses = {};
  std::optional<WarpAccess> warp_access = {};  // what the warp of the access at fault accesses by it
  std::vector<ThreadRun> block_threads = {};   // where the threads of a stuck block are, in their order
  bool operator==(const Finding&) const = default;
};

// Performance counters of one kernel launch, in the order of kCounterNames; none is negative. Each is a sum
// over the launch, except the number of active lanes, which is a mean over instructions.
class Counters {
 public:
  // Returns the value of a counter; 0 if the name is not in kCounterNames.
  [[nodiscard]] double at(std::string_view name) const;
  void set(std::string_view name, double value);
  [[nodiscard]] const std::array<double, kCounterNames.size()>& values() const { return values_; }
  bool operator==(const Counters&) const = default;

 private:
  std::array<double, kCounterNames.size()> values_{};
};

// Performance counters of one source line in one kernel launch.
struct CountedLine {
  std::string file;
  int line = 0;
  std::uint64_t instructions = 0;
  double active_lanes = 0;  // mean number of active lanes per instruction
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t atomics = 0;  // on global memory
  std::uint64_t shared_atomics = 0;
  std::uint64_t barriers = 0;
  std::optional<WarpAccess> costly = {};  // the line's costliest access of the first block, if asked for
  bool operator==(const CountedLine&) const = default;
};

// Sums, over the warps or the blocks of a launch, of the squares of the sectors that each loads and of the
// instructions that its threads execute. They tell how evenly the work is spread.
struct Squares {
  double sectors = 0;
  double instructions = 0;
  bool operator==(const Squares&) const = default;
};

struct CountedWork {
  Counters counters;
  // Reads of memory that are in none of the counters of loads: atomics on global memory, and loads of
  // constant memory, each distinct address of a warp's load as a request and a sector.
  std::uint64_t other_requests = 0;
  std::uint64_t other_sectors = 0;
  Squares of_warps;
  Squares of_blocks;
  std::uint64_t longest_warp = 0;     // the most warp instructions that one warp executes
  std::uint64_t stored_values = 0;    // stores to global memory, summed over threads
  std::uint64_t real_operations = 0;  // floating-point operations, summed over threads
  std::vector<CountedLine> lines;
  bool operator==(const CountedWork&) const = default;
};

// Start and end of a kernel launch or memory transfer in nanoseconds, by the clock of the engine (GPU or
// simulator) that recorded it.
struct Period {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  bool operator==(const Period&) const = default;
};

using Size = std::array<std::uint32_t, 3>;
constexpr std::uint64_t volume(const Size& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

struct Launch {
  std::string kernel;
  Size grid{1, 1, 1};
  Size block{1, 1, 1};
  std::uint64_t shared_bytes = 0;   // bytes of shared memory per block, static and dynamic
  std::optional<CountedWork> work;  // performance counters of the launch; nullopt: not recorded
  std::optional<Period> when;       // start and end of the launch, if times are recorded
  int device = 0;
  // True if the kernel was written in a header of the simulator's CUDA libraries (Thrust, CUB); false where
  // that is not known.
  bool of_library = false;
  bool operator==(const Launch&) const = default;
};

enum class Direction : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host, other };
// How a transfer moves bytes between host and GPU. copy: a copy call; mapped, managed: kernels access host
// memory or managed memory directly; argument: launch parameters larger than the usual pointers and sizes, or
// very many small ones and values of memsets.
enum class TransferKind : std::uint8_t { copy, mapped, managed, argument };
constexpr std::array<std::string_view, 5> names_of(Direction /*type*/) {
  return {"host_to_device", "device_to_host", "device_to_device", "host_to_host", "other"};
}
constexpr std::array<std::string_view, 4> names_of(TransferKind /*type*/) {
  return {"copy", "mapped", "managed", "argument"};
}

struct Transfer {
  Direction direction = Direction::other;
  TransferKind kind = TransferKind::copy;
  std::uint64_t bytes = 0;
  std::uint64_t launches_before = 0;  // number of kernel launches that preceded the transfer
  std::optional<Period> when;
  // Call stack of the CUDA call that requested the transfer. Each frame is an offset in the student's
  // program or library.
  std::vector<std::uint64_t> frames = {};
  // GPU whose memory the transfer wrote or, if it wrote host memory, the GPU whose memory it read.
  int device = 0;
  std::optional<int> from_device = {};  // GPU that the transfer read from, if it wrote to another one
  bool operator==(const Transfer&) const = default;
};

// Adjacent launches of one kernel, or adjacent transfers of the same kind, merged for the upload audit (the
// check that the input reaches the GPU only once).
struct LaunchEvent {
  std::string kernel;
  bool operator==(const LaunchEvent&) const = default;
};
struct TransferEvent {
  Direction direction = Direction::other;
  TransferKind kind = TransferKind::copy;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> frames = {};
  bool operator==(const TransferEvent&) const = default;
};
struct AuditEvent {
  // An event is either a launch or a transfer: exactly one of the two members is set.
  std::optional<LaunchEvent> launch;
  std::optional<TransferEvent> transfer;
  std::uint64_t count = 1;
  std::optional<Period> when;
  bool operator==(const AuditEvent&) const = default;
};

// A message for the student that reports no error.
struct Note {
  std::string kernel;
  std::string message;
  bool operator==(const Note&) const = default;
};

// Largest number of values of a handover.
inline constexpr std::size_t kMostHandoverValues = 4'200;

// Something that host code gave to the device or got from it in a call of the CUDA runtime, in a form in
// which two calls of a graded function can be compared: addresses of device memory count as offsets in an
// allocation.
struct Handover {
  std::string what;  // name of the launched kernel, or of the runtime function
  bool launch =
      false;  // true: a kernel launch; false: a copy, a memset, or host memory that a kernel accessed
  bool to_host = false;  // true: bytes went, or may have gone, to the host
  // A launch: three numbers of its grid, three of its blocks, the bytes of dynamic shared memory, then a
  // digest of each argument. Otherwise sizes, and digests of addresses and contents.
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> frames = {};  // call stack of the runtime call
  bool operator==(const Handover&) const = default;
};
inline constexpr std::size_t kFirstArgument = 7;  // position of the first argument in Handover::values

struct Observation {
  std::vector<Finding> findings;
  std::vector<Launch> launches;     // observed kernel launches, in launch order
  std::vector<Transfer> transfers;  // observed memory transfers, in order of execution
  std::vector<Note> notes;
  // Launches and transfers in one list in order, set only during an upload audit (the check that the input
  // reaches the GPU only once); the separate lists `launches` and `transfers` are then empty.
  std::optional<std::vector<AuditEvent>> events;
  // Handovers in order, set only if the run mode asked for them.
  std::optional<std::vector<Handover>> handovers;
  // Returns the number of kernels that ran or, if an upload audit has merged adjacent launches of a kernel
  // into events, the number of launch events.
  [[nodiscard]] std::uint64_t kernels() const;
  bool operator==(const Observation&) const = default;
};

}  // namespace warpmark::wire
