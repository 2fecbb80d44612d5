#include "harness/simulator/engine/functions/device_library.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/engine/functions/call_frame.h"
#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/printing.h"
#include "harness/simulator/engine/operations/observer.h"

namespace warpmark::simulator::device_library {
namespace {

// Limit in bytes for each string read from a failed device assert(): expression, file name, function name.
constexpr std::size_t kLongestText = 4096;

// Reads memory as one lane would, in pieces of at most 4 bytes, because local memory interleaves the lanes'
// words. An invalid address stops the kernel, as in any access.
class LaneReader {
 public:
  LaneReader(Context& c, const Instruction& i, unsigned lane) : c_(c), access_(i), lane_(lane) {
    access_.space = ptx::Space::none;
  }

  bool operator()(Address from, void* to, std::size_t bytes) {
    auto* out = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes; done += access_.width) {
      access_.width = static_cast<std::uint8_t>(std::min<std::size_t>(bytes - done, 4));
      c_.addresses[lane_] = from + done;
      Slots slots;
      const std::uint32_t all = std::exchange(c_.mask, 1U << lane_);
      const bool known = locate_lanes(c_, access_, Access::read, slots);
      c_.mask = all;
      if (!known) return false;
      std::memcpy(out + done, slots[lane_].host, access_.width);
    }
    return true;
  }

 private:
  Context& c_;
  Instruction access_;
  unsigned lane_;
};

std::string bracketed(const Dim3& at) {
  return fmt::format("[{},{},{}]", at.x, at.y, at.z);
}

}  // namespace

void print(Context& c, const Instruction& i) {
  const CallFrame<std::int32_t, Address, Address> call(c, i);
  Block& block = c.warp->block();
  for_each_active(c, [&](unsigned lane) {
    if (block.stopped()) return;
    const auto [format, arguments] = call.arguments(lane);
    if (format == 0) return call.give(lane, std::int32_t{-1});
    const DeviceReader read = LaneReader(c, i, lane);
    const auto text = read_string(read, format, kPrintBytes);
    const auto formatted = text ? format_print(read, *text, arguments) : std::nullopt;
    // printf's format or arguments could not be read from device memory: the invalid address has already
    // stopped the block with a finding.
    if (!formatted) return;
    block.launch().printed.add(block.position(), formatted->text);
    call.give(lane, formatted->arguments);
  });
}

void assertion_failed(Context& c, const Instruction& i) {
  const CallFrame<void, Address, Address, std::uint32_t, Address, std::uint64_t> call(c, i);
  Block& block = c.warp->block();
  std::string said;
  std::string first;
  for_each_active(c, [&](unsigned lane) {
    if (block.stopped()) return;
    const auto [message, file, line, function, character] = call.arguments(lane);
    const DeviceReader read = LaneReader(c, i, lane);
    const auto text = [&](Address from) {
      return from == 0 ? std::string("?") : read_string(read, from, kLongestText).value_or("?");
    };
    const std::string expression = text(message);
    const std::string where = text(function);
    said += fmt::format("{}:{}: {}: block: {}, thread: {} Assertion `{}` failed.\n", text(file), line, where,
                        bracketed(block.index()), bracketed(block.thread_index(*c.warp, lane)), expression);
    if (first.empty()) {
      first = fmt::format("assertion `{}` failed in {}; {}, {}", expression, where, block.block_name(),
                          block.thread_name(*c.warp, lane));
    }
  });
  if (block.stopped()) return;
  const int others = std::popcount(c.mask) - 1;
  if (others > 0) first += fmt::format(" and {} more lanes of its warp", others);
  c.instruction = &i;
  block.stop(CauseKind::cuda_error, &i, std::move(first), 0, std::move(said));
}

void copy_started(Context& c, const Instruction& i) {
  const CallFrame<void, Address, std::uint32_t> call(c, i);
  if (c.observer == nullptr) return;
  for_each_active(c, [&](unsigned lane) {
    const auto [to, bytes] = call.arguments(lane);
    const Address offset = to - c.shared_window;
    if (offset < c.shared_bytes) c.observer->copy_started(c.warp->number(), lane, offset, bytes, i);
  });
}

void copies_awaited(Context& c, const Instruction& i) {
  const CallFrame<void, std::uint32_t> call(c, i);
  if (c.observer == nullptr) return;
  for_each_active(c, [&](unsigned lane) {
    const auto [prior] = call.arguments(lane);
    c.observer->copies_awaited(c.warp->number(), 1U << lane, prior);
  });
}

void configure_launch(Context& c, const Instruction& i) {
  const CallFrame<void, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                  std::uint32_t, std::uint64_t, Address>
      call(c, i);
  Block& block = c.warp->block();
  for_each_active(c, [&](unsigned lane) {
    const auto [gx, gy, gz, bx, by, bz, shared, stream] = call.arguments(lane);
    block.launch().children.configure({block.position(), c.warp->number() * kLanes + lane},
                                      {{gx, gy, gz}, {bx, by, bz}, shared, stream});
  });
}

void launch(Context& c, const Instruction& i) {
  Block& block = c.warp->block();
  c.lasting_effect->store(true, std::memory_order_relaxed);
  c.reaches_further->store(true, std::memory_order_relaxed);
  c.order_matters->store(true, std::memory_order_relaxed);
  const ProgramFunction& kernel = block.launch().program.functions[i.target];
  // Byte offsets of a child kernel's arguments in the launching thread's stack frame, each aligned to at
  // least 4 bytes, as the calling convention lays out call arguments.
  std::vector<std::size_t> places;
  std::size_t bytes = 0;
  for (std::size_t p = 0; p < kernel.parameter_sizes.size(); ++p) {
    places.push_back(round_up(bytes, std::max<std::size_t>(4, kernel.parameter_alignments[p])));
    bytes = places.back() + round_up(kernel.parameter_sizes[p], 4);
  }
  for_each_active(c, [&](unsigned lane) {
    const ChildLaunches::Thread thread{block.position(), c.warp->number() * kLanes + lane};
    ChildLaunch child{.function = i.target,
                      .shape = block.launch().children.shape_of(thread),
                      .parameters = std::vector<std::byte>(kernel.parameter_bytes),
                      .location = i.location};
    for (std::size_t p = 0; p < places.size(); ++p) {
      for (std::size_t done = 0; done < kernel.parameter_sizes[p]; done += 4) {
        const std::byte* word =
            c.frame + i.offset +
            static_cast<std::ptrdiff_t>((places[p] + done) / 4 * kRowBytes + std::size_t{4} * lane);
        std::memcpy(child.parameters.data() + kernel.parameter_offsets[p] + done, word,
                    std::min<std::size_t>(4, kernel.parameter_sizes[p] - done));
      }
    }
    block.launch().children.add(thread, std::move(child));
  });
}

void allocate(Context& c, const Instruction& i) {
  const CallFrame<Address, std::uint64_t> call(c, i);
  Block& block = c.warp->block();
  DeviceHeap* heap = block.launch().heap;
  c.lasting_effect->store(true, std::memory_order_relaxed);
  c.reaches_further->store(true, std::memory_order_relaxed);
  c.order_matters->store(true, std::memory_order_relaxed);
  const ptx::Location& at = block.location(i);
  const DeviceHeap::Site site{block.launch().kernel.display_name, std::string(block.file_name(at)),
                              static_cast<int>(at.line)};
  for_each_active(c, [&](unsigned lane) {
    const auto [bytes] = call.arguments(lane);
    call.give(lane, heap == nullptr ? Address{0} : heap->allocate(bytes, site));
  });
}

void release(Context& c, const Instruction& i) {
  const CallFrame<void, Address> call(c, i);
  Block& block = c.warp->block();
  DeviceHeap* heap = block.launch().heap;
  c.lasting_effect->store(true, std::memory_order_relaxed);
  c.reaches_further->store(true, std::memory_order_relaxed);
  c.order_matters->store(true, std::memory_order_relaxed);
  for_each_active(c, [&](unsigned lane) {
    const auto [pointer] = call.arguments(lane);
    if (pointer == 0 || heap == nullptr || block.stopped()) return;
    const auto freed = heap->free(pointer);
    if (freed == DeviceHeap::Freed::now) return;
    const bool twice = freed == DeviceHeap::Freed::before;
    c.instruction = &i;
    block.stop(
        twice ? CauseKind::use_after_free : CauseKind::cuda_error, &i,
        fmt::format("{}; {}, {}",
                    twice ? "this block of the device heap was freed before; free it once, by one thread"
                          : "free() of a pointer that malloc() or new of a kernel did not give; pass the "
                            "pointer that it returned",
                    block.block_name(), block.thread_name(*c.warp, lane)));
  });
}

// Layout of the first members of a surface object, as declared in
// include/warpmark_cuda/images/image_objects.h.
struct SurfaceShape {
  Address data;
  std::uint32_t width, height, depth;
};

void outside_of_surface(Context& c, const Instruction& i) {
  const CallFrame<void, std::int64_t, std::int64_t, std::int64_t, Address> call(c, i);
  Block& block = c.warp->block();
  const auto lane = static_cast<unsigned>(std::countr_zero(c.mask));
  const auto [x, y, z, image] = call.arguments(lane);
  SurfaceShape shape{};
  if (!LaneReader(c, i, lane)(image, &shape, sizeof shape)) return;
  std::string size = fmt::format("{}", shape.width);
  if (shape.height != 0) size += fmt::format(" x {}", shape.height);
  if (shape.depth != 0) size += fmt::format(" x {}", shape.depth);
  c.instruction = &i;
  block.stop(CauseKind::out_of_bounds, &i,
             fmt::format("byte {} of row {}{} of a surface of {} elements is outside of it; {}, {}. x counts "
                         "bytes, x * sizeof(element); test the indices, or pass cudaBoundaryModeZero or "
                         "cudaBoundaryModeClamp",
                         x, y, shape.depth != 0 ? fmt::format(", layer {},", z) : "", size,
                         block.block_name(), block.thread_name(*c.warp, lane)));
}

void grid_is_valid(Context& c, const Instruction& i) {
  const CallFrame<std::int32_t> call(c, i);
  const std::int32_t valid = c.warp->block().launch().cooperative ? 1 : 0;
  for_each_active(c, [&](unsigned lane) { call.give(lane, valid); });
}

}  // namespace warpmark::simulator::device_library
