// Bytes copied between host and device while a student's function runs.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/cases/buffers.h"
#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// Bytes copied between host and device during one call, excluding the harness's own copies.
struct Traffic {
  std::uint64_t to_host = 0;        // bytes copied from device to host during a call
  std::uint64_t pages_to_host = 0;  // the part of to_host that are pages of managed memory
  // bytes copied to the device during a call, plus mapped or managed host memory that kernels accessed
  std::uint64_t from_host = 0;
  // the part of from_host that kernels accessed in mapped or managed host memory
  std::uint64_t host_memory = 0;
  CauseKind kind = CauseKind::uploaded_again;  // mechanism that moved most of a call's host-to-device bytes
  std::uint64_t input = 0;                     // size in bytes of the inputs of a student's call
};

// Returns the bytes that one request of `turns` calls transferred, minus the harness's own transfers: reads
// of the results, and `patches`, its changes of the inputs before each call.
Traffic traffic_of(const wire::Observation& seen, const Buffers& buffers,
                   const std::vector<wire::Patch>& patches, std::uint64_t turns);

}  // namespace warpmark::judge
