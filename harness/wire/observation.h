// What an engine saw while code ran: findings, launches, transfers. All of it arises beside student code: the
// codec bounds it, and the judge holds it against what it knows.
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

// One of two accesses to the same memory that nothing orders.
struct RacingAccess {
  std::string thread;   // "thread (32,0,0)"
  std::string element;  // "shared[32]"
  int line = 0;         // 0: not known
  bool writes = false;
  bool operator==(const RacingAccess&) const = default;
};

struct Finding {
  CauseKind kind = CauseKind::unsupported;  // one whose source is the engine
  std::string kernel;                       // demangled, without its parameters; empty: about host code alone
  std::string file;                         // as the compiler was given it
  int line = 0;                             // 0: not known
  int other_line = 0;                       // the second place, where there is one
  std::string message;
  // ", called from a.cu:17, from a.cu:40": of a line in a function that was called or inlined.
  std::string callers = {};
  // Addresses in the program, innermost first: findings about host code.
  std::vector<std::uint64_t> frames = {};
  // The same of the second place, and whether that is a launch: then the innermost is the kernel's stub.
  std::vector<std::uint64_t> other_frames = {};
  bool other_in_launch = false;
  // Of a race: the two, in the order of the message.
  std::vector<RacingAccess> accesses = {};
  bool operator==(const Finding&) const = default;
};

// The counters of a launch, in the order of kCounterNames; 0 or more. Sums, but for the active lanes, which
// are a mean over instructions.
class Counters {
 public:
  // 0 for a name that is not one of kCounterNames.
  [[nodiscard]] double at(std::string_view name) const;
  void set(std::string_view name, double value);
  [[nodiscard]] const std::array<double, kCounterNames.size()>& values() const { return values_; }
  bool operator==(const Counters&) const = default;

 private:
  std::array<double, kCounterNames.size()> values_{};
};

// What one source line did in a launch.
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

// By the clock of the observer, in nanoseconds.
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
  std::uint64_t shared_bytes = 0;   // of a block, static and dynamic
  std::optional<CountedWork> work;  // where it was counted
  std::optional<Period> when;       // where the observer takes times
  int device = 0;
  bool operator==(const Launch&) const = default;
};

enum class Direction : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host, other };
// mapped, managed: memory in the host that kernels reach. argument: parameters of a launch that are larger
// than the usual pointers and sizes.
enum class TransferKind : std::uint8_t { copy, mapped, managed, argument };
std::string_view name_of(Direction direction);
std::string_view name_of(TransferKind kind);

struct Transfer {
  Direction direction = Direction::other;
  TransferKind kind = TransferKind::copy;
  std::uint64_t bytes = 0;
  std::uint64_t launches_before = 0;  // of those in the same observation
  std::optional<Period> when;
  std::vector<std::uint64_t> frames = {};  // of the call that asked for it, as in Finding
  int device = 0;                          // whose memory it reached, or else read
  std::optional<int> from_device = {};     // another device, whose memory it read
  bool operator==(const Transfer&) const = default;
};

// Neighbouring launches of one kernel, or neighbouring transfers of one sort, as an audit lists them.
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
struct Event {
  std::optional<LaunchEvent> launch;  // one of the two
  std::optional<TransferEvent> transfer;
  std::uint64_t count = 1;
  std::optional<Period> when;
  bool operator==(const Event&) const = default;
};

// A sentence that is worth knowing, but no fault.
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
  std::optional<std::vector<Event>> events;  // in an audit: in place of launches and transfers, in order
  // Kernels that ran, or events of kernels in an audit.
  [[nodiscard]] std::uint64_t kernels() const;
  bool operator==(const Observation&) const = default;
};

}  // namespace warpmark::wire
