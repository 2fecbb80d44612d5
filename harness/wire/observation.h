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

namespace warpmark::wire {

using warpmark::name_of;

// One of two accesses to the same memory without a happens-before order between them.
struct RacingAccess {
  std::string thread;   // thread that made the access, for display: "thread (32,0,0)"
  std::string element;  // accessed memory: "shared[32]"
  int line = 0;         // source line; 0: not known
  bool writes = false;
  bool operator==(const RacingAccess&) const = default;
};

// Prefix of the message of an `unsupported` finding: the program called a CUDA library that is not installed
// for the simulator. A program cannot provoke that message about an installed library.
inline constexpr std::string_view kNotInBuild = "not simulated by this build of Warpmark";

struct Finding {
  // Kind of defect; only kinds that an engine (GPU or simulator) reports.
  CauseKind kind = CauseKind::unsupported;
  std::string kernel;  // demangled name without parameters; empty: host code only
  std::string file;    // source path as passed to the compiler
  int line = 0;        // source line; 0: not known
  int other_line = 0;  // line of the second, conflicting place; 0: none
  std::string message;
  // Callers, if the line is in a called or inlined function: ", called from a.cu:17, from a.cu:40".
  std::string callers = {};
  // Call stack of a finding in host code, innermost frame first. Each entry is a return address minus one, as
  // an offset in the program or library.
  std::vector<std::uint64_t> frames = {};
  // Call stack of the second, conflicting place. other_in_launch: that place is a launch, and the innermost
  // frame is the kernel's host stub.
  std::vector<std::uint64_t> other_frames = {};
  bool other_in_launch = false;
  // The two accesses of a data race, in the order in which the message names them; else empty.
  std::vector<RacingAccess> accesses = {};
  bool operator==(const Finding&) const = default;
};

// Counters of a launch, in the order of kCounterNames; all non-negative. All are sums, except that the number
// of active lanes is a mean over instructions.
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

// Counters of one source line in one launch.
struct CountedLine {
  std::string file;
  int line = 0;
  std::uint64_t instructions = 0;
  double active_lanes = 0;  // mean number of active lanes per instruction
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t atomics = 0;
  std::uint64_t barriers = 0;
  bool operator==(const CountedLine&) const = default;
};

struct CountedWork {
  Counters counters;
  std::vector<CountedLine> lines;
  bool operator==(const CountedWork&) const = default;
};

// Start and end in nanoseconds, by the clock of the engine that recorded them.
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
  bool operator==(const Launch&) const = default;
};

enum class Direction : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host, other };
// Kind of a transfer. mapped, managed: host memory that kernels access directly. argument: launch parameters
// larger than the usual pointers and sizes.
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
  std::uint64_t launches_before = 0;  // number of earlier launches in the same observation
  std::optional<Period> when;
  // Call stack of the CUDA call that requested the transfer, in the format of Finding::frames.
  std::vector<std::uint64_t> frames = {};
  int device = 0;  // device whose memory was written, or else the one whose memory was read
  std::optional<int> from_device = {};  // device whose memory was read, if not the current one
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
  std::optional<LaunchEvent> launch;  // exactly one of launch and transfer is set
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

struct Observation {
  std::vector<Finding> findings;
  std::vector<Launch> launches;     // kernel launches in launch order
  std::vector<Transfer> transfers;  // transfers in order of execution
  std::vector<Note> notes;
  // Launches and transfers in one list, during an upload audit only; `launches` and `transfers` are then
  // empty.
  std::optional<std::vector<AuditEvent>> events;
  // Returns the number of kernels that ran; in an audit, the number of launch events.
  [[nodiscard]] std::uint64_t kernels() const;
  bool operator==(const Observation&) const = default;
};

}  // namespace warpmark::wire
