#include "harness/simulator/device/runtime/runtime.h"

#include <algorithm>
#include <iterator>

namespace warpmark::simulator {
namespace {

// Last error per host thread, as in CUDA.
thread_local cudaError_t last_error_of_thread = cudaSuccess;

}  // namespace

Runtime& Runtime::instance() {
  static auto* runtime = new Runtime;
  return *runtime;
}

cudaError_t Runtime::remember(cudaError_t error) noexcept {
  // cudaErrorNotReady is no error and does not become the last error.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error_of_thread = error;
  return error;
}

cudaError_t Runtime::do_work(const Stamp& stamp, std::function<cudaError_t()> work) {
  if (!is_late()) return work();
  // A deferred copy or launch is dropped if its device has a sticky error by the time it is due.
  late_.add(stamp, [this, at = static_cast<std::size_t>(device_), work = std::move(work)] {
    if (sticky_.at(at) == cudaSuccess) work();
  });
  return cudaSuccess;
}

cudaError_t Runtime::finish(cudaError_t error) {
  late_.catch_up(order.streams.host());
  if (error == cudaSuccess) error = sticky();
  if (error != cudaSuccess && error != cudaErrorNotReady) notes.failed(error, recorder.has_findings());
  if (const auto watches = order.changed_watches()) watch_host(*watches);
  recorder.flush();
  return remember(error);
}

cudaError_t Runtime::sticky_error() noexcept {
  locked([](Runtime& runtime) { runtime.notes.looked(); });
  return call([](Runtime&) { return cudaSuccess; });
}

cudaError_t Runtime::last_error(bool forget) noexcept {
  const cudaError_t sticky = sticky_error();
  if (sticky != cudaSuccess) return sticky;
  const cudaError_t error = last_error_of_thread;
  if (forget) last_error_of_thread = cudaSuccess;
  return error;
}

void Runtime::have_devices(int count) {
  devices_ = count;
  memory.choose(device_, devices_);
  order.streams.have_devices(devices_);
}

bool Runtime::choose(int device) {
  if (!has(device)) return false;
  device_ = device;
  memory.choose(device_, devices_);
  recorder.on_device(device_);
  streams_used.on_device(device_);
  order.streams.on_device(device_);
  return true;
}

void Runtime::reset() {
  late_.forget();
  sticky() = cudaSuccess;
  for (auto& [handle, module] : modules) {
    for (const std::size_t level : {0, 1, 2}) module->levels.at(slot_of(level)).reset();
  }
  std::erase_if(peers, [&](const auto& pair) { return pair.first == device_; });
  for (const auto& allocation : memory.allocations()) {
    if (allocation.device == device_ && allocation.kind != Allocation::Kind::variable)
      memory.release(allocation.begin);
  }
  heap.clear();
  order.forget_all();
  notes.all_is_over();
  print_bytes = kPrintBytes;
  stack_bytes = 1024;
  heap_bytes = std::size_t{8} << 20;
  pending_launches = 2048;
  l2_fetch_bytes = 64;
  persisting_l2_bytes = 0;
}

WarpmarkMemoryHistory Runtime::history_of(Address begin) const {
  WarpmarkMemoryHistory history{};
  const auto allocation = memory.find(begin);
  history.freed = allocation && allocation->freed ? 1 : 0;
  const CallSite* site = notes.last_site(begin);
  for (std::size_t i = 0; site != nullptr && i < std::min(site->frames.size(), std::size(history.frames));
       ++i)
    history.frames[history.frame_count++] = site->frames[i];
  return history;
}

cudaError_t Runtime::make_room_in_journal() {
  if (!recorder.is_full()) return cudaSuccess;
  recorder.found(CauseKind::launch_limit, "",
                 "more launches and copies in one call than the record of it holds, which is 40000: the "
                 "device is stopped. Let each launch do more work, and copy what lies side by side at once");
  fail_for_good(cudaErrorLaunchTimeout);
  return cudaErrorLaunchTimeout;
}

QueuedWork::QueuedWork(Runtime& runtime, cudaStream_t stream, std::string name, std::string kernel)
    : runtime_(runtime),
      work_{.stamp = runtime.order.streams.queue(stream),
            .name = std::move(name),
            .kernel = std::move(kernel),
            .default_stream = runtime.order.streams.is_legacy(stream),
            .site = {},
            .footprint = {}} {
  runtime.one_order.queued(work_, host_thread(), runtime.device());
}

void QueuedWork::add(std::vector<Range>& to, const void* pointer, std::size_t bytes) {
  if (bytes == 0) return;
  to.push_back({address_of(pointer), address_of(pointer) + bytes, 0});
  std::ranges::sort(to, {}, &Range::begin);
}

void QueuedWork::done(bool host_waits) {
  const Stamp stamp = work_.stamp;
  const bool known = work_.kernel.empty() || runtime_.options().check_accesses != 0;
  const Order::Wanted wanted = runtime_.order.wanted();
  if (known && wanted != Order::Wanted::all && !host_waits) runtime_.order.passed(stamp);
  if (known && wanted != Order::Wanted::nothing) {
    work_.site = call_site();
    runtime_.order.queued(std::move(work_), runtime_.recorder);
  }
  if (host_waits) runtime_.order.streams.host_waits_for(stamp);
}

void Runtime::configure(const WarpmarkSimulatorOptions& options) {
  options_ = options;
  if (options.devices != 0) have_devices(options.devices);
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
