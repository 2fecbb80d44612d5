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
  bool is_call = false;  // true: the request calls student code or tests whether copies are recorded
  std::optional<std::uint64_t> marks;
  std::optional<std::uint64_t> calls;
  std::optional<std::uint64_t> taken;  // bytes copied from the judge process's file to device memory
  std::optional<std::uint64_t> saved;
};

// Returns the counts of actions that the device process (the simulated GPU) must have recorded for a request
// and its reply.
DeviceTally tally_of(const wire::Request& request, const wire::Reply& reply);

// Compares the device process's counts with the expected ones. Returns the first difference, or nullopt.
std::optional<std::string> forged(const wire::DeviceReply& told, const DeviceTally& expected);

// Adds what was recorded before the mark that begins a call to what was recorded after it, `call`. Before the
// mark the harness itself only copies inputs to the device, which the device does not record there: the
// version's code asked for all else.
void count_as_the_calls(wire::Observation before, wire::Observation& call);

// Moves the values of all patches (8-byte writes into buffers) to a memory file that the device process
// reads, in the same order, and sets the values in `patches` to 0. Returns nullopt if there are no patches.
std::optional<SharedMemory> take_values(std::vector<wire::Patch>& patches);

}  // namespace warpmark::judge
