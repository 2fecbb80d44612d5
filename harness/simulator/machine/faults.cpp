#include "harness/simulator/machine/faults.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/machine/control_operations.h"

namespace warpmark::simulator {
namespace {

using ptx::Space;

constexpr Address kNullReach = 0x10000;  // an address below is a null pointer with an index
constexpr Address kWindowReach =
    0x10000;  // an address this close before a window is a negative index into it

const AllocationView* allocation_below(const LaunchState& launch, Address address) {
  const auto next =
      std::upper_bound(launch.allocations.begin(), launch.allocations.end(), address,
                       [](Address a, const AllocationView& view) { return a < view.allocation.begin; });
  return next == launch.allocations.begin() ? nullptr : &*std::prev(next);
}

// Distance in bytes from an allocation, for one that does not hold the address.
Address distance(const Allocation& allocation, Address address) {
  return address < allocation.begin ? allocation.begin - address
                                    : address - (allocation.begin + allocation.bytes);
}

// Of the same kind of memory: how far device memory lies from the host's differs from run to run.
const AllocationView* nearest_allocation(const LaunchState& launch, Address address) {
  const AllocationView* best = nullptr;
  const bool on_device = launch.memory.in_range(address);
  for (const AllocationView& view : launch.allocations) {
    if (launch.memory.in_range(view.allocation.begin) != on_device) continue;
    if (best == nullptr || distance(view.allocation, address) < distance(best->allocation, address))
      best = &view;
  }
  return best;
}

struct Fault {
  Finding::Kind kind = Finding::Kind::out_of_bounds;
  std::string where;  // as it follows "4-byte read"
  std::string remedy = "test the index against the size before the access";
};

std::string bytes_from(std::int64_t offset, std::size_t size, unsigned width, std::string_view what) {
  const std::int64_t end = static_cast<std::int64_t>(size);
  std::string relation;
  if (offset < 0) {
    relation = fmt::format("{} bytes before the start of {}", -offset, what);
  } else if (offset >= end) {
    relation = offset == end ? fmt::format("just past the end of {}", what)
                             : fmt::format("{} bytes past the end of {}", offset - end, what);
  } else {
    relation = fmt::format("across the end of {}", what);
  }
  if (offset % static_cast<std::int64_t>(width) == 0) {
    relation += fmt::format(", i.e. element {} of {} when read as {}-byte values",
                            offset / static_cast<std::int64_t>(width), size / width, width);
  }
  return relation;
}

std::string name_of_allocation(const Allocation& allocation) {
  if (!allocation.name.empty())
    return fmt::format("the {}-byte variable {}", allocation.bytes, allocation.name);
  const bool host = allocation.kind == Allocation::Kind::host_pinned;
  const bool managed = allocation.kind == Allocation::Kind::managed;
  return fmt::format("a {}-byte {}allocation", allocation.bytes,
                     host      ? "pinned host "
                     : managed ? "managed "
                               : "");
}

// The static or dynamic array that the offset most likely belongs to: the last one that begins before it.
struct SharedArray {
  std::string name;  // empty: no array
  std::int64_t begin = 0;
  std::size_t bytes = 0;
  std::size_t element = 1;
};
SharedArray shared_array(const LaunchState& launch, std::int64_t offset) {
  SharedArray best;
  for (const SharedVariable& variable : launch.kernel.shared) {
    const bool dynamic = variable.bytes == 0;
    const auto begin = static_cast<std::int64_t>(dynamic ? launch.dynamic_shared_offset : variable.offset);
    if (begin >= static_cast<std::int64_t>(launch.shared_bytes) && !dynamic) continue;
    const std::size_t bytes = dynamic ? launch.shared_bytes - launch.dynamic_shared_offset : variable.bytes;
    if (!best.name.empty() && (begin > offset || begin < best.begin)) continue;
    best = {variable.name, begin, bytes, std::max<std::size_t>(1, variable.element)};
  }
  return best;
}

std::string shared_relation(const LaunchState& launch, std::int64_t offset, unsigned width) {
  const SharedArray array = shared_array(launch, offset);
  if (array.name.empty())
    return fmt::format("outside shared memory, of which the block has {} bytes", launch.shared_bytes);
  return bytes_from(offset - array.begin, array.bytes, width,
                    fmt::format("the {}-byte shared array {}", array.bytes, array.name));
}

// Finds the host slot of an address, or says what is wrong with it.
class Locator {
 public:
  Locator(const Context& context, const Instruction& instruction)
      : c_(context), i_(instruction), launch_(context.warp->block().launch()) {}

  bool find(unsigned lane, Address address, Slot& slot, Fault* fault) const {
    if (i_.space == Space::shared) return in_shared(static_cast<std::int64_t>(address), slot, fault);
    if (i_.space == Space::local) return in_local(lane, static_cast<std::int64_t>(address), slot, fault);
    if (i_.space == Space::param) return in_parameters(address, slot, fault);
    if (i_.space == Space::none && address - c_.local_window + kWindowReach < kWindowBytes + kWindowReach) {
      return in_local(lane, static_cast<std::int64_t>(address - c_.local_window), slot, fault);
    }
    if (i_.space == Space::none && address - c_.shared_window + kWindowReach < kWindowBytes + kWindowReach) {
      return in_shared(static_cast<std::int64_t>(address - c_.shared_window), slot, fault);
    }
    return in_global(address, slot, fault);
  }

 private:
  [[nodiscard]] bool fits(std::int64_t offset, std::uint64_t bytes) const {
    return offset >= 0 && static_cast<std::uint64_t>(offset) + i_.width <= bytes;
  }
  // name: what the byte at the offset belongs to.
  template <class Name>
  bool aligned(Address address, std::int64_t offset, Fault* fault, Name name) const {
    if (address % i_.width == 0) return true;
    if (fault == nullptr) return false;
    fault->kind = Finding::Kind::misaligned;
    fault->where = fmt::format("at byte {} of {}, which is not a multiple of {}", offset, name(), i_.width);
    fault->remedy = fmt::format(
        "a {}-byte access needs an address that {} divides: begin at an aligned element, or use "
        "smaller accesses",
        i_.width, i_.width);
    return false;
  }

  bool in_shared(std::int64_t offset, Slot& slot, Fault* fault) const {
    if (fits(offset, c_.shared_bytes)) {
      slot.host = c_.shared + offset;
      const SharedArray array = fault == nullptr ? SharedArray{} : shared_array(launch_, offset);
      return aligned(static_cast<Address>(offset), offset - array.begin, fault, [&] {
        return array.name.empty() ? "shared memory" : fmt::format("the shared array {}", array.name);
      });
    }
    if (fault != nullptr) fault->where = shared_relation(launch_, offset, i_.width);
    return false;
  }
  bool in_local(unsigned lane, std::int64_t offset, Slot& slot, Fault* fault) const {
    if (fits(offset, c_.local_bytes)) {
      slot.host =
          c_.local + offset / 4 * static_cast<std::int64_t>(kRowBytes) + offset % 4 + std::size_t{4} * lane;
      slot.local = true;
      return aligned(static_cast<Address>(offset), offset, fault,
                     [] { return "the thread's local variables"; });
    }
    if (fault != nullptr) {
      const auto end = static_cast<std::int64_t>(c_.local_bytes);
      fault->where = offset < 0 ? fmt::format("{} bytes before the thread's local variables", -offset)
                                : fmt::format("{} bytes past the thread's local variables", offset - end);
    }
    return false;
  }
  bool in_parameters(Address offset, Slot& slot, Fault* fault) const {
    if (fits(static_cast<std::int64_t>(offset), c_.parameter_bytes)) {
      slot.host =
          const_cast<std::byte*>(c_.parameters) + offset;  // only read: st.param of a kernel does not exist
      return aligned(offset, static_cast<std::int64_t>(offset), fault,
                     [] { return "the kernel's parameters"; });
    }
    if (fault != nullptr)
      fault->where = fmt::format("past the {} bytes of the kernel's parameters", c_.parameter_bytes);
    return false;
  }
  bool in_global(Address address, Slot& slot, Fault* fault) const {
    const AllocationView* below = allocation_below(launch_, address);
    const auto offset = static_cast<std::int64_t>(below == nullptr ? 0 : address - below->allocation.begin);
    if (below != nullptr && !below->allocation.freed && fits(offset, below->allocation.bytes)) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      slot.host = reinterpret_cast<std::byte*>(address + static_cast<Address>(below->delta));
      return aligned(address, offset, fault, [&] { return name_of_allocation(below->allocation); });
    }
    if (fault != nullptr) explain_global(address, below, *fault);
    return false;
  }
  void explain_global(Address address, const AllocationView* below, Fault& fault) const {
    if (below != nullptr && below->allocation.freed &&
        address - below->allocation.begin < below->allocation.bytes) {
      fault.kind = Finding::Kind::use_after_free;
      fault.where = fmt::format("{} bytes into {} that was freed", address - below->allocation.begin,
                                name_of_allocation(below->allocation));
      fault.remedy = "free it only after the last kernel that uses it";
      return;
    }
    if (address < kNullReach) {
      fault.where = address == 0 ? "through a null pointer"
                                 : fmt::format("through a null pointer plus {} bytes", address);
      fault.remedy = "was the pointer allocated, and passed to the kernel?";
      return;
    }
    const AllocationView* nearest = nearest_allocation(launch_, address);
    const bool close = nearest != nullptr && distance(nearest->allocation, address) <= kRedZoneBytes;
    if (launch_.memory.in_range(address) || close) {
      fault.where =
          nearest == nullptr
              ? "outside every allocation"
              : bytes_from(static_cast<std::int64_t>(address - nearest->allocation.begin),
                           nearest->allocation.bytes, i_.width, name_of_allocation(nearest->allocation));
      return;
    }
    fault.kind = Finding::Kind::host_pointer;
    fault.where = "outside device memory: the address is one of ordinary host memory, or of no memory at all";
    fault.remedy = "copy the data to the device and pass the pointer that cudaMalloc gave";
  }

  const Context& c_;
  const Instruction& i_;
  const LaunchState& launch_;
};

std::string_view access_name(Access access) {
  switch (access) {
    case Access::read:
      return "read";
    case Access::write:
      return "write";
    case Access::atomic:
      return "atomic operation";
  }
  return "";
}

}  // namespace

bool locate_lanes(Context& context, const Instruction& instruction, Access access, Slots& slots) {
  const Locator locator(context, instruction);
  std::uint32_t wrong = 0;
  for (std::uint32_t rest = context.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    slots[lane] = {};
    if (!locator.find(lane, context.addresses[lane], slots[lane], nullptr)) wrong |= 1U << lane;
  }
  if (wrong == 0) return true;
  const auto lane = static_cast<unsigned>(std::countr_zero(wrong));
  const Address address = context.addresses[lane];
  Fault fault;
  Slot unused;
  locator.find(lane, address, unused, &fault);
  Block& block = context.warp->block();
  context.instruction = &instruction;
  const int count = std::popcount(wrong);
  block.stop(
      fault.kind, &instruction,
      fmt::format("{}-byte {} {}; {}, {}{}; {}", instruction.width, access_name(access), fault.where,
                  block.block_name(), block.thread_name(*context.warp, lane),
                  count == 1 ? "" : fmt::format(" and {} more lanes of its warp", count - 1), fault.remedy));
  return false;
}

bool refresh_hit(Context& context, const Instruction& instruction, Address address) {
  const AllocationView* below = allocation_below(context.warp->block().launch(), address);
  if (below == nullptr || below->allocation.freed ||
      address - below->allocation.begin >= below->allocation.bytes) {
    return false;
  }
  context.hits[instruction.target] = {below->allocation.begin, below->allocation.bytes, below->delta};
  return true;
}

std::string name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width) {
  const SharedArray array = shared_array(launch, offset);
  const std::int64_t inside = offset - array.begin;
  if (array.name.empty() || inside < 0 || inside + width > static_cast<std::int64_t>(array.bytes))
    return shared_relation(launch, offset, width);
  // Elements as the source counts them, but for vector accesses, whose type the machine does not know.
  const auto element = static_cast<std::int64_t>(std::min<std::size_t>(array.element, width));
  return fmt::format("{}[{}]", array.name, inside / element);
}

std::string name_of_global(const LaunchState& launch, Address address, unsigned width) {
  const AllocationView* below = allocation_below(launch, address);
  if (below == nullptr) return "memory outside every allocation";
  const Allocation& allocation = below->allocation;
  const Address element = (address - allocation.begin) / width;
  if (allocation.bytes == width && !allocation.name.empty()) return allocation.name;
  if (!allocation.name.empty()) return fmt::format("{}[{}]", allocation.name, element);
  return fmt::format("element {} of {}", element, name_of_allocation(allocation));
}

namespace control {

void trap(Context& context, const Instruction& instruction) {
  Block& block = context.warp->block();
  context.instruction = &instruction;
  block.stop(
      Finding::Kind::trap, &instruction,
      fmt::format("the kernel stopped itself with a trap; {}, {}", block.block_name(),
                  block.thread_name(*context.warp, static_cast<unsigned>(std::countr_zero(context.mask)))));
}

void index_out_of_bounds(Context& context, const Instruction& instruction) {
  Block& block = context.warp->block();
  context.instruction = &instruction;
  const auto lane = static_cast<unsigned>(std::countr_zero(context.mask));
  const int others = std::popcount(context.mask) - 1;
  std::string index = "an index";
  if (instruction.operands[0] != kNoOperand && instruction.width == 8) {
    index = fmt::format(
        "index {}", static_cast<std::int64_t>(context.read<std::uint64_t>(instruction.operands[0])[lane]));
  } else if (instruction.operands[0] != kNoOperand) {  // an unsigned one
    index = fmt::format("index {}", context.read<std::uint32_t>(instruction.operands[0])[lane]);
  }
  block.stop(Finding::Kind::out_of_bounds, &instruction,
             fmt::format("{} is outside a thread's own array; {}, {}{}; test the index against the number of "
                         "elements before the access",
                         index, block.block_name(), block.thread_name(*context.warp, lane),
                         others == 0 ? "" : fmt::format(" and {} more lanes of its warp", others)));
}

void unsupported(Context& context, const Instruction& instruction) {
  Block& block = context.warp->block();
  context.instruction = &instruction;
  block.stop(Finding::Kind::unsupported, &instruction,
             block.launch().program.unsupported[instruction.target]);
}

}  // namespace control
}  // namespace warpmark::simulator
