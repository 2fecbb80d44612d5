#include "harness/simulator/runtime/call_site.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

namespace warpmark::simulator {
namespace {

constexpr int kMostFrames = 32;

// Where the executable's segments lie, and how far from what its file says.
struct Executable {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t shift = 0;

  [[nodiscard]] bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

const Executable& executable() {
  static const Executable found = [] {
    Executable first;
    // The executable comes first.
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* to) {
          auto& it = *static_cast<Executable*>(to);
          it.shift = object->dlpi_addr;
          it.begin = UINT64_MAX;
          for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto& segment = object->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD) continue;
            it.begin = std::min<std::uint64_t>(it.begin, it.shift + segment.p_vaddr);
            it.end = std::max<std::uint64_t>(it.end, it.shift + segment.p_vaddr + segment.p_memsz);
          }
          return 1;
        },
        &first);
    return first;
  }();
  return found;
}

std::uint64_t number_of(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

}  // namespace

CallSite call_site() {
  std::array<void*, kMostFrames> addresses{};
  const int count = backtrace(addresses.data(), kMostFrames);
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&call_site), &own);
  CallSite site;
  bool inside = true;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t address = number_of(addresses[static_cast<std::size_t>(i)]);
    Dl_info info{};
    // The outermost frame of ours is the function that was called; only those are exported, and so have a
    // name.
    if (inside && dladdr(addresses[static_cast<std::size_t>(i)], &info) != 0 &&
        info.dli_fbase == own.dli_fbase) {
      site.function = info.dli_sname != nullptr ? info.dli_sname : "";
      continue;
    }
    inside = false;
    if (executable().holds(address)) site.frames.push_back(address - 1 - executable().shift);
  }
  return site;
}

void prepare_call_sites() {
  executable();
  std::array<void*, 1> any{};
  backtrace(any.data(), 1);
}

int fault_frames(const void* instruction, std::uint64_t* frames, int capacity) {
  std::array<void*, kMostFrames> addresses{};
  const int count = backtrace(addresses.data(), kMostFrames);
  const std::uint64_t at = number_of(instruction);
  int written = 0;
  if (executable().holds(at) && written < capacity) frames[written++] = at - executable().shift;
  // The handler's own frames come first, up to the one that was interrupted.
  bool below = false;
  for (int i = 0; i < count && written < capacity; ++i) {
    const std::uint64_t address = number_of(addresses[static_cast<std::size_t>(i)]);
    if (below && executable().holds(address)) frames[written++] = address - 1 - executable().shift;
    below = below || address == at;
  }
  return written;
}

}  // namespace warpmark::simulator
