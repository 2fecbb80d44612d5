#include "harness/simulator/order/streams.h"

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

// Slots of streams that are gone are used again once all their work is over for the host: clocks stay short.
std::size_t Streams::add_slot(bool blocking) {
  for (std::size_t i = 1; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.gone || !host_.holds(slot.end)) continue;
    slot.blocking = blocking;
    slot.gone = false;
    return i;
  }
  slots_.emplace_back().blocking = blocking;
  return slots_.size() - 1;
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
  if (is_legacy(stream)) return kLegacy;
  if (stream == nullptr || stream == cudaStreamPerThread) {
    const auto [own, is_new] = own_.try_emplace(thread_.number, 0);
    if (is_new) {
      own->second = add_slot(true);
      ++blocking_;
    }
    return own->second;
  }
  const auto known = known_.find(stream);
  return known == known_.end() ? kLegacy : known->second;
}

Clock Streams::begin_of(std::size_t slot) const {
  Clock begin = slots_[slot].end;
  if (slot != kLegacy) {
    if (slots_[slot].blocking) begin.join(slots_[kLegacy].end);
    return begin;
  }
  for (const Slot& each : slots_) {
    if (each.blocking) begin.join(each.end);
  }
  return begin;
}

// The legacy default stream has not come to its end before all blocking streams have.
Clock Streams::end_of(cudaStream_t stream) {
  const std::size_t slot = slot_of(stream);
  return slot == kLegacy ? begin_of(kLegacy) : slots_[slot].end;
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

void Streams::host_waits_for_all() {
  for (const Slot& slot : slots_) host_.join(slot.end);
}

}  // namespace warpmark::simulator
