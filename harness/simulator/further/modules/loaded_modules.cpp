// Modules that a program loads itself (cuModuleLoad, cuModuleLoadData): PTX, or what `warpmark nvcc -fatbin`
// writes. Their kernels and variables are found by name.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <warpmark_cuda/driver/modules.h>

#include "harness/base/file.h"
#include "harness/simulator/both/fat_binary.h"
#include "harness/simulator/program/forward.h"
#include "harness/simulator/ptx/parser.h"

using namespace warpmark;
using namespace warpmark::simulator;

// A kernel of a loaded module; its address stands for the kernel where a stub's does in compiled programs.
struct WarpmarkModuleKernel {
  std::string name;
  std::vector<std::size_t> places;  // offsets of the parameters in a buffer that holds them all
  std::size_t bytes = 0;            // size of that buffer
};

struct WarpmarkModule {
  void** handle = nullptr;
  std::vector<std::unique_ptr<WarpmarkModuleKernel>> kernels;
  // The variables by name. A variable's memory stands for it where its shadow does in compiled programs.
  std::map<std::string, std::vector<char>, std::less<>> variables;
};

namespace {

// CU_LAUNCH_PARAM_END, _BUFFER_POINTER and _BUFFER_SIZE.
void* const kEnd = nullptr;
void* const kBuffer = reinterpret_cast<void*>(1);  // NOLINT(performance-no-int-to-ptr)
void* const kSize = reinterpret_cast<void*>(2);    // NOLINT(performance-no-int-to-ptr)

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::unique_ptr<WarpmarkModuleKernel> kernel_of(const ptx::Function& function) {
  auto kernel = std::make_unique<WarpmarkModuleKernel>();
  kernel->name = function.name;
  for (const ptx::Variable& parameter : function.prototype.parameters) {
    kernel->places.push_back(round_up(kernel->bytes, parameter.alignment));
    kernel->bytes = kernel->places.back() + parameter.bytes;
  }
  return kernel;
}

cudaError_t load(WarpmarkModule** module, FatBinary images) {
  const auto parsed = ptx::parse(images.counting);
  if (!parsed) return cudaErrorInvalidPtx;
  auto loaded = std::make_unique<WarpmarkModule>();
  Connection& connection = Connection::instance();
  loaded->handle = connection.add_module(std::move(images));
  for (const ptx::Function& function : parsed->functions) {
    if (!function.entry || !function.defined) continue;
    const auto& kernel = loaded->kernels.emplace_back(kernel_of(function));
    connection.add_kernel(loaded->handle, kernel.get(), kernel->name.c_str());
  }
  for (const ptx::Variable& variable : parsed->variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    const auto& memory =
        loaded->variables.emplace(variable.name, std::vector<char>(variable.bytes)).first->second;
    connection.add_variable(loaded->handle, memory.data(), variable.name.c_str(), memory.size());
  }
  *module = loaded.release();
  return cudaSuccess;
}

}  // namespace

cudaError_t warpmark_device_module_load(WarpmarkModule** module, const void* image) {
  if (module == nullptr || image == nullptr) return cudaErrorInvalidValue;
  const auto* text = static_cast<const char*>(image);
  // Both forms are text that ends with a zero byte.
  if (auto images = unpack(text)) return load(module, std::move(*images));
  if (std::string_view(text).find(".version") == std::string_view::npos) return cudaErrorInvalidKernelImage;
  return load(module, {text, text});
}

cudaError_t warpmark_device_module_load_file(WarpmarkModule** module, const char* path) {
  if (path == nullptr) return cudaErrorInvalidValue;
  const auto bytes = read_file(path);
  return bytes ? warpmark_device_module_load(module, bytes->c_str()) : cudaErrorFileNotFound;
}

cudaError_t warpmark_device_module_unload(WarpmarkModule* module) {
  if (module == nullptr) return cudaErrorInvalidResourceHandle;
  const std::unique_ptr<WarpmarkModule> owned(module);
  Connection::instance().remove_module(module->handle);
  return cudaSuccess;
}

cudaError_t warpmark_device_module_kernel(const WarpmarkModuleKernel** kernel, const WarpmarkModule* module,
                                          const char* name) {
  if (module == nullptr || name == nullptr) return cudaErrorInvalidValue;
  for (const auto& each : module->kernels) {
    if (each->name != name) continue;
    *kernel = each.get();
    return cudaSuccess;
  }
  return cudaErrorSymbolNotFound;
}

cudaError_t warpmark_device_module_variable(void** address, size_t* bytes, const WarpmarkModule* module,
                                            const char* name) {
  if (module == nullptr || name == nullptr) return cudaErrorInvalidValue;
  const auto found = module->variables.find(std::string_view(name));
  if (found == module->variables.end()) return cudaErrorSymbolNotFound;
  if (bytes != nullptr) *bytes = found->second.size();
  return address == nullptr ? cudaSuccess : cudaGetSymbolAddress(address, found->second.data());
}

cudaError_t warpmark_device_module_launch(const WarpmarkModuleKernel* kernel, int cooperative, dim3 grid,
                                          dim3 block, size_t shared_bytes, cudaStream_t stream,
                                          void** arguments, void** extra) {
  if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; extra != nullptr && extra[0] != kEnd; extra += 2) {
    if (extra[0] == kBuffer) buffer = static_cast<char*>(extra[1]);
    if (extra[0] == kSize) bytes = *static_cast<std::size_t*>(extra[1]);
  }
  std::vector<void*> in_buffer;
  if (arguments == nullptr && !kernel->places.empty()) {
    if (buffer == nullptr || bytes < kernel->bytes) return cudaErrorInvalidValue;
    for (const std::size_t place : kernel->places) in_buffer.push_back(buffer + place);
    arguments = in_buffer.data();
  }
  const auto launch = cooperative != 0 ? &cudaLaunchCooperativeKernel : &cudaLaunchKernel;
  return launch(kernel, grid, block, arguments, shared_bytes, stream);
}
