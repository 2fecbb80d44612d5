// Messages between the judge process and the process of the simulated device, on a socket that no process
// with student code holds.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::wire {

struct DeviceRequest {
  std::uint64_t number = 0;
  std::optional<RunMode> mode;  // execution options of the kernel launches that follow; nullopt: unchanged
  // True if a memory file is attached (if both, `source` comes first), which replaces the previous file of
  // that kind. source: bytes that the program's copies put into device memory. target: receives the bytes of
  // device memory that the judge process wants to read. Neither file is visible to the program, which runs
  // student code.
  bool source = false;
  bool target = false;
  // True: the reply returns all observations recorded so far, and the device forgets them.
  bool drain = false;
  bool audit = false;  // true: report observations as a list of events
  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceReply {
  std::uint64_t number = 0;  // number of the request that is answered
  // Observations since the last drain (see DeviceRequest), split at the program's first mark (a call that
  // only sets this boundary): `before` holds those up to the mark or, without a mark, all; `observed` those
  // after the mark.
  Observation before;
  Observation observed;
  std::uint64_t marks = 0;  // number of marks (boundaries between observations) set since the last drain
  // Number of calls of student functions since the last drain, by the program's own account.
  std::uint64_t calls = 0;
  // Number of bytes copied from the source file and to the target file.
  std::uint64_t taken = 0;
  std::uint64_t saved = 0;
  bool operator==(const DeviceReply&) const = default;
};

// Environment variable through which a program finds its simulated device: the numbers of two descriptors,
// the device's socket and the one for last words before a crash.
inline constexpr char kDeviceVariable[] = "WARPMARK_DEVICE";

}  // namespace warpmark::wire
