// What a call did on the device, as far as its work is counted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::judge {

struct DeviceWork {
  std::vector<wire::Launch> launches;
  std::uint64_t copied = 0;  // bytes copied from device memory to device memory
};

inline DeviceWork device_work_of(wire::Observation seen) {
  DeviceWork work{std::move(seen.launches)};
  for (const wire::Transfer& transfer : seen.transfers)
    if (transfer.direction == wire::Direction::device_to_device) work.copied += transfer.bytes;
  return work;
}

}  // namespace warpmark::judge
