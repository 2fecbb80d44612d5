// What crosses between host and device in a call of a version.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/cases/buffers.h"
#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// What crossed between host and device in a call, but for the harness's own copies.
struct Traffic {
  std::uint64_t to_host = 0;                   // bytes of copies
  std::uint64_t from_host = 0;                 // bytes of copies, and of host memory that kernels reach
  std::uint64_t host_memory = 0;               // of these: bytes of host memory that kernels reach
  CauseKind kind = CauseKind::uploaded_again;  // of what is most of from_host
  std::uint64_t input = 0;                     // bytes of the inputs of the call
};

// Of one request, without what the harness read back and patched for itself.
Traffic traffic_of(const wire::Observation& seen, const Buffers& buffers,
                   const std::vector<wire::Patch>& patches, std::uint64_t turns);

}  // namespace warpmark::judge
