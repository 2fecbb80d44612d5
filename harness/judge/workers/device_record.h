// Compares the harness's own actions on the simulated device during a request with those that the device
// process recorded. Student code can make the same calls as the harness's code in the worker process; the
// counts are then too high.
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

// Counts that the device process must report after a request; nullopt accepts any number.
struct DeviceTally {
  bool is_call = false;  // true: the request calls student code or makes a copy that tests the recording
  std::optional<std::uint64_t> marks;
  std::optional<std::uint64_t> calls;
  std::optional<std::uint64_t> taken;  // bytes written to device memory from the judge process's file
  std::optional<std::uint64_t> saved;
};

// Returns the counts that a request and its reply imply.
DeviceTally tally_of(const wire::Request& request, const wire::Reply& reply);

// Returns a description of the first count that differs from the expected one; nullopt if all agree.
std::optional<std::string> forged(const wire::DeviceReply& told, const DeviceTally& expected);

// Moves the values of all patches (8-byte writes into buffers) to a memory file that the device process
// reads, in the same order, and sets the values in `patches` to 0. Returns nullopt if there are no patches.
std::optional<SharedMemory> take_values(std::vector<wire::Patch>& patches);

}  // namespace warpmark::judge
