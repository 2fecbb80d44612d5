#include "harness/simulator/runtime/runtime.h"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

// CUDA keeps the last error a host thread.
thread_local cudaError_t last_error_of_thread = cudaSuccess;

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = [] {
    auto* created = new Runtime;
    explain_faults(created->memory);
    return created;
  }();
  return *runtime;
}

cudaError_t Runtime::remember(cudaError_t error) noexcept {
  // "Not ready" is an answer, not an error.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error_of_thread = error;
  return error;
}

cudaError_t Runtime::finish(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) notes.failed(error, journal.has_findings());
  journal.flush();
  return remember(error);
}

cudaError_t Runtime::last_error(bool forget) noexcept {
  locked([](Runtime& runtime) { runtime.notes.looked(); });
  const cudaError_t sticky = call([](Runtime&) { return cudaSuccess; });
  if (sticky != cudaSuccess) return sticky;
  const cudaError_t error = last_error_of_thread;
  if (forget) last_error_of_thread = cudaSuccess;
  return error;
}

void Runtime::reset() {
  sticky_ = cudaSuccess;
  for (auto& [handle, module] : modules) module->levels = {};
  for (const auto& allocation : memory.allocations()) {
    if (!allocation.freed && allocation.kind != Allocation::Kind::variable) memory.release(allocation.begin);
  }
  managed_seen.clear();
  awaited.arrived();
  print_bytes = kPrintBytes;
  stack_bytes = 1024;
  heap_bytes = std::size_t{8} << 20;
}

void Runtime::configure(const WarpmarkSimulatorOptions& options) {
  options_ = options;
  if (options.host_readable != 0) memory.open_to_host();
}

Module* Runtime::load(RegisteredModule& module, std::size_t level) {
  auto& loaded = module.levels.at(level);
  if (loaded) return loaded.get();
  std::vector<RegisteredModule*> program{&module};
  for (const auto& [handle, other] : modules) {
    if (other.get() != &module && other->library == module.library && !other->levels.at(level))
      program.push_back(other.get());
  }
  std::vector<std::string_view> files;
  files.reserve(program.size());
  for (const RegisteredModule* file : program)
    files.emplace_back(level == 0 ? file->images.checking : file->images.counting);
  auto all = Module::load(files, memory);
  if (!all.front()) {
    journal.found(CauseKind::unsupported, "",
                  fmt::format("the device code cannot be read: {}", all.front().error()));
    return nullptr;
  }
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (all[i]) program[i]->levels.at(level) = std::move(*all[i]);
  }
  return loaded.get();
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaGetLastError() {
  return Runtime::last_error(true);
}

cudaError_t cudaPeekAtLastError() {
  return Runtime::last_error(false);
}

cudaError_t cudaDeviceReset() {
  Runtime::locked([](Runtime& runtime) { runtime.reset(); });
  Runtime::last_error(true);
  return cudaSuccess;
}

const char* cudaGetErrorString(cudaError_t error) {
#define WARPMARK_CASE(name, number, text) \
  case name:                              \
    return text;
  switch (error) { WARPMARK_CUDA_ERRORS(WARPMARK_CASE) }
#undef WARPMARK_CASE
  return "unrecognized error code";
}

const char* cudaGetErrorName(cudaError_t error) {
#define WARPMARK_CASE(name, number, text) \
  case name:                              \
    return #name;
  switch (error) { WARPMARK_CUDA_ERRORS(WARPMARK_CASE) }
#undef WARPMARK_CASE
  return "unrecognized error code";
}
