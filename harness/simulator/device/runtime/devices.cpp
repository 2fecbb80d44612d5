// Implements the CUDA runtime functions for device enumeration, device selection and peer access.
#include <string_view>

#include <fmt/format.h>

#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

// Returns true if the pointer passed to a peer copy lies on the device passed with it; else reports a
// finding.
bool fits(Runtime& runtime, std::string_view function, std::string_view role, const void* pointer,
          int device) {
  const auto allocation = runtime.memory.find(address_of(pointer));
  const bool own = allocation && (allocation->kind == Allocation::Kind::device ||
                                  allocation->kind == Allocation::Kind::variable);
  if (!own || allocation->device == device) return true;
  runtime.recorder.found(
      CauseKind::bad_copy, "",
      fmt::format("{}: the {} is memory of device {}, and the call names device {}; the order "
                  "is (to, device of to, from, device of from, bytes)",
                  function, role, allocation->device, device));
  return false;
}

cudaError_t check_peers(std::string_view function, const void* to, int to_device, const void* from,
                        int from_device) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.has(to_device) || !runtime.has(from_device)) return cudaErrorInvalidDevice;
    const bool both = fits(runtime, function, "destination", to, to_device) &&
                      fits(runtime, function, "source", from, from_device);
    return both ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Calls change(runtime, pair of current device and peer), which allows or forbids access to the peer's
// memory. Drops the stored results of earlier launches, because a repeated launch may now end differently.
template <class Change>
cudaError_t change_access(int peer, Change change) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.has(peer) || peer == runtime.device()) return cudaErrorInvalidDevice;
    runtime.repeated_launches = {};
    runtime.remembered_launches = {};
    return change(runtime, std::pair(runtime.device(), peer));
  });
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaGetDeviceCount(int* count) {
  return Runtime::call([=](const Runtime& runtime) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = runtime.devices();
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return Runtime::call([=](const Runtime& runtime) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = runtime.device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  // cudaSetDevice must work in spite of a sticky error, because the program may leave a failed device for
  // another one. So the device is chosen under the lock alone, without the wrapper that returns sticky
  // errors.
  const bool chosen = Runtime::locked([=](Runtime& runtime) { return runtime.choose(device); });
  return Runtime::call([=](Runtime& /*runtime*/) { return chosen ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceCanAccessPeer(int* possible, int device, int peer) {
  return Runtime::call([=](const Runtime& runtime) {
    if (!runtime.has(device) || !runtime.has(peer)) return cudaErrorInvalidDevice;
    if (possible == nullptr) return cudaErrorInvalidValue;
    *possible = device != peer ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return change_access(peer, [=](Runtime& runtime, std::pair<int, int> both) {
    if (flags != 0) return cudaErrorInvalidValue;
    return runtime.peers.insert(both).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return change_access(peer, [](Runtime& runtime, std::pair<int, int> both) {
    return runtime.peers.erase(both) == 1 ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  return Runtime::call([=](const Runtime& runtime) {
    if (!runtime.has(device) || !runtime.has(peer) || device == peer) return cudaErrorInvalidDevice;
    if (value == nullptr) return cudaErrorInvalidValue;
    *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const cudaError_t error = check_peers("cudaMemcpyPeer", to, to_device, from, from_device);
  return error != cudaSuccess ? error : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  const cudaError_t error = check_peers("cudaMemcpyPeerAsync", to, to_device, from, from_device);
  return error != cudaSuccess ? error : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
