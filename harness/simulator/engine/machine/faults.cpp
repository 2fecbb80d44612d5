// Diagnoses accesses that hit no valid memory, and other instructions that end a launch.
#include <algorithm>
#include <bit>
#include <optional>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/cluster.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/machine/memory_names.h"
#include "harness/simulator/engine/machine/warp_access.h"

namespace warpmark::simulator {
namespace {

using ptx::Space;

// a fault below this address is reported as an index from a null pointer
constexpr Address kNullReach = 0x10000;

struct Fault {
  CauseKind kind = CauseKind::out_of_bounds;
  // End of the message about an invalid access, as in "4-byte read ...": the element, allocation or array
  // that the address points to or misses.
  std::string where;
  std::string remedy = "test the index against the size before the access";
};

// Records a lasting effect of the launch: the kernel accesses memory that the host may access concurrently.
// If the two may communicate through it (strong or atomic access, registered memory), the launch's result
// depends on more than the initial contents of memory.
void reaches_the_host(const Context& context, const Instruction& instruction, Access access,
                      const Allocation& allocation) {
  context.lasting_effect->store(true, std::memory_order_relaxed);
  const LaunchState& launch = context.warp->block().launch();
  if (allocation.copy != nullptr && launch.bring) launch.bring(allocation);
  if (instruction.strong() || access == Access::atomic || allocation.copy != nullptr)
    context.reaches_further->store(true, std::memory_order_relaxed);
}

// Translates the address that a lane accesses to a host pointer, or explains why the address is invalid.
class Locator {
 public:
  Locator(const Context& context, const Instruction& instruction, Access access)
      : c_(context), i_(instruction), access_(access), launch_(context.warp->block().launch()) {}

  bool find(unsigned lane, Address address, Slot& slot, Fault* fault) const {
    if (i_.space == Space::shared) return in_shared(static_cast<std::int64_t>(address), slot, fault);
    if (i_.space == Space::local) return in_local(lane, static_cast<std::int64_t>(address), slot, fault);
    if (i_.space == Space::param) return in_parameters(address, slot, fault);
    if (i_.space == Space::none && address - c_.local_window + kWindowReach < kWindowBytes + kWindowReach) {
      return in_local(lane, static_cast<std::int64_t>(address - c_.local_window), slot, fault);
    }
    if (i_.space == Space::none && address - c_.shared_window + kWindowReach < kWindowBytes + kWindowReach) {
      const auto offset = static_cast<std::int64_t>(address - c_.shared_window);
      const bool of_another = offset >= static_cast<std::int64_t>(kClusterStep);
      return of_another && c_.warp->block().cluster() != nullptr ? in_other_block(offset, slot, fault)
                                                                 : in_shared(offset, slot, fault);
    }
    return in_global(address, slot, fault);
  }

 private:
  [[nodiscard]] bool fits(std::int64_t offset, std::uint64_t bytes) const {
    return offset >= 0 && static_cast<std::uint64_t>(offset) + i_.width <= bytes;
  }
  // Returns true if the address is a multiple of the access width; otherwise stores a description of the
  // misalignment in `fault` (if not null), with name() as the name of the accessed memory.
  template <class Name>
  bool aligned(Address address, std::int64_t offset, Fault* fault, Name name) const {
    if (address % i_.width == 0) return true;
    if (fault == nullptr) return false;
    fault->kind = CauseKind::misaligned;
    fault->where = fmt::format("at byte {} of {}, which is not a multiple of {}", offset, name(), i_.width);
    fault->remedy = fmt::format(
        "a {}-byte access needs an address that {} divides: begin at an aligned element, or use "
        "smaller accesses",
        i_.width, i_.width);
    return false;
  }

  // Undoes unsigned wrap-around of a shared-memory index: if the address is 2^32 elements too high, returns
  // the offset that a signed index below 0 would have given; otherwise nullopt.
  [[nodiscard]] std::optional<std::int64_t> wrapped(Address address) const {
    for (Address element = 1; element <= 16; element *= 2) {
      const auto offset = static_cast<std::int64_t>(address - c_.shared_window - (element << 32));
      const auto bytes = static_cast<std::int64_t>(c_.shared_bytes);
      if (offset < bytes && offset >= -static_cast<std::int64_t>(kWindowReach)) return offset;
    }
    return std::nullopt;
  }
  void explain_wrapped(std::int64_t offset, Fault& fault) const {
    fault.where = shared_relation(launch_, offset, i_.width);
    fault.remedy =
        "an unsigned index went below 0, where it becomes 4294967295: `k >= 0` always holds for it; count "
        "down with `k-- > 0`, or with a signed index";
  }

  // Sets the fault's remedy if a wrapped or overflowed 32-bit index explains the address.
  void explain_wrapped_index(Address address, const Allocation& allocation, const NamedPointer* pointer,
                             Fault& fault) const {
    const Address begin = pointer != nullptr ? pointer->value : allocation.begin;
    const std::size_t known = pointer != nullptr ? pointer->element : 0;
    for (const std::size_t element : {known != 0 ? known : std::size_t{i_.width}, std::size_t{i_.width}}) {
      const std::int64_t index =
          static_cast<std::int64_t>(address - begin) / static_cast<std::int64_t>(element);
      if (const auto before = unwrapped(index)) {
        fault.remedy = fmt::format(
            "an unsigned index went below 0, to {}, where one of 32 bits becomes {}: test before the "
            "subtraction, or "
            "use a signed index",
            *before, index);
        return;
      }
      if (overflowed(index)) {
        fault.remedy = fmt::format(
            "an int went past 2147483647, where it becomes negative ({}): compute the index as std::size_t",
            index);
        return;
      }
    }
  }

  bool in_shared(std::int64_t offset, Slot& slot, Fault* fault) const {
    if (fits(offset, c_.shared_bytes)) {
      slot.host = c_.shared + offset;
      const SharedArray array = fault == nullptr ? SharedArray{} : shared_array(launch_, offset);
      return aligned(static_cast<Address>(offset), offset - array.begin, fault, [&] {
        return array.name.empty() ? "shared memory" : fmt::format("the shared array {}", array.name);
      });
    }
    if (fault == nullptr) return false;
    fault->where = shared_relation(launch_, offset, i_.width);
    const SharedArray array = shared_array(launch_, offset);
    if (array.dynamic && offset >= array.begin) {
      fault->remedy = fmt::format(
          "the launch gives it its size, as the third number in <<<blocks, threads, bytes>>>, and gave {} "
          "bytes: pass as many bytes as the block uses",
          array.bytes);
    }
    return false;
  }
  // Locates an address in the shared memory of another block of the cluster.
  bool in_other_block(std::int64_t address, Slot& slot, Fault* fault) const {
    Cluster& cluster = *c_.warp->block().cluster();
    constexpr auto kStep = static_cast<std::int64_t>(kClusterStep);
    const auto rank = static_cast<unsigned>(address / kStep - 1);
    const std::int64_t offset = address % kStep;
    if (rank < cluster.size() && fits(offset, c_.shared_bytes)) {
      slot.host = cluster.block(rank).shared() + offset;
      return aligned(static_cast<Address>(offset), offset, fault,
                     [] { return "another block's shared memory"; });
    }
    if (fault == nullptr) return false;
    if (rank >= cluster.size()) {
      fault->where =
          fmt::format("of the shared memory of rank {} of a cluster of {} blocks", rank, cluster.size());
      fault->remedy = "take the rank modulo cluster.num_blocks()";
    } else {
      fault->where = fmt::format("{}, in {} of the cluster", shared_relation(launch_, offset, i_.width),
                                 cluster.block(rank).block_name());
    }
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
          // const_cast is safe: PTX has no store to kernel parameters.
          const_cast<std::byte*>(c_.parameters) + offset;
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
    if (below != nullptr && below->allocation.constant && access_ != Access::read &&
        fits(offset, below->allocation.bytes)) {
      if (fault != nullptr) {
        fault->where = fmt::format("to {}, which is __constant__: kernels can only read it",
                                   name_of_global(launch_, address, i_.width).element);
        fault->remedy = "set it before the launch by cudaMemcpyToSymbol, or make it a __device__ variable";
      }
      return false;
    }
    if (below != nullptr && !below->allocation.freed && !below->barred &&
        fits(offset, below->allocation.bytes)) {
      if (is_host_kind(below->allocation.kind)) reaches_the_host(c_, i_, access_, below->allocation);
      if (below->shadow != kNoShadow) slot.place = address + static_cast<Address>(below->shadow);
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      slot.host = reinterpret_cast<std::byte*>(address + static_cast<Address>(below->delta));
      return aligned_in(below->allocation, address, fault);
    }
    if (fault != nullptr) explain_global(address, below, *fault);
    return false;
  }
  bool aligned_in(const Allocation& allocation, Address address, Fault* fault) const {
    const auto offset = static_cast<std::int64_t>(address - allocation.begin);
    if (aligned(address, offset, fault, [&] { return name_of_allocation(allocation); })) return true;
    const NamedPointer* pointer = fault == nullptr ? nullptr : pointer_into(launch_, allocation, address);
    if (pointer != nullptr) {
      fault->where =
          fmt::format("of {}[{}], {}", pointer->name, index_from(*pointer, address, i_.width), fault->where);
    }
    return false;
  }
  void explain_global(Address address, const AllocationView* below, Fault& fault) const {
    if (below != nullptr && below->barred && address - below->allocation.begin < below->allocation.bytes) {
      fault.kind = CauseKind::peer_access;
      fault.where = fmt::format("{} bytes into {} of device {}, by a kernel on device {}",
                                address - below->allocation.begin, name_of_allocation(below->allocation),
                                below->allocation.device, launch_.device);
      fault.remedy = fmt::format(
          "copy it with cudaMemcpyPeer, or allow the access with cudaDeviceEnablePeerAccess({}, 0) while "
          "device {} is chosen",
          below->allocation.device, launch_.device);
      return;
    }
    if (below != nullptr && below->allocation.freed &&
        address - below->allocation.begin < below->allocation.bytes) {
      fault.kind = CauseKind::use_after_free;
      fault.where = fmt::format("{} bytes into {} that was freed", address - below->allocation.begin,
                                name_of_allocation(below->allocation));
      fault.remedy = below->allocation.kind == Allocation::Kind::heap
                         ? "free it only after its last use"
                         : "free it only after the last kernel that uses it";
      return;
    }
    // An access that is both misaligned and out of bounds is reported as misaligned, as the hardware does.
    if (below != nullptr && address - below->allocation.begin < below->allocation.bytes &&
        !aligned_in(below->allocation, address, &fault))
      return;
    if (address < kNullReach) {
      fault.where = address == 0 ? "through a null pointer"
                                 : fmt::format("through a null pointer plus {} bytes", address);
      const auto null = std::find_if(launch_.pointers.begin(), launch_.pointers.end(),
                                     [](const NamedPointer& pointer) { return pointer.value == 0; });
      if (null != launch_.pointers.end()) fault.where += fmt::format(" ({} is null)", null->name);
      fault.remedy = "test the index against the size, and whether the pointer was allocated and passed on";
      return;
    }
    if (const auto offset = wrapped(address); offset && i_.space == Space::none)
      return explain_wrapped(*offset, fault);
    const AllocationView* nearest = nearest_allocation(launch_, address);
    const NamedPointer* stray = stray_pointer(launch_, address);
    const NamedPointer* pointer = stray != nullptr     ? stray
                                  : nearest == nullptr ? nullptr
                                                       : pointer_into(launch_, nearest->allocation, address);
    const bool close = nearest != nullptr && distance(nearest->allocation, address) <= kRedZoneBytes;
    if (launch_.memory.in_range(address) || close) {
      fault.where =
          nearest == nullptr
              ? "outside every allocation"
              : bytes_from(static_cast<std::int64_t>(address - nearest->allocation.begin),
                           nearest->allocation.bytes, i_.width, name_of_allocation(nearest->allocation));
      if (nearest != nullptr && pointer != nullptr) {
        fault.where =
            fmt::format("of {}[{}], {}", pointer->name, index_from(*pointer, address, i_.width), fault.where);
      }
      if (nearest != nullptr) explain_wrapped_index(address, nearest->allocation, pointer, fault);
      if (stray != nullptr)
        fault.remedy = fmt::format(
            "the pointer {} itself lies outside: add less to it in the host code, or "
            "pass more memory",
            stray->name);
      return;
    }
    fault.kind = CauseKind::host_pointer;
    const std::string symbol = launch_.symbol_at ? launch_.symbol_at(address) : std::string();
    if (!symbol.empty()) {
      fault.where =
          fmt::format("outside device memory: the address is host code's name of the variable {}", symbol);
      fault.remedy =
          fmt::format("use {} by its name in the kernel, or pass what cudaGetSymbolAddress gives", symbol);
      return;
    }
    fault.where = "outside device memory: the address is one of ordinary host memory, or of no memory at all";
    if (stray != nullptr)
      fault.where =
          fmt::format("of {}[{}], {}", stray->name, index_from(*stray, address, i_.width), fault.where);
    fault.remedy =
        "pass a pointer to device memory: one that the function was given, such as its workspace, or one "
        "from "
        "cudaMalloc, to which the data was copied";
  }

  const Context& c_;
  const Instruction& i_;
  Access access_;
  const LaunchState& launch_;
};

std::string_view access_name(Access access) {
  return access == Access::read ? "read" : access == Access::write ? "write" : "atomic operation";
}

}  // namespace

bool locate_lanes(Context& context, const Instruction& instruction, Access access, Slots& slots) {
  const Locator locator(context, instruction, access);
  std::uint32_t wrong = 0;
  for (std::uint32_t rest = context.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    slots[lane] = {nullptr, false, kNoPlace};
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
  std::optional<WarpAccess> seen;
  if (fault.kind == CauseKind::out_of_bounds) seen = warp_access_of(context, instruction, access, lane);
  block.stop(fault.kind, &instruction,
             fmt::format("{}-byte {} {}; {}, {}{}{}; {}", instruction.width, access_name(access), fault.where,
                         block.block_name(), block.thread_name(*context.warp, lane),
                         count == 1 ? "" : fmt::format(" and {} more lanes of its warp", count - 1),
                         block.callers(block.location(instruction), context.warp), fault.remedy),
             0, {}, std::move(seen));
  return false;
}

bool refresh_hit(Context& context, const Instruction& instruction, Access access, Address address) {
  const AllocationView* below = allocation_below(context.warp->block().launch(), address);
  if (below == nullptr || below->allocation.freed || below->barred ||
      address - below->allocation.begin >= below->allocation.bytes) {
    return false;
  }
  if (is_host_kind(below->allocation.kind)) reaches_the_host(context, instruction, access, below->allocation);
  if (below->allocation.constant && access != Access::read) return false;
  // Device heap blocks are not cached per instruction: any thread may free them meanwhile.
  if (below->allocation.kind == Allocation::Kind::heap) return false;
  context.hits[instruction.target] = {below->allocation.begin, below->allocation.bytes, below->delta,
                                      below->shadow};
  return true;
}

namespace control {

void trap(Context& context, const Instruction& instruction) {
  Block& block = context.warp->block();
  context.instruction = &instruction;
  block.stop(
      CauseKind::cuda_error, &instruction,
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
  } else if (instruction.operands[0] != kNoOperand) {
    index = fmt::format("index {}", context.read<std::uint32_t>(instruction.operands[0])[lane]);
  }
  block.stop(CauseKind::out_of_bounds, &instruction,
             fmt::format("{} is outside a thread's own array; {}, {}{}; test the index against the number of "
                         "elements before the access",
                         index, block.block_name(), block.thread_name(*context.warp, lane),
                         others == 0 ? "" : fmt::format(" and {} more lanes of its warp", others)));
}

void unsupported(Context& context, const Instruction& instruction) {
  Block& block = context.warp->block();
  context.instruction = &instruction;
  block.stop(CauseKind::unsupported, &instruction, block.launch().program.unsupported[instruction.target]);
}

}  // namespace control
}  // namespace warpmark::simulator
