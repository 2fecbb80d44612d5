// Fast path of memory accesses: checks all lanes at once if they access a single allocation, shared memory or
// local memory. All other accesses go lane by lane through locate_lanes(), which also detects faults.
//
// Handlers of global and shared accesses call locate(), then observe(), which reports the access to the race
// detector and the counters.
#pragma once

#include <bit>
#include <cstdint>
#include <mutex>

#include "harness/simulator/engine/operations/lanes.h"
#include "harness/simulator/engine/operations/observer.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

inline std::byte* host_pointer(Address address, std::ptrdiff_t delta) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<std::byte*>(address + static_cast<Address>(delta));
}

inline std::byte* row_of(std::byte* base, std::uint64_t offset) {
  return base + offset / 4 * kRowBytes + offset % 4;
}

// True if [address, address + width) is aligned and inside [begin, begin + bytes) for all lanes. one_lane:
// all addresses are equal, so one is checked.
inline bool all_inside(const Address* addresses, bool one_lane, Address begin, std::uint64_t bytes,
                       unsigned width) {
  if (bytes < width) return false;
  const std::uint64_t last = bytes - width;
  if (one_lane) return addresses[0] - begin <= last && (addresses[0] & (width - 1)) == 0;
  std::uint64_t outside = 0;
  std::uint64_t low_bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    outside |= addresses[lane] - begin > last ? 1 : 0;
    low_bits |= addresses[lane];
  }
  return outside == 0 && (low_bits & (width - 1)) == 0;
}

inline bool all_equal(const Address* addresses) {
  std::uint64_t difference = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane) difference |= addresses[lane] ^ addresses[0];
  return difference == 0;
}

template <unsigned kWidth>
Located locate(Context& c, const Instruction& i, Access access, Slots& slots) {
  const Address* base = aligned(c.read<Address>(i.operands[kAddressOperand]));
  Address* addresses = aligned(c.addresses.data());
  const auto offset = static_cast<Address>(i.offset);
  const Address first = base[std::countr_zero(c.mask)] + offset;
  const bool one_lane = is_one_lane(c.mask);
  if (one_lane) {
    for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = first;
  } else if (c.mask == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = base[lane] + offset;
  } else {
    // Inactive lanes get the first active lane's address, so that bounds checks need no lane mask.
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      addresses[lane] = (c.mask & kLaneBits<std::uint64_t>.bit[lane]) != 0 ? base[lane] + offset : first;
    }
  }
  const bool generic = i.space == ptx::Space::none;
  if (i.space == ptx::Space::shared || (generic && first - c.shared_window < kWindowBytes)) {
    const Address begin = generic ? c.shared_window : 0;
    if (all_inside(addresses, one_lane, begin, c.shared_bytes, kWidth)) {
      return {Located::Kind::flat, static_cast<std::ptrdiff_t>(reinterpret_cast<Address>(c.shared) - begin),
              nullptr};
    }
  } else if (i.space == ptx::Space::local || (generic && first - c.local_window < kWindowBytes)) {
    const Address begin = generic ? c.local_window : 0;
    if (all_inside(addresses, one_lane, begin, c.local_bytes, kWidth)) {
      if (one_lane || all_equal(addresses)) return {Located::Kind::row, 0, row_of(c.local, first - begin)};
      for (unsigned lane = 0; lane < kLanes; ++lane)
        slots[lane] = {row_of(c.local, addresses[lane] - begin) + std::size_t{4} * lane, true, kNoPlace};
      return {Located::Kind::scattered, 0, nullptr};
    }
  } else if (i.space != ptx::Space::param) {
    const Hit& hit = c.hits[i.target];
    if (all_inside(addresses, one_lane, hit.begin, hit.bytes, kWidth) ||
        (refresh_hit(c, i, access, first) && all_inside(addresses, one_lane, hit.begin, hit.bytes, kWidth))) {
      return {Located::Kind::flat, hit.delta, nullptr, hit.shadow};
    }
  }
  if (!locate_lanes(c, i, access, slots)) return {};
  return {Located::Kind::scattered, 0, nullptr};
}

// Sets a flag shared by all host threads; tests it first to avoid contention on its cache line.
inline void note(std::atomic<bool>& flag) {
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
}

// True if a store at Context::addresses outlives the block (not to shared or local memory) and
// Context::lasting_effect is not set yet.
inline bool may_last(const Context& c, const Instruction& i) {
  if (i.space == ptx::Space::shared || i.space == ptx::Space::local ||
      c.lasting_effect->load(std::memory_order_relaxed)) {
    return false;
  }
  const Address first = c.addresses[static_cast<unsigned>(std::countr_zero(c.mask))];
  return i.space != ptx::Space::none ||
         (first - c.shared_window >= kWindowBytes && first - c.local_window >= kWindowBytes);
}

// Reports an access to the race detector and the counters, if any. Call it once per access, after locate()
// and before data moves.
inline void observe(Context& c, const Instruction& i, Access access, const Located& at, const Slots& slots) {
  if (c.observer != nullptr) [[unlikely]]
    c.observer->accessed(c, i, access, at, slots);
}

// Reports an atomic operation or strong access to the race detector and the counters, if any. The caller must
// hold the returned lock until the data has moved, so that such accesses are reported in the order in which
// they take effect.
inline std::unique_lock<std::mutex> observe_in_order(Context& c, const Instruction& i, Access access,
                                                     const Located& at, const Slots& slots) {
  note(*c.order_matters);
  if (c.observer == nullptr) [[likely]]
    return {};
  const bool own =
      at.kind == Located::Kind::row || i.space == ptx::Space::shared ||
      (i.space == ptx::Space::none &&
       c.addresses[static_cast<unsigned>(std::countr_zero(c.mask))] - c.shared_window < kWindowBytes);
  auto lock = own ? std::unique_lock<std::mutex>() : c.observer->order();
  c.observer->accessed(c, i, access, at, slots);
  return lock;
}

// Loads one lane's value, or the part from byte offset `byte` on, from its host location `slot`. In local
// memory, consecutive 4-byte words of one lane are kRowBytes (128) bytes apart.
template <class T>
T read_slot(const Slot& slot, unsigned byte) {
  T value;
  if (!slot.local || sizeof(T) <= 4) {
    std::memcpy(&value, slot.local ? row_of(slot.host, byte) : slot.host + byte, sizeof(T));
    return value;
  }
  std::uint32_t words[2];
  for (unsigned w = 0; w < 2; ++w) std::memcpy(&words[w], row_of(slot.host, byte + 4 * w), 4);
  std::memcpy(&value, words, sizeof(T) < sizeof(words) ? sizeof(T) : sizeof(words));
  return value;
}
template <class T>
void write_slot(const Slot& slot, unsigned byte, T value) {
  if (!slot.local || sizeof(T) <= 4) {
    std::memcpy(slot.local ? row_of(slot.host, byte) : slot.host + byte, &value, sizeof(T));
    return;
  }
  std::uint32_t words[2] = {};
  std::memcpy(words, &value, sizeof(T) < sizeof(words) ? sizeof(T) : sizeof(words));
  for (unsigned w = 0; w < 2; ++w) std::memcpy(row_of(slot.host, byte + 4 * w), &words[w], 4);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
