#include "harness/simulator/device/order/streams.h"

#include <algorithm>

namespace warpmark::simulator {

void Clock::set(std::size_t slot, std::uint64_t count) {
  if (slot >= counts_.size()) counts_.resize(slot + 1);
  counts_[slot] = count;
}

void Clock::join(const Clock& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
}

bool Clock::holds(const Clock& other) const {
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    if (at(i) < other.counts_[i]) return false;
  }
  return true;
}

Streams::Streams() : slots_(1) {}

void Streams::have_devices(int count) {
  devices_ = static_cast<std::size_t>(count);
  while (legacy_.size() < devices_) {
    slots_.emplace_back().device = legacy_.size();
    legacy_.push_back(slots_.size() - 1);
  }
}

// Adds a stream and returns the index of its component in vector clocks (its slot). A destroyed stream's
// slot is reused once the host has waited for all of its work, to keep clocks short.
std::size_t Streams::add_slot(bool blocking) {
  std::size_t at = 1;
  while (at < slots_.size() && (!slots_[at].gone || !host_.holds(slots_[at].end))) ++at;
  if (at == slots_.size()) slots_.emplace_back();
  slots_[at].blocking = blocking;
  slots_[at].device = device_;
  slots_[at].gone = false;
  return at;
}

void Streams::created(cudaStream_t stream, bool blocking) {
  known_[stream] = add_slot(blocking);
  ++(blocking ? blocking_ : non_blocking_);
}

void Streams::destroyed(cudaStream_t stream) {
  const auto known = known_.extract(stream);
  if (known) slots_[known.mapped()].gone = true;
}

std::size_t Streams::slot_of(cudaStream_t stream) {
  if (is_legacy(stream)) return legacy_[device_];
  if (stream == nullptr || stream == cudaStreamPerThread) {
    const auto [own, is_new] = own_.try_emplace({thread_.number, device_}, 0);
    if (is_new) {
      own->second = add_slot(true);
      ++blocking_;
    }
    return own->second;
  }
  const auto known = known_.find(stream);
  return known == known_.end() ? legacy_[device_] : known->second;
}

Clock Streams::begin_of(std::size_t slot) const {
  Clock begin = slots_[slot].end;
  const std::size_t device = slots_[slot].device;
  if (!is_legacy_slot(slot)) {
    if (slots_[slot].blocking) begin.join(slots_[legacy_[device]].end);
    return begin;
  }
  for (const Slot& each : slots_) {
    if (each.blocking && each.device == device) begin.join(each.end);
  }
  return begin;
}

// Returns the clock of an observer that has waited for the stream. The legacy default stream completes only
// after all blocking streams of its device.
Clock Streams::end_of(cudaStream_t stream) {
  const std::size_t slot = slot_of(stream);
  return is_legacy_slot(slot) ? begin_of(slot) : slots_[slot].end;
}

Stamp Streams::queue(cudaStream_t stream) {
  const std::size_t number = slot_of(stream);
  Slot& slot = slots_[number];
  Stamp stamp{number, ++slot.count, begin_of(number)};
  stamp.before.join(host_);
  slot.end = stamp.before;
  slot.end.set(number, stamp.count);
  return stamp;
}

Clock Streams::record(cudaStream_t stream) {
  const std::size_t number = slot_of(stream);
  return slots_[number].end = begin_of(number);
}

void Streams::wait(cudaStream_t stream, const Clock& clock) {
  record(stream);
  slots_[slot_of(stream)].end.join(clock);
}

void Streams::host_waits_for(const Stamp& stamp) {
  host_.join(stamp.before);
  host_.set(stamp.slot, std::max(host_.at(stamp.slot), stamp.count));
}

void Streams::meet(int one, int other) {
  const std::size_t first = legacy_[static_cast<std::size_t>(one)];
  const std::size_t second = legacy_[static_cast<std::size_t>(other)];
  Clock both = begin_of(first);
  both.join(begin_of(second));
  slots_[first].end = slots_[second].end = both;
}

void Streams::host_waits_for_device(int device) {
  for (const Slot& slot : slots_) {
    if (slot.device == static_cast<std::size_t>(device)) host_.join(slot.end);
  }
}

void Streams::host_waits_for_all() {
  for (const Slot& slot : slots_) host_.join(slot.end);
}

}  // namespace warpmark::simulator
