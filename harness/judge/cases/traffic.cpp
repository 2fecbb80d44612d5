#include "harness/judge/cases/traffic.h"

#include <algorithm>

namespace warpmark::judge {
namespace {

// Sums the bytes of all transfers by kind. A worker process that audits every CUDA call reports events
// instead of transfers; both are summed.
Traffic everything_in(const wire::Observation& seen) {
  Traffic traffic;
  std::uint64_t copied = 0, mapped = 0, managed = 0;
  const auto add = [&](wire::Direction direction, wire::TransferKind kind, std::uint64_t bytes) {
    if (direction == wire::Direction::device_to_host) {
      traffic.to_host += bytes;
      if (kind == wire::TransferKind::managed) traffic.pages_to_host += bytes;
    }
    if (direction != wire::Direction::host_to_device) return;
    (kind == wire::TransferKind::mapped    ? mapped
     : kind == wire::TransferKind::managed ? managed
                                           : copied) += bytes;
  };
  for (const wire::Transfer& transfer : seen.transfers)
    add(transfer.direction, transfer.kind, transfer.bytes);
  if (seen.events) {
    for (const wire::AuditEvent& event : *seen.events) {
      if (event.transfer) add(event.transfer->direction, event.transfer->kind, event.transfer->bytes);
    }
  }
  traffic.host_memory = mapped + managed;
  traffic.from_host = copied + traffic.host_memory;
  if (traffic.host_memory > copied)
    traffic.kind = mapped >= managed ? CauseKind::zero_copy : CauseKind::managed_memory;
  return traffic;
}

}  // namespace

Traffic traffic_of(const wire::Observation& seen, const Buffers& buffers,
                   const std::vector<wire::Patch>& patches, std::uint64_t turns) {
  Traffic traffic = everything_in(seen);
  std::uint64_t patched = 0;
  for (const wire::Patch& patch : patches) patched += patch.where.bytes;
  // Excludes from a call's transfers the bytes by which the harness changes the inputs before each call.
  // Without a CUDA audit (no `seen.events`), the worker process starts to record transfers after the first
  // such change, so one less is subtracted.
  patched *= seen.events ? turns : turns - 1;
  // Excludes the harness's own copies of an output that the assignment requires in host memory: such an
  // output is copied to the host as part of the call, and once more when the harness reads it through a copy
  // on the device.
  std::uint64_t on_host = 0;
  for (const Buffers::Region& region : buffers.regions())
    on_host += region.spec.on_host ? region.image.size() : 0;
  traffic.to_host -= std::min<std::uint64_t>(traffic.to_host, (buffers.read_bytes() + on_host) * turns);
  traffic.from_host -= std::min(traffic.from_host - traffic.host_memory, patched + on_host * turns);
  for (const Buffers::Region& region : buffers.regions()) {
    if (region.spec.role == Role::input || region.spec.role == Role::in_out)
      traffic.input += region.spec.bytes;
  }
  return traffic;
}

}  // namespace warpmark::judge
