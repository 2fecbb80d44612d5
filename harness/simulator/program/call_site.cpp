#include "harness/simulator/program/call_site.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>

#include "harness/base/loaded_object.h"
#include "harness/simulator/both/call_site.h"

namespace warpmark::simulator {
namespace {

constexpr int kMostFrames = 64;

// Load addresses of the program's own code (executable or libraries). A signal handler reads the array, hence
// its fixed size; the count is incremented last.
constexpr std::size_t kMostObjects = 64;
std::array<LoadedObject, kMostObjects> objects;
std::atomic<std::size_t> object_count{0};
std::atomic<bool> program_is_executable{false};

bool is_known(const LoadedObject& object) {
  return std::any_of(objects.begin(), objects.begin() + object_count,
                     [&](const LoadedObject& each) { return each.holds(object.begin); });
}

void add(const LoadedObject& object) {
  if (object.end == 0 || is_known(object)) return;
  std::size_t at = 0;
  const std::size_t count = object_count;
  while (at < count && objects[at].end != 0) ++at;
  if (at == kMostObjects) return;
  objects[at] = object;
  object_count = std::max(count, at + 1);
}

// Returns the file offset (for a symbolizer) of an address in the program's own code, or nullopt for any
// other address.
std::optional<std::uint64_t> offset_of(std::uint64_t address) {
  for (std::size_t i = 0; i < object_count; ++i) {
    if (objects[i].holds(address)) return address - objects[i].shift;
  }
  return std::nullopt;
}

std::uint64_t number_of(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

// Returns the name of the CUDA runtime function that the program called: the exported function that contains
// the address. The last result is cached, because the same function is often called repeatedly.
std::string_view function_at(const void* address) {
  thread_local const void* last = nullptr;
  thread_local const char* name = "";
  if (address != last) {
    Dl_info info{};
    const bool known = dladdr(address, &info) != 0 && info.dli_sname != nullptr;
    last = address;
    name = known ? info.dli_sname : "";
  }
  return name;
}

}  // namespace

CallSite call_site() {
  std::array<void*, kMostFrames> addresses{};
  const int count = backtrace(addresses.data(), kMostFrames);
  static const LoadedObject own = loaded_object_at(number_of(reinterpret_cast<const void*>(&call_site)));
  CallSite site;
  int first = 0;  // index of the innermost stack frame outside the CUDA runtime library
  while (first < count && own.holds(number_of(addresses[static_cast<std::size_t>(first)]))) ++first;
  if (first > 0) site.function = function_at(addresses[static_cast<std::size_t>(first - 1)]);
  for (int i = first; i < count; ++i) {
    if (const auto offset = offset_of(number_of(addresses[static_cast<std::size_t>(i)])))
      site.frames.push_back(*offset - 1);
  }
  return site;
}

void add_library(const void* inside) {
  if (!program_is_executable) add(loaded_object_at(number_of(inside)));
}

void remove_library(const void* inside) {
  for (std::size_t i = 0; i < object_count && !program_is_executable; ++i) {
    if (objects[i].holds(number_of(inside))) objects[i] = {};
  }
}

void prepare_call_sites() {
  program_is_executable = true;
  object_count = 0;
  add(loaded_object_at(0));
  std::array<void*, 1> any{};
  backtrace(any.data(), 1);
}

int fault_frames(const void* instruction, std::uint64_t* frames, int capacity) {
  std::array<void*, kMostFrames> addresses{};
  const int count = backtrace(addresses.data(), kMostFrames);
  const std::uint64_t at = number_of(instruction);
  int written = 0;
  if (const auto offset = offset_of(at); offset && written < capacity) frames[written++] = *offset;
  // When unwinding from a signal handler, skips the handler's own frames, which come first and end at the
  // interrupted instruction.
  bool below = false;
  for (int i = 0; i < count && written < capacity; ++i) {
    const std::uint64_t address = number_of(addresses[static_cast<std::size_t>(i)]);
    if (const auto offset = offset_of(address); offset && below) frames[written++] = *offset - 1;
    below = below || address == at;
  }
  return written;
}

}  // namespace warpmark::simulator
