#include "harness/simulator/memory/device_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <system_error>
#include <utility>

#include <sys/mman.h>

#include "harness/base/error.h"
#include "harness/simulator/memory/global_shadow.h"
#include "harness/simulator/messages/address_plan.h"

namespace warpmark::simulator {
namespace {

// Filling touches pages. Larger allocations get the pattern at both ends only; their middle reads as zero.
constexpr std::size_t kFilledWhole = std::size_t{64} << 20;
constexpr std::size_t kLargestRedZone = std::size_t{1} << 20;
constexpr std::size_t kPage = 4096;

// An index that runs past the end often does so by a whole stride, so large arrays get wide red zones.
std::size_t red_zone_of(std::size_t bytes) {
  return round_up(std::clamp(bytes / 4, kRedZoneBytes, kLargestRedZone), kAllocationAlignment);
}

std::size_t mapped_bytes(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), kPage);
}

void fill_undefined(std::byte* begin, std::size_t bytes) {
  if (bytes <= kFilledWhole) {
    std::memset(begin, kUndefinedByte, bytes);
    return;
  }
  std::memset(begin, kUndefinedByte, kFilledWhole / 2);
  std::memset(begin + bytes - kFilledWhole / 2, kUndefinedByte, kFilledWhole / 2);
}

bool is_host_kind(Allocation::Kind kind) {
  return kind == Allocation::Kind::host_pinned || kind == Allocation::Kind::managed;
}

// Addresses between two allocations: an index that is off by less than 2^32 elements of 16 bytes stays there,
// as long as few allocations were made, and one that is off by 1 GiB always.
constexpr std::size_t kWideGap = std::size_t{64} << 30;
constexpr std::size_t kGap = std::size_t{1} << 30;
constexpr std::size_t kRangeInProcess = std::size_t{0x200} << 32;
constexpr std::size_t kHostShadowBytes = std::size_t{16} << 30;  // of pinned and managed memory

// What managed memory holds before anybody sets it: implausible, too, and hardly ever what a program stores
// there.
std::byte unset_managed_byte(Address address) {
  const std::uint64_t mixed = (address ^ address >> 13) * 0x9E3779B97F4A7C15U;
  return static_cast<std::byte>(kUndefinedByte ^ static_cast<int>(mixed >> 62));
}

// Device addresses are host addresses.
std::byte* as_pointer(Address address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

struct DeviceMemory::State {
  mutable std::mutex mutex;
  std::byte* view = nullptr;   // the bytes of the heap, for the simulator
  std::byte* range = nullptr;  // the device addresses: two windows, then the heap
  std::size_t range_bytes = 0;
  bool open = false;
  std::atomic<std::uint64_t> changes{0};
  bool of_another_process = false;  // the program: its own memory is not here
  std::size_t host_bytes = 0;       // of the host window
  std::size_t host_top = 0;         // offset in it behind everything ever handed out
  std::size_t top = 0;              // place behind everything ever handed out
  std::size_t apart_top = 0;        // offset in the range behind the last allocation that lies apart
  int device = 0;
  int devices = 1;
  std::array<std::size_t, kMostDevices> live_bytes{};
  std::map<Address, Allocation> by_begin;
  std::map<std::size_t, Address> by_place;  // of device memory
  std::size_t host_places = 0;              // handed out, behind those of device memory
  GlobalShadow shadow{kDeviceMemoryBytes + kHostShadowBytes};
  Padding padding;
  std::deque<Address> quarantine;  // freed ones, oldest first; their addresses are reused last

  [[nodiscard]] std::size_t capacity() const {
    return kDeviceMemoryBytes / static_cast<std::size_t>(devices);
  }
  std::size_t& live_on(int which) { return live_bytes.at(static_cast<std::size_t>(which)); }
  [[nodiscard]] Address heap() const { return address_of(range) + 2 * kWindowBytes; }
  [[nodiscard]] std::byte* view_of(const Allocation& allocation) const {
    if (allocation.copy != nullptr) return allocation.copy;
    return is_host_kind(allocation.kind) ? as_pointer(allocation.begin) : view + allocation.place;
  }

  // The allocation that begins at or below the address.
  [[nodiscard]] const Allocation* below(Address address) const {
    auto next = by_begin.upper_bound(address);
    return next == by_begin.begin() ? nullptr : &std::prev(next)->second;
  }

  // Pages for pinned or managed memory; null when there are none left.
  std::byte* host_pages(std::size_t bytes);
  std::optional<std::size_t> place(std::size_t bytes);
  [[nodiscard]] std::optional<std::size_t> gap(std::size_t need, std::size_t zone) const;
  Address address_for(std::size_t place, std::size_t bytes);
  std::size_t host_place(std::size_t bytes);
  // The live allocation that all the bytes are in; null: none.
  [[nodiscard]] const Allocation* holding(Address address, std::size_t bytes) const {
    const Allocation* allocation = below(address);
    if (allocation == nullptr || allocation->freed) return nullptr;
    const std::size_t offset = address - allocation->begin;
    const bool inside = offset <= allocation->bytes && bytes <= allocation->bytes - offset;
    return inside ? allocation : nullptr;
  }
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const {
    const Allocation* allocation = holding(address, bytes);
    if (allocation == nullptr || allocation->place == kNoPlace) return kNoPlace;
    return allocation->place + (address - allocation->begin);
  }
};

// Where an allocation's addresses begin.
Address DeviceMemory::State::address_for(std::size_t place, std::size_t bytes) {
  const std::size_t first = 2 * kWindowBytes + kDeviceMemoryBytes;
  const std::size_t wide_end = range_bytes / 2;
  const std::size_t top_now = std::max(first, apart_top);
  const std::size_t gap = top_now < wide_end ? kWideGap : kGap;
  const std::size_t need = round_up(bytes, kAllocationAlignment) + gap;
  if (open || top_now + gap + need > range_bytes) return heap() + place;
  apart_top = top_now + need;
  return address_of(range) + apart_top - round_up(bytes, kAllocationAlignment);
}

std::size_t DeviceMemory::State::host_place(std::size_t bytes) {
  const std::size_t need = round_up(std::max<std::size_t>(bytes, 1), kAllocationAlignment);
  if (need > kHostShadowBytes - host_places) return kNoPlace;
  return kDeviceMemoryBytes + std::exchange(host_places, host_places + need);
}

// Place of a hole with room for the bytes and their red zones, among live and quarantined allocations.
std::optional<std::size_t> DeviceMemory::State::gap(std::size_t need, std::size_t zone) const {
  std::size_t free_from = 0;
  for (const auto& [begin, address] : by_place) {
    if (begin >= free_from + zone + need) return free_from + zone;
    const std::size_t bytes = by_begin.at(address).bytes;
    free_from = begin + round_up(bytes, kAllocationAlignment) + red_zone_of(bytes);
  }
  if (free_from + zone + need <= kDeviceMemoryBytes) return free_from + zone;
  return std::nullopt;
}

std::optional<std::size_t> DeviceMemory::State::place(std::size_t bytes) {
  const std::size_t zone = red_zone_of(bytes);
  const std::size_t need = round_up(std::max<std::size_t>(bytes, 1), kAllocationAlignment) + zone;
  if (top + zone + need <= kDeviceMemoryBytes) {
    const std::size_t offset = top + zone;
    top = offset + need;
    return offset;
  }
  while (true) {
    if (auto offset = gap(need, zone)) return offset;
    if (quarantine.empty()) return std::nullopt;
    by_place.erase(by_begin.at(quarantine.front()).place);
    by_begin.erase(quarantine.front());
    quarantine.pop_front();
  }
}

std::byte* DeviceMemory::State::host_pages(std::size_t bytes) {
  if (of_another_process) {
    if (mapped_bytes(bytes) > host_bytes - host_top) return nullptr;
    const std::size_t gap = host_top < host_bytes / 2 ? kGap : 0;
    const std::size_t begin = host_top + mapped_bytes(bytes) + gap <= host_bytes ? host_top + gap : host_top;
    host_top = begin + mapped_bytes(bytes);
    return as_pointer(kHostWindow) + begin;
  }
  void* pages = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

DeviceMemory::DeviceMemory(const DevicePages& pages) : state_(std::make_unique<State>()) {
  constexpr int fixed = MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  state_->of_another_process = true;
  state_->host_bytes = pages.host_bytes;
  constexpr int shared = MAP_SHARED | MAP_NORESERVE;
  void* view = mmap(nullptr, kDeviceMemoryBytes, PROT_READ | PROT_WRITE, shared | MAP_ANONYMOUS, -1, 0);
  if (view == MAP_FAILED ||
      mmap(view, pages.device_bytes, PROT_READ | PROT_WRITE, shared | MAP_FIXED, pages.device, 0) != view) {
    throw_errno("map device memory");
  }
  state_->view = static_cast<std::byte*>(view);
  state_->range = as_pointer(kDeviceRange);
  state_->range_bytes = kDeviceRangeBytes;
  if (mmap(state_->range, kDeviceRangeBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0) !=
          state_->range ||
      mmap(as_pointer(kHostWindow), pages.host_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, pages.host,
           0) != as_pointer(kHostWindow)) {
    throw_errno("reserve device addresses");
  }
}

DeviceMemory::DeviceMemory() : state_(std::make_unique<State>()) {
  // An anonymous shared mapping, mapped a second time by mremap with old size 0: unlike a memfd it is not
  // subject to the file size limit that a sandbox sets.
  constexpr int flags = MAP_ANONYMOUS | MAP_NORESERVE;
  void* view = mmap(nullptr, kDeviceMemoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, -1, 0);
  if (view == MAP_FAILED) throw_errno("reserve device memory");
  state_->range_bytes = kRangeInProcess;
  void* range = mmap(nullptr, kRangeInProcess, PROT_NONE, MAP_PRIVATE | flags, -1, 0);
  if (range == MAP_FAILED) {
    const int reason = errno;
    munmap(view, kDeviceMemoryBytes);
    errno = reason;
    throw_errno("reserve device addresses");
  }
  state_->view = static_cast<std::byte*>(view);
  state_->range = static_cast<std::byte*>(range);
  void* heap = state_->range + 2 * kWindowBytes;
  if (mremap(view, 0, kDeviceMemoryBytes, MREMAP_MAYMOVE | MREMAP_FIXED, heap) == MAP_FAILED ||
      mprotect(heap, kDeviceMemoryBytes, PROT_NONE) != 0) {
    const int reason = errno;
    munmap(view, kDeviceMemoryBytes);
    munmap(range, kRangeInProcess);
    errno = reason;
    throw_errno("map device memory a second time");
  }
}

DeviceMemory::~DeviceMemory() {
  munmap(state_->view, kDeviceMemoryBytes);
  munmap(state_->range, state_->range_bytes);
  if (state_->of_another_process) munmap(as_pointer(kHostWindow), state_->host_bytes);
  for (const auto& [begin, allocation] : state_->by_begin) {
    if (allocation.copy != nullptr) munmap(allocation.copy, mapped_bytes(allocation.bytes));
    if (is_host_kind(allocation.kind) && !allocation.adopted && !state_->of_another_process)
      munmap(as_pointer(begin), mapped_bytes(allocation.bytes));
  }
}

void DeviceMemory::choose(int device, int devices) {
  const std::lock_guard lock(state_->mutex);
  state_->device = device;
  state_->devices = devices;
}

std::size_t DeviceMemory::capacity() const {
  const std::lock_guard lock(state_->mutex);
  return state_->capacity();
}

std::optional<Address> DeviceMemory::allocate(std::size_t bytes, Allocation::Kind kind, std::string name,
                                              bool constant) {
  const std::lock_guard lock(state_->mutex);
  ++state_->changes;
  std::size_t& live = state_->live_on(state_->device);
  if (bytes > state_->capacity() || live + bytes > state_->capacity()) return std::nullopt;
  Allocation allocation{.begin = 0,
                        .bytes = bytes,
                        .kind = kind,
                        .device = state_->device,
                        .freed = false,
                        .constant = constant,
                        .name = std::move(name)};
  if (is_host_kind(kind)) {
    const std::byte* pages = state_->host_pages(bytes);
    if (pages == nullptr) return std::nullopt;
    allocation.begin = address_of(pages);
    allocation.place = state_->host_place(bytes);
  } else {
    const auto offset = state_->place(bytes);
    if (!offset) return std::nullopt;
    allocation.place = *offset;
    allocation.begin = state_->address_for(*offset, bytes);
    state_->by_place[*offset] = allocation.begin;
  }
  std::byte* view = state_->view_of(allocation);
  fill_undefined(view, bytes);
  if (kind == Allocation::Kind::managed && bytes <= kFilledWhole) {
    for (std::size_t i = 0; i < bytes; ++i) view[i] = unset_managed_byte(allocation.begin + i);
  } else if (kind != Allocation::Kind::device && kind != Allocation::Kind::heap &&
             allocation.place != kNoPlace) {
    state_->shadow.written_by_host({allocation.place, bytes});
  }
  live += bytes;
  const Address begin = allocation.begin;
  state_->by_begin.insert_or_assign(begin, std::move(allocation));
  return begin;
}

bool DeviceMemory::adopt(Address begin, std::size_t bytes, std::string name) {
  const std::lock_guard lock(state_->mutex);
  ++state_->changes;
  if (in_range(begin) || bytes == 0 || bytes > kDeviceMemoryBytes || begin + bytes < begin) return false;
  const Allocation* below = state_->below(begin + bytes - 1);
  if (below != nullptr && below->begin + below->bytes > begin) return false;
  Allocation adopted;
  adopted.begin = begin;
  adopted.bytes = bytes;
  adopted.kind = Allocation::Kind::host_pinned;
  adopted.device = state_->device;
  adopted.adopted = true;
  adopted.name = std::move(name);
  if (state_->of_another_process) {
    void* copy = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) return false;
    adopted.copy = static_cast<std::byte*>(copy);
  }
  state_->by_begin.insert_or_assign(begin, std::move(adopted));
  return true;
}

bool DeviceMemory::release(Address begin) {
  const std::lock_guard lock(state_->mutex);
  ++state_->changes;
  const auto found = state_->by_begin.find(begin);
  if (found == state_->by_begin.end() || found->second.freed) return false;
  Allocation& allocation = found->second;
  if (allocation.adopted) {
    if (allocation.copy != nullptr) munmap(allocation.copy, mapped_bytes(allocation.bytes));
    state_->by_begin.erase(found);
    return true;
  }
  allocation.freed = true;
  state_->live_on(allocation.device) -= allocation.bytes;
  std::byte* bytes = state_->view_of(allocation);
  if (is_host_kind(allocation.kind)) {
    // Kept mapped without access, so that the host faults too and no later allocation gets this address.
    if (state_->of_another_process) {
      madvise(bytes, mapped_bytes(allocation.bytes), MADV_REMOVE);
      return true;
    }
    madvise(bytes, mapped_bytes(allocation.bytes), MADV_DONTNEED);
    mprotect(bytes, mapped_bytes(allocation.bytes), PROT_NONE);
    return true;
  }
  state_->quarantine.push_back(begin);
  // Whole pages go back to the machine.
  const Address first = round_up(address_of(bytes), kPage);
  const Address last = (address_of(bytes) + allocation.bytes) / kPage * kPage;
  if (first < last) madvise(as_pointer(first), last - first, MADV_REMOVE);
  state_->shadow.undefine({allocation.place, allocation.bytes});
  state_->padding.forget(allocation.place);
  return true;
}

std::optional<Allocation> DeviceMemory::find(Address address) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->below(address);
  if (allocation == nullptr || address - allocation->begin >= allocation->bytes) return std::nullopt;
  return *allocation;
}

std::optional<Allocation> DeviceMemory::nearest(Address address) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* below = state_->below(address);
  const auto above = state_->by_begin.upper_bound(address);
  std::optional<Allocation> best;
  std::size_t distance = kRedZoneBytes + 1;
  if (below != nullptr) {
    const Address end = below->begin + below->bytes;
    const std::size_t past = address < end ? 0 : address - end + 1;
    if (past < distance) {
      distance = past;
      best = *below;
    }
  }
  if (above != state_->by_begin.end() && above->first - address < distance) best = above->second;
  return best;
}

std::byte* DeviceMemory::host_view(Address address, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->holding(address, bytes);
  return allocation == nullptr ? nullptr : state_->view_of(*allocation) + (address - allocation->begin);
}

std::uint64_t DeviceMemory::changes() const {
  return state_->changes;
}

void DeviceMemory::written_by_host(Address begin, std::size_t bytes) {
  ++state_->changes;
  const std::size_t place = place_of(begin, bytes);
  if (place != kNoPlace) state_->shadow.written_by_host({place, bytes});
}

void DeviceMemory::copied(Address begin, Address from, std::size_t bytes) {
  ++state_->changes;
  const std::size_t source = place_of(from, bytes);
  const std::size_t place = place_of(begin, bytes);
  if (source == kNoPlace || source >= kDeviceMemoryBytes) return written_by_host(begin, bytes);
  if (place != kNoPlace) state_->shadow.copied({place, bytes}, source);
}

void DeviceMemory::undefine(Address begin, std::size_t bytes) {
  ++state_->changes;
  const std::size_t place = place_of(begin, bytes);
  if (place != kNoPlace) state_->shadow.undefine({place, bytes});
}

DefinedBytes::Undefined DeviceMemory::undefined_in(Address begin, std::size_t bytes) const {
  const std::size_t place = place_of(begin, bytes);
  // The host may have written managed memory itself.
  if (place == kNoPlace || place >= kDeviceMemoryBytes || !state_->shadow.seen() || open()) return {};
  return state_->shadow.defined.undefined_in(place, bytes);
}

void DeviceMemory::points_to(Address pointer, const ElementLayout& layout) {
  const auto allocation = find(pointer);
  if (!allocation || allocation->freed || allocation->place == kNoPlace) return;
  state_->padding.note(allocation->place, allocation->place + (pointer - allocation->begin), layout);
}

bool DeviceMemory::may_be_padding(Address begin, std::size_t bytes) const {
  const auto allocation = find(begin);
  const std::size_t place = place_of(begin, bytes);
  return allocation && place != kNoPlace &&
         state_->padding.covers(allocation->place, place, bytes, state_->shadow.defined);
}

GlobalShadow& DeviceMemory::shadow() const {
  return state_->shadow;
}

std::size_t DeviceMemory::place_of(Address address, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  return state_->place_of(address, bytes);
}

bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes) {
  if (managed.bytes > kFilledWhole) return false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    if (*as_pointer(managed.begin + i) != unset_managed_byte(managed.begin + i)) return false;
  }
  return true;
}

std::size_t DeviceMemory::range_bytes() const {
  return state_->range_bytes;
}

bool DeviceMemory::in_range(Address address) const {
  return address - address_of(state_->range) < state_->range_bytes;
}

Address DeviceMemory::shared_window() const {
  return address_of(state_->range);
}

Address DeviceMemory::local_window() const {
  return address_of(state_->range) + kWindowBytes;
}

void DeviceMemory::open_to_host() {
  const std::lock_guard lock(state_->mutex);
  if (state_->open) return;
  // Another process maps it where it needs it.
  if (!state_->of_another_process &&
      mprotect(as_pointer(state_->heap()), kDeviceMemoryBytes, PROT_READ | PROT_WRITE) != 0) {
    throw_errno("open device memory to the host");
  }
  state_->open = true;
}

bool DeviceMemory::open() const {
  const std::lock_guard lock(state_->mutex);
  return state_->open;
}

std::vector<Allocation> DeviceMemory::allocations() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Allocation> all;
  all.reserve(state_->by_begin.size());
  for (const auto& [begin, allocation] : state_->by_begin) all.push_back(allocation);
  return all;
}

}  // namespace warpmark::simulator
