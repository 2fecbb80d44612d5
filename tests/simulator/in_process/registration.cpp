// Registration of device code by clang's constructors, if program and device are the same process.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/fat_binary_wrapper.h"

using namespace warpmark::simulator;

namespace {

const void* library_of(const void* address) {
  Dl_info where{};
  return ::dladdr(address, &where) != 0 ? where.dli_fbase : nullptr;
}

// Per module, an address in the library that contains it.
std::map<const void*, const void*>& wrappers() {
  static std::map<const void*, const void*> all;
  return all;
}

std::vector<std::pair<const void*, const void*>>& managed_ranges() {
  static std::vector<std::pair<const void*, const void*>> all;
  return all;
}

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  return Runtime::locked([=](Runtime& runtime) {
    add_library(wrapper);
    void* module = runtime.add_module(library_of(wrapper), images_in(wrapper));
    wrappers()[module] = wrapper;
    return static_cast<void**>(module);
  });
}

void __cudaRegisterManagedRange(const void* begin, const void* end) {
  managed_ranges().emplace_back(begin, end);
}

void __cudaRegisterFatBinaryEnd(void** module) {
  Runtime::locked([=](Runtime& runtime) {
    std::vector<const void*> managed;
    for (const auto& [variable, registered] : runtime.variables) {
      const auto holds = [at = variable](const auto& range) {
        return !std::less<>{}(at, range.first) && std::less<>{}(at, range.second);
      };
      if (registered.module == static_cast<void*>(module) && std::ranges::any_of(managed_ranges(), holds))
        managed.push_back(variable);
    }
    for (const void* variable : managed) runtime.manage(variable);
  });
}

void __cudaRegisterFunction(void** module, const char* stub, char* mangled_name, const char* /*same_name*/,
                            int /*thread_limit*/, uint3*, uint3*, dim3*, dim3*, int*) {
  Runtime::locked([=](Runtime& runtime) { runtime.add_kernel(module, stub, mangled_name); });
}

void __cudaRegisterVar(void** module, char* host_variable, char* mangled_name, const char* /*same_name*/,
                       int /*external*/, size_t bytes, int /*constant*/, int /*global*/) {
  Runtime::locked(
      [=](Runtime& runtime) { runtime.add_variable(module, host_variable, mangled_name, bytes); });
}

void __cudaUnregisterFatBinary(void** module) {
  Runtime::locked([=](Runtime& runtime) {
    if (const auto known = wrappers().extract(module)) remove_library(known.mapped());
    runtime.remove_module(module);
  });
}
