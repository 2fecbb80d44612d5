// What the harness itself does on the simulated device during a request, held against what the device says
// was done: code of a submission can make the same calls in the worker's place, and then there are too many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/file.h"
#include "harness/wire/device.h"
#include "harness/wire/reply.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// Empty: any number will do.
struct DeviceTally {
  bool is_call = false;  // the device's record is about a submission's function
  std::optional<std::uint64_t> marks;
  std::optional<std::uint64_t> calls;
  std::optional<std::uint64_t> taken;  // bytes
  std::optional<std::uint64_t> saved;
};

// Of a request that was answered so.
DeviceTally tally_of(const wire::Request& request, const wire::Reply& reply);

// What in the device's reply the harness has not done; empty when nothing is.
std::optional<std::string> forged(const wire::DeviceReply& told, const DeviceTally& expected);

// The values of all patches, one behind the other, as a file that the device takes them from; the patches are
// left without. Empty when there are none.
std::optional<SharedMemory> take_values(std::vector<wire::Patch>& patches);

}  // namespace warpmark::judge
