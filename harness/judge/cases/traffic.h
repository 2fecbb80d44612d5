// Bytes transferred between host and device during a call of a version.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/cases/buffers.h"
#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// Bytes that a call transferred, excluding the harness's own copies.
struct Traffic {
  std::uint64_t to_host = 0;      // bytes copied to the host
  std::uint64_t from_host = 0;    // bytes copied to the device, plus mapped or managed host memory
  std::uint64_t host_memory = 0;  // of from_host: mapped or managed host memory
  CauseKind kind = CauseKind::uploaded_again;  // how most of from_host crossed
  std::uint64_t input = 0;                     // bytes of the call's inputs
};

// Returns the traffic of one request, minus the harness's own reads and patches.
Traffic traffic_of(const wire::Observation& seen, const Buffers& buffers,
                   const std::vector<wire::Patch>& patches, std::uint64_t turns);

}  // namespace warpmark::judge
