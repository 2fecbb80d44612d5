// Messages between the judge and the process of the simulated device, on a socket that no process with
// student code holds.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::wire {

struct DeviceRequest {
  std::uint64_t number = 0;
  std::optional<RunMode> mode;  // of subsequent launches
  // True if a memory file is attached, in this order; it replaces the previous one. source: bytes that the
  // program's requests put into device memory. target: where the device writes the bytes that the judge wants
  // to read. Neither passes through the program.
  bool source = false;
  bool target = false;
  bool drain = false;  // the reply holds the observations, which are then discarded
  bool audit = false;  // observations as a list of events
  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceReply {
  std::uint64_t number = 0;  // number of the request
  // Observations since the last drain: up to the program's first mark, and after it. Without a mark all are
  // in `before`.
  Observation before;
  Observation observed;
  std::uint64_t marks = 0;  // marks that the program set since the last drain
  std::uint64_t calls = 0;  // calls of a version's function since the last drain, as announced by the program
  // Bytes copied from the source and to the target.
  std::uint64_t taken = 0;
  std::uint64_t saved = 0;
  bool operator==(const DeviceReply&) const = default;
};

// Environment variable through which a program finds its simulated device; its value is two descriptor
// numbers, "<socket> <last words>".
inline constexpr char kDeviceVariable[] = "WARPMARK_DEVICE";

}  // namespace warpmark::wire
