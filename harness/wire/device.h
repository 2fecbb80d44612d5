// What the judge and the process of the simulated device say to each other, on a socket that no program with
// student code has.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::wire {

struct DeviceRequest {
  std::uint64_t number = 0;
  std::optional<RunMode> mode;  // of the launches that follow
  // Files in memory come with it, in this order, in place of those before: bytes that the program's requests
  // have put into device memory, and where they have the device put what the judge wants to see. Neither
  // passes through the program.
  bool source = false;
  bool target = false;
  bool drain = false;  // the reply holds what was seen, which is then forgotten
  bool audit = false;  // as events
  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceReply {
  std::uint64_t number = 0;  // of its request
  // Since the last drain: until the program's first mark, and after it. Without a mark all is in `before`.
  Observation before;
  Observation observed;
  std::uint64_t marks = 0;  // that the program set since the last drain
  std::uint64_t calls = 0;  // of a version's function, as the program said they begin, since the last drain
  // Bytes that went from the source and to the target.
  std::uint64_t taken = 0;
  std::uint64_t saved = 0;
  bool operator==(const DeviceReply&) const = default;
};

// Where the program of a simulated device finds it, in the environment variable of this name: the numbers of
// two descriptors, "<socket> <last words>".
inline constexpr char kDeviceVariable[] = "WARPMARK_DEVICE";

}  // namespace warpmark::wire
