// Observations of an engine while code ran: findings, launches, transfers. They arise beside student code, so
// the codec bounds them and the judge compares them with what it knows.
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
  std::string thread;   // "thread (32,0,0)"
  std::string element;  // "shared[32]"
  int line = 0;         // 0: not known
  bool writes = false;
  bool operator==(const RacingAccess&) const = default;
};

// Begins the message of an `unsupported` finding about a library that is not installed. No program can make
// the device say that of one that is.
inline constexpr std::string_view kNotInBuild = "not simulated by this build of Warpmark";

struct Finding {
  CauseKind kind = CauseKind::unsupported;  // a kind whose source is the engine
  std::string kernel;                       // demangled, without parameters; empty: host code only
  std::string file;                         // path as passed to the compiler
  int line = 0;                             // 0: not known
  int other_line = 0;                       // line of the second, conflicting place; 0: none
  std::string message;
  // Call chain of a line in a called or inlined function: ", called from a.cu:17, from a.cu:40".
  std::string callers = {};
  // For findings in host code: the call stack, innermost first: return addresses minus one, as offsets in the
  // program or library.
  std::vector<std::uint64_t> frames = {};
  // Call stack of the second place. other_in_launch: that place is a launch, and the innermost frame is the
  // kernel's host stub.
  std::vector<std::uint64_t> other_frames = {};
  bool other_in_launch = false;
  // Of a race: the two accesses, in the order in which the message names them.
  std::vector<RacingAccess> accesses = {};
  bool operator==(const Finding&) const = default;
};

// Counters of a launch, in the order of kCounterNames; all non-negative. They are sums, except the active
// lanes, which are a mean over instructions.
class Counters {
 public:
  // Returns 0 for a name that is not in kCounterNames.
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
  double active_lanes = 0;  // mean over instructions
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

// Start and end in nanoseconds of the observer's clock.
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
  std::uint64_t shared_bytes = 0;   // per block, static and dynamic
  std::optional<CountedWork> work;  // if it was counted
  std::optional<Period> when;       // if the observer records times
  int device = 0;
  bool operator==(const Launch&) const = default;
};

enum class Direction : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host, other };
// mapped, managed: host memory that kernels access directly. argument: launch parameters larger than the
// usual pointers and sizes.
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
  std::uint64_t launches_before = 0;  // number of launches before it in the same observation
  std::optional<Period> when;
  std::vector<std::uint64_t> frames = {};  // call stack of the call that requested it, as in Finding
  int device = 0;                          // device whose memory was written or, if none was, read
  std::optional<int> from_device = {};     // another device whose memory was read
  bool operator==(const Transfer&) const = default;
};

// Neighbouring launches of one kernel, or neighbouring transfers of one sort, merged for the upload audit.
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

// An informative sentence that is not a fault.
struct Note {
  std::string kernel;
  std::string message;
  bool operator==(const Note&) const = default;
};

struct Observation {
  std::vector<Finding> findings;
  std::vector<Launch> launches;     // in order
  std::vector<Transfer> transfers;  // in order
  std::vector<Note> notes;
  std::optional<std::vector<AuditEvent>> events;  // in an audit: replaces launches and transfers
  // Returns the number of kernels that ran; in an audit, of launch events.
  [[nodiscard]] std::uint64_t kernels() const;
  bool operator==(const Observation&) const = default;
};

}  // namespace warpmark::wire
