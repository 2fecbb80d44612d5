// CUDA runtime functions that do more than forward their arguments to the device process: errors, launches,
// registration of device code, and callbacks.
#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/client.h"
#include "harness/simulator/program/forward.h"

namespace warpmark::simulator {
namespace {

// Last error per host thread, as in CUDA.
thread_local cudaError_t last_error_of_thread = cudaSuccess;

const auto nothing = [](Packer&) {};

cudaError_t last_error(bool forget) {
  Connection& connection = Connection::instance();
  if (last_error_of_thread == cudaSuccess && !connection.may_have_failed()) return cudaSuccess;
  const cudaError_t sticky = connection.call(Special::sticky_error, nothing);
  if (sticky != cudaSuccess) return sticky;
  const cudaError_t error = last_error_of_thread;
  if (forget) last_error_of_thread = cudaSuccess;
  return error;
}

// Launches a kernel in the device process. `cluster` has 0 blocks if the launch gives no cluster size.
cudaError_t launch(bool cooperative, const void* kernel, dim3 grid, dim3 block, void** arguments,
                   size_t shared_bytes, cudaStream_t stream, dim3 cluster = {0, 0, 0}) {
  const cudaKernelNodeParams whole{
      const_cast<void*>(kernel), grid, block, static_cast<unsigned int>(shared_bytes), arguments, nullptr};
  const bool has_cluster = cluster.x != 0 && cluster.y != 0 && cluster.z != 0;
  StreamCapture& capture = StreamCapture::instance();
  if (capture.is_active() && has_cluster) return remember(cudaErrorNotSupported);
  if (capture.is_active() && capture.launch(whole, stream, cooperative)) return cudaSuccess;
  Connection& connection = Connection::instance();
  cudaError_t error = cudaSuccess;
  // A launch of an unknown kernel is sent to the device process without arguments; the device process then
  // returns the error.
  const auto sizes = connection.parameter_sizes(kernel, error).value_or(std::vector<std::size_t>());
  const auto put = [&](Packer& to) {
    to.put(cooperative);
    to.put(cluster);
    to.put(kernel);
    to.put(grid);
    to.put(block);
    to.put(shared_bytes);
    to.put(stream);
    for (std::size_t i = 0; i < sizes.size(); ++i) to.put_bytes(arguments[i], sizes[i]);
  };
  return remember(
      connection.call(static_cast<std::uint32_t>(Special::launch), put, [](Unpacker&) {}, {{}, true}));
}

}  // namespace

cudaError_t launch_in_clusters(bool cooperative, const void* kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream, dim3 cluster) {
  return launch(cooperative, kernel, grid, block, arguments, shared_bytes, stream, cluster);
}

cudaError_t remember(cudaError_t error) {
  // cudaErrorNotReady is no error and does not become the last error.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error_of_thread = error;
  return error;
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaGetLastError() {
  return last_error(true);
}

cudaError_t cudaPeekAtLastError() {
  return last_error(false);
}

// Sets the current device of this host thread only, as in CUDA.
cudaError_t cudaSetDevice(int device) {
  const cudaError_t error = forward<&cudaSetDevice>(device);
  if (error != cudaErrorInvalidDevice) Connection::instance().chose(device);
  return error;
}

cudaError_t cudaDeviceReset() {
  const cudaError_t error = Connection::instance().call(Special::reset, nothing);
  Connection::instance().forget_memory();
  last_error_of_thread = cudaSuccess;
  return error;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return launch(false, kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch(true, kernel, grid, block, arguments, shared_bytes, stream);
}

void** __cudaRegisterFatBinary(void* wrapper) {
  return Connection::instance().add_module(wrapper);
}

void __cudaRegisterFatBinaryEnd(void** module) {
  Connection::instance().module_is_whole(module);
}

void __cudaRegisterManagedRange(const void* begin, const void* end) {
  Connection::instance().add_managed_range(begin, end);
}

void __cudaRegisterFunction(void** module, const char* stub, char* mangled_name, const char* /*same_name*/,
                            int /*thread_limit*/, uint3*, uint3*, dim3*, dim3*, int*) {
  Connection::instance().add_kernel(module, stub, mangled_name);
}

void __cudaRegisterVar(void** module, char* host_variable, char* mangled_name, const char* /*same_name*/,
                       int /*external*/, size_t bytes, int /*constant*/, int /*global*/) {
  Connection::instance().add_variable(module, host_variable, mangled_name, bytes);
}

void __cudaUnregisterFatBinary(void** module) {
  Connection::instance().remove_module(module);
}

cudaError_t cudaDeviceSynchronize() {
  if (StreamCapture::instance().is_active()) return remember(cudaErrorStreamCaptureUnsupported);
  return remember(Connection::instance().synchronize());
}

void warpmark_device_own_default_streams() {
  Connection::instance().own_default_streams();
}

void warpmark_device_undefine(const void* device, std::size_t bytes) {
  Connection::instance().post(Special::undefine, [=](Packer& to) {
    to.put(device);
    to.put(bytes);
  });
}

void warpmark_device_report_writes(const void* device, std::size_t bytes) {
  Connection::instance().post(Special::report_writes, [=](Packer& to) {
    to.put(device);
    to.put(bytes);
  });
}

void warpmark_device_mark() {
  Connection::instance().post(Special::mark, nothing);
}

int warpmark_device_settle() {
  return Connection::instance().flush();
}

int warpmark_device_filled(void** data, std::size_t* bytes) {
  return Connection::instance().call(static_cast<std::uint32_t>(Special::filled), nothing,
                                     [=](Unpacker& from) {
                                       *data = from.take<void*>();
                                       *bytes = from.take<std::size_t>();
                                     },
                                     {{}, true});
}

void warpmark_device_take(void* to, std::size_t bytes) {
  Connection::instance().post(Special::take, [=](Packer& out) {
    out.put(to);
    out.put(bytes);
  });
}

void warpmark_device_save(const void* from, std::size_t bytes) {
  Connection::instance().post(Special::save, [=](Packer& out) {
    out.put(from);
    out.put(bytes);
  });
}

void warpmark_device_begin_call(const void* function, const void* stream) {
  add_library(function);
  // The message that a graded function begins is sent at once, not buffered: the graded code runs next in
  // this process and could overwrite a buffer.
  Connection::instance().call(Special::begin_call, [=](Packer& to) { to.put(stream); });
}

void warpmark_device_end_call(const void* kept) {
  Connection::instance().post(Special::end_call, [=](Packer& to) { to.put(kept); });
}

WarpmarkMemoryHistory warpmark_device_history_of(const void* memory) {
  WarpmarkMemoryHistory history{};
  Connection::instance().call(
      static_cast<std::uint32_t>(Special::history_of), [=](Packer& to) { to.put(memory); },
      [&](Unpacker& from) { history = from.take<WarpmarkMemoryHistory>(); }, {});
  return history;
}
