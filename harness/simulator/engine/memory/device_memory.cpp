#include "harness/simulator/engine/memory/device_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include <sys/mman.h>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/simulator/both/address_plan.h"
#include "harness/simulator/engine/memory/allocation_table.h"
#include "harness/simulator/engine/memory/global_shadow.h"
#include "harness/simulator/engine/memory/mappings.h"
#include "harness/simulator/engine/memory/space_allocator.h"
#include "harness/simulator/engine/memory/unset.h"

namespace warpmark::simulator {
namespace {

// Unused bytes between allocations of pinned or managed memory, so that an index out of bounds hits no
// neighbour.
constexpr std::size_t kHostGap = std::size_t{1} << 30;
constexpr std::size_t kRangeInProcess = std::size_t{0x200} << 32;
// Maximum total size of pinned and managed memory for which the race detector keeps shadow cells.
constexpr std::size_t kHostShadowBytes = std::size_t{16} << 30;

}  // namespace

struct DeviceMemory::State {
  State(std::byte* bytes, std::byte* addresses, std::size_t address_bytes)
      : view(bytes), range(addresses), range_bytes(address_bytes), space(address_of(range), range_bytes) {}

  mutable std::mutex mutex;
  std::byte* view;   // mapping through which the simulator accesses device memory
  std::byte* range;  // reserved device addresses: shared window, local window, allocations
  std::size_t range_bytes;
  std::atomic<std::uint64_t> changes{0};
  // Value of device memory's change counter at the last change to a range that no single allocation
  // contains; all allocations count as changed at that time.
  std::uint64_t changed_somewhere = 0;
  // True if the simulated device runs in a process of its own: the address space of the program under test is
  // then not mapped in the device's.
  bool of_another_process = false;
  bool accounts = true;        // false: stop_accounting() was called
  std::size_t host_bytes = 0;  // size of the address window for pinned and managed memory, in bytes
  // end of the part of the pinned and managed window that was ever allocated, in bytes from its start
  std::size_t host_top = 0;
  int device = 0;
  int devices = 1;
  std::array<std::size_t, kMostDevices> live_bytes{};
  SpaceAllocator space;
  AllocationTable table;
  // Bytes of the race detector's shadow that were ever assigned to pinned and managed memory. They follow the
  // shadow of device memory.
  std::size_t host_places = 0;
  GlobalShadow shadow{kDeviceMemoryBytes + kHostShadowBytes};
  Padding padding;

  [[nodiscard]] std::size_t capacity() const {
    return kDeviceMemoryBytes / static_cast<std::size_t>(devices);
  }
  std::size_t& live_on(int which) { return live_bytes.at(static_cast<std::size_t>(which)); }
  [[nodiscard]] std::byte* view_of(const Allocation& allocation) const {
    if (allocation.copy != nullptr) return allocation.copy;
    return is_host_kind(allocation.kind) ? as_pointer(allocation.begin) : view + allocation.place;
  }
  // Returns unused pages for pinned or managed memory, or null if none are left.
  std::byte* host_pages(std::size_t bytes);
  std::size_t host_place(std::size_t bytes);
  // Chooses a new allocation's device address and the offset of its race-detector shadow (Allocation::place).
  // Returns false if no addresses are left.
  bool find_room(Allocation& allocation);
  // Frees pinned or managed memory but keeps its addresses reserved, so that no later allocation gets the
  // same address.
  void close(std::byte* pages, std::size_t bytes) const;
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const {
    return place_in(table.holding(address, bytes), address);
  }
  [[nodiscard]] static std::size_t place_in(const Allocation* allocation, Address address) {
    if (allocation == nullptr || allocation->place == kNoPlace) return kNoPlace;
    return allocation->place + (address - allocation->begin);
  }
  // Records that the host, not a kernel, changes the bytes of the range. Returns the range's offset in the
  // race detector's shadow (place_of()); kNoPlace if no account is kept.
  std::size_t changing(Address address, std::size_t bytes) {
    const std::uint64_t now = ++changes;
    const Allocation* allocation = table.change(address, bytes, now);
    if (allocation == nullptr) changed_somewhere = now;
    return accounts ? place_in(allocation, address) : kNoPlace;
  }
};

std::size_t DeviceMemory::State::host_place(std::size_t bytes) {
  const std::size_t need = round_up(std::max<std::size_t>(bytes, 1), kAllocationAlignment);
  if (need > kHostShadowBytes - host_places) return kNoPlace;
  return kDeviceMemoryBytes + std::exchange(host_places, host_places + need);
}

std::byte* DeviceMemory::State::host_pages(std::size_t bytes) {
  if (of_another_process) {
    if (mapped_bytes(bytes) > host_bytes - host_top) return nullptr;
    const std::size_t gap = host_top < host_bytes / 2 ? kHostGap : 0;
    const std::size_t begin = host_top + mapped_bytes(bytes) + gap <= host_bytes ? host_top + gap : host_top;
    host_top = begin + mapped_bytes(bytes);
    return as_pointer(kHostWindow) + begin;
  }
  void* pages = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

bool DeviceMemory::State::find_room(Allocation& allocation) {
  if (is_host_kind(allocation.kind)) {
    const std::byte* pages = host_pages(allocation.bytes);
    if (pages == nullptr) return false;
    allocation.begin = address_of(pages);
    allocation.place = host_place(allocation.bytes);
    return true;
  }
  std::vector<Address> forgotten;
  const auto spot = space.take(allocation.bytes, forgotten);
  for (const Address begin : forgotten) table.forget(begin);
  if (!spot) return false;
  allocation.begin = spot->begin;
  allocation.place = spot->place;
  return true;
}

void DeviceMemory::State::close(std::byte* pages, std::size_t bytes) const {
  if (of_another_process) {
    madvise(pages, mapped_bytes(bytes), MADV_REMOVE);
    return;
  }
  madvise(pages, mapped_bytes(bytes), MADV_DONTNEED);
  mprotect(pages, mapped_bytes(bytes), PROT_NONE);
}

DeviceMemory::DeviceMemory(const HostPages& pages)
    : state_(std::make_unique<State>(map_device_bytes(),
                                     reserve_addresses(as_pointer(kDeviceRange), kDeviceRangeBytes),
                                     kDeviceRangeBytes)) {
  state_->of_another_process = true;
  state_->host_bytes = pages.bytes;
  constexpr int shared = MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  if (mmap(as_pointer(kHostWindow), pages.bytes, PROT_READ | PROT_WRITE, shared, pages.file, 0) !=
      as_pointer(kHostWindow))
    throw_errno("map host memory");
}

DeviceMemory::DeviceMemory()
    : state_(std::make_unique<State>(map_device_bytes(), reserve_addresses(nullptr, kRangeInProcess),
                                     kRangeInProcess)) {}

DeviceMemory::~DeviceMemory() {
  munmap(state_->view, kDeviceMemoryBytes);
  munmap(state_->range, state_->range_bytes);
  if (state_->of_another_process) munmap(as_pointer(kHostWindow), state_->host_bytes);
  for (const auto* table : {&state_->table.live(), &state_->table.freed()}) {
    for (const auto& [begin, allocation] : *table) {
      if (allocation.copy != nullptr) munmap(allocation.copy, mapped_bytes(allocation.bytes));
      if (is_host_kind(allocation.kind) && !allocation.adopted && !state_->of_another_process)
        munmap(as_pointer(begin), mapped_bytes(allocation.bytes));
    }
  }
}

void DeviceMemory::stop_accounting() {
  const std::lock_guard lock(state_->mutex);
  state_->accounts = false;
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
  if (!state_->find_room(allocation)) return std::nullopt;
  if (state_->accounts) {
    fill_unset(state_->view_of(allocation), allocation);
    if (!starts_unset(allocation) && allocation.place != kNoPlace)
      state_->shadow.written_by_host({allocation.place, bytes});
  }
  live += bytes;
  const Address begin = allocation.begin;
  allocation.changed = state_->changes;
  state_->table.add(std::move(allocation));
  return begin;
}

bool DeviceMemory::adopt(Address begin, std::size_t bytes, std::string name) {
  const std::lock_guard lock(state_->mutex);
  ++state_->changes;
  if (bytes == 0 || bytes > kDeviceMemoryBytes || begin + bytes < begin) return false;
  // Addresses alone tell what lies on the device: no part of host memory may have one of those.
  const Address range = address_of(state_->range);
  if (begin < range + state_->range_bytes && range < begin + bytes) return false;
  const Allocation* below = state_->table.below(begin + bytes - 1);
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
  state_->table.add(std::move(adopted));
  return true;
}

bool DeviceMemory::release(Address begin) {
  const std::lock_guard lock(state_->mutex);
  ++state_->changes;
  const Allocation* known = state_->table.beginning_at(begin);
  if (known == nullptr) return false;
  if (known->adopted) {
    if (known->copy != nullptr) munmap(known->copy, mapped_bytes(known->bytes));
    state_->table.forget(begin);
    return true;
  }
  const Allocation allocation = *known;
  state_->table.free(begin);
  state_->live_on(allocation.device) -= allocation.bytes;
  std::byte* bytes = state_->view_of(allocation);
  if (is_host_kind(allocation.kind)) {
    state_->close(bytes, allocation.bytes);
    return true;
  }
  if (state_->accounts) state_->shadow.undefine({allocation.place, allocation.bytes});
  if (!state_->space.free(begin)) {
    give_back(bytes, allocation.bytes);
    if (state_->accounts) state_->shadow.give_back({allocation.place, allocation.bytes});
  }
  state_->padding.forget(allocation.place);
  return true;
}

std::optional<Allocation> DeviceMemory::find(Address address) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.below(address);
  if (allocation == nullptr || address - allocation->begin >= allocation->bytes) return std::nullopt;
  return *allocation;
}

std::optional<Allocation> DeviceMemory::nearest(Address address) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.nearest(address);
  return allocation == nullptr ? std::nullopt : std::optional(*allocation);
}

std::byte* DeviceMemory::host_view(Address address, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.holding(address, bytes);
  return allocation == nullptr ? nullptr : state_->view_of(*allocation) + (address - allocation->begin);
}

std::uint64_t DeviceMemory::changes() const {
  return state_->changes;
}

std::vector<HeldBytes> DeviceMemory::held() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<HeldBytes> all;
  all.reserve(state_->table.live().size());
  for (const auto& [begin, allocation] : state_->table.live()) {
    if (allocation.adopted) continue;
    all.push_back({begin,
                   {state_->view_of(allocation), allocation.bytes},
                   allocation.place,
                   std::max(allocation.changed, state_->changed_somewhere),
                   is_host_kind(allocation.kind)});
  }
  return all;
}

void DeviceMemory::store_as_a_kernel(Address begin, std::span<const std::byte> bytes) {
  ++state_->changes;
  if (std::byte* view = host_view(begin, bytes.size())) std::ranges::copy(bytes, view);
}

void DeviceMemory::written_by_host(Address begin, std::size_t bytes) {
  const std::lock_guard lock(state_->mutex);
  const std::size_t place = state_->changing(begin, bytes);
  if (place != kNoPlace) state_->shadow.written_by_host({place, bytes});
}

void DeviceMemory::copied(Address begin, Address from, std::size_t bytes) {
  const std::size_t source = place_of(from, bytes);
  if (source >= kDeviceMemoryBytes) return written_by_host(begin, bytes);
  const std::lock_guard lock(state_->mutex);
  const std::size_t place = state_->changing(begin, bytes);
  if (place != kNoPlace) state_->shadow.copied({place, bytes}, source);
}

void DeviceMemory::undefine(Address begin, std::size_t bytes) {
  const std::lock_guard lock(state_->mutex);
  const std::size_t place = state_->changing(begin, bytes);
  if (place != kNoPlace) state_->shadow.undefine({place, bytes});
}

void DeviceMemory::report_writes(Address begin, std::size_t bytes) {
  const std::lock_guard lock(state_->mutex);
  const std::size_t place = state_->changing(begin, bytes);
  if (place != kNoPlace) state_->shadow.reported_writes = {place, bytes};
}

void DeviceMemory::set_but_for(Address begin, std::size_t bytes, std::span<const std::size_t> unset) {
  const std::size_t place = place_of(begin, bytes);
  if (place == kNoPlace || !state_->accounts) return;
  DefinedBytes& defined = state_->shadow.defined;
  defined.define_all(place, bytes);
  for (std::size_t i = 0; i + 1 < unset.size(); i += 2)
    defined.undefine_all(place + unset[i], unset[i + 1] - unset[i]);
}

DefinedBytes::Undefined DeviceMemory::undefined_in(Address begin, std::size_t bytes) const {
  const std::size_t place = place_of(begin, bytes);
  // Uninitialised bytes of host memory are not reported: the host may have initialised them by plain stores,
  // which the simulator does not see.
  if (place >= kDeviceMemoryBytes || !state_->accounts || !state_->shadow.seen()) return {};
  return state_->shadow.defined.undefined_in(place, bytes);
}

void DeviceMemory::points_to(Address pointer, const ElementLayout& layout) {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.holding(pointer, 1);
  if (allocation == nullptr || allocation->place == kNoPlace) return;
  state_->padding.note(allocation->place, allocation->place + (pointer - allocation->begin), layout);
}

bool DeviceMemory::may_be_padding(Address begin, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.holding(begin, bytes);
  return allocation != nullptr && allocation->place != kNoPlace &&
         state_->padding.covers(allocation->place, allocation->place + (begin - allocation->begin), bytes,
                                state_->shadow.defined);
}

bool DeviceMemory::is_known_padding(Address begin, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  const Allocation* allocation = state_->table.holding(begin, bytes);
  return allocation != nullptr && allocation->place != kNoPlace &&
         state_->padding.is_known(allocation->place, allocation->place + (begin - allocation->begin), bytes);
}

GlobalShadow& DeviceMemory::shadow() const {
  return state_->shadow;
}

std::size_t DeviceMemory::place_of(Address address, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  return state_->place_of(address, bytes);
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

namespace {

std::vector<Allocation> values_of(const AllocationTable::ByBegin& table) {
  std::vector<Allocation> all;
  all.reserve(table.size());
  for (const auto& [begin, allocation] : table) all.push_back(allocation);
  return all;
}

}  // namespace

std::vector<Allocation> DeviceMemory::allocations() const {
  const std::lock_guard lock(state_->mutex);
  return values_of(state_->table.live());
}

std::vector<Allocation> DeviceMemory::freed_allocations() const {
  const std::lock_guard lock(state_->mutex);
  return values_of(state_->table.freed());
}

}  // namespace warpmark::simulator
