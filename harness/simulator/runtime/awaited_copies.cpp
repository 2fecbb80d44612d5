#include "harness/simulator/runtime/awaited_copies.h"

#include <algorithm>
#include <array>
#include <atomic>

#include <sys/mman.h>

#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {
namespace {

constexpr Address kPage = 4096;
constexpr std::size_t kMostCopies = 32;
constexpr int kMostFrames = 16;

struct Target {
  Address begin = 0;
  Address end = 0;
};

// An access that came too early. The first one is enough.
struct Early {
  bool written = false;
  std::array<std::uint64_t, kMostFrames> frames{};
  int frame_count = 0;
};

// A signal handler reads and writes these: of a fixed size, and the numbers are set last.
std::array<Target, kMostCopies> targets;
std::atomic<std::size_t> target_count{0};
Early early;
std::atomic<bool> was_early{false};

void protect_all(int protection) {
  for (std::size_t i = 0; i < target_count; ++i) {
    const Address begin = targets[i].begin / kPage * kPage;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    mprotect(reinterpret_cast<void*>(begin), targets[i].end - begin, protection);
  }
}

}  // namespace

void AwaitedCopies::begins(Address target, std::size_t bytes) {
  const std::size_t count = target_count;
  if (count == kMostCopies || bytes == 0) return;
  targets[count] = {target, target + bytes};
  target_count = count + 1;
}

void AwaitedCopies::arrived() {
  target_count = 0;
}

std::optional<EarlyAccess> AwaitedCopies::open() {
  protect_all(PROT_READ | PROT_WRITE);
  if (!was_early.exchange(false)) return std::nullopt;
  const auto* const begin = early.frames.begin();
  return EarlyAccess{early.written, CallSite{"", {begin, begin + early.frame_count}}};
}

void AwaitedCopies::close() {
  protect_all(PROT_NONE);
}

bool AwaitedCopies::let_pass(Address address, bool written, const void* instruction) {
  const std::size_t count = target_count;
  const auto holds = [&](const Target& target, Address alignment) {
    const Address end = (target.end + alignment - 1) / alignment * alignment;
    return address >= target.begin / alignment * alignment && address < end;
  };
  const auto end = targets.begin() + static_cast<std::ptrdiff_t>(count);
  if (std::none_of(targets.begin(), end, [&](const Target& target) { return holds(target, kPage); }))
    return false;
  // Beside a target, on the same page, everything is allowed.
  const bool is_early =
      std::any_of(targets.begin(), end, [&](const Target& target) { return holds(target, 1); });
  protect_all(PROT_READ | PROT_WRITE);
  target_count = 0;
  if (is_early && !was_early) {
    early.written = written;
    early.frame_count = fault_frames(instruction, early.frames.data(), kMostFrames);
    was_early = true;
  }
  return true;
}

}  // namespace warpmark::simulator
