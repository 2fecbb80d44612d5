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
  std::optional<RunMode> mode;  // mode of subsequent launches
  // True if a memory file is attached, in this order; it replaces the previous one. source: bytes that the
  // program's copies put into device memory. target: receives the bytes of device memory that the judge
  // process wants to read. Neither passes through the program, which runs student code.
  bool source = false;
  bool target = false;
  bool drain = false;  // the reply holds the observations, which are then discarded
  bool audit = false;  // report observations as a list of events
  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceReply {
  std::uint64_t number = 0;  // number of the request
  // Observations since the last drain (see DeviceRequest): `before` up to the program's first mark,
  // `observed` after that mark. Without a mark all are in `before`.
  Observation before;
  Observation observed;
  std::uint64_t marks = 0;  // marks that the program set since the last drain
  std::uint64_t calls = 0;  // calls of student functions since the last drain, as announced by the program
  // Number of bytes copied from the source file and to the target file.
  std::uint64_t taken = 0;
  std::uint64_t saved = 0;
  bool operator==(const DeviceReply&) const = default;
};

// Environment variable through which a program finds its simulated device: the numbers of two descriptors,
// the device's socket and the one for last words before a crash.
inline constexpr char kDeviceVariable[] = "WARPMARK_DEVICE";

}  // namespace warpmark::wire
