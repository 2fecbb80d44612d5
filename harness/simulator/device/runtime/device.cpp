// Implements the CUDA runtime functions for streams and events.
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr int kVersion = CUDART_VERSION;
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

template <class T>
cudaError_t create(T** handle, std::map<T*, std::unique_ptr<T>>& all, T value) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  auto created = std::make_unique<T>(std::move(value));
  *handle = created.get();
  all.emplace(created.get(), std::move(created));
  return cudaSuccess;
}

}  // namespace

bool is_stream(const Runtime& runtime, cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         runtime.streams.contains(stream);
}

int device_of(const Runtime& runtime, cudaStream_t stream) {
  return runtime.streams.contains(stream) ? stream->device : runtime.device();
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaDeviceSynchronize() {
  return Runtime::call([](Runtime& runtime) {
    runtime.streams_used.joined_all();
    runtime.order.streams.host_waits_for_device(runtime.device());
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int /*flags*/) {
  return Runtime::call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return answer(version, kVersion);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return answer(version, kVersion);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return Runtime::call([=](Runtime& runtime) {
    if ((flags & ~static_cast<unsigned int>(cudaStreamNonBlocking)) != 0) return cudaErrorInvalidValue;
    const int kept = std::clamp(priority, kGreatestPriority, kLeastPriority);
    const cudaError_t error = create(stream, runtime.streams, CUstream_st{runtime.device(), flags, kept});
    if (error == cudaSuccess) runtime.order.streams.created(*stream, flags != cudaStreamNonBlocking);
    return error;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (runtime.streams.erase(stream) != 1) return cudaErrorInvalidResourceHandle;
    runtime.order.destroyed(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams_used.joined(stream);
    runtime.order.streams.host_waits_for(runtime.order.streams.end_of(stream));
    return cudaSuccess;
  });
}

// Implements cudaStreamQuery: the first query returns cudaErrorNotReady unless the host has already waited
// for the stream's work (Order::poll).
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.one_order.asked();
    return runtime.order.poll(stream, runtime.order.streams.end_of(stream)) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int /*flags*/) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream) || !runtime.events.contains(event)) return cudaErrorInvalidResourceHandle;
    runtime.order.wait(stream, event);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const cudaError_t error = answer(least, kLeastPriority);
  return error != cudaSuccess ? error : answer(greatest, kGreatestPriority);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return Runtime::call([=](Runtime& runtime) {
    return create(event, runtime.events,
                  CUevent_st{std::nullopt, (flags & cudaEventDisableTiming) == 0, runtime.device()});
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return Runtime::call([=](Runtime& runtime) {
    runtime.order.destroyed(event);
    return runtime.events.erase(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.events.contains(event) || !is_stream(runtime, stream) ||
        event->device != device_of(runtime, stream)) {
      return cudaErrorInvalidResourceHandle;
    }
    event->recorded = std::chrono::steady_clock::now();
    runtime.order.recorded(event, stream);
    runtime.streams_used.joined(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.events.contains(event)) return cudaErrorInvalidResourceHandle;
    runtime.order.streams.host_waits_for(runtime.order.end_of(event));
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.events.contains(event)) return cudaErrorInvalidResourceHandle;
    runtime.one_order.asked();
    return runtime.order.poll(event, runtime.order.end_of(event)) ? cudaSuccess : cudaErrorNotReady;
  });
}

// Returns the wall-clock time between two events in the simulator, which says nothing about the time on a
// GPU.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return Runtime::call([=](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const auto usable = [&](cudaEvent_t event) {
      return runtime.events.contains(event) && event->timed && event->recorded.has_value();
    };
    if (!usable(start) || !usable(end) || start->device != end->device) return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t event : {start, end}) {
      if (runtime.order.streams.host().holds(runtime.order.end_of(event))) continue;
      runtime.recorder.found(warpmark::CauseKind::missing_synchronize, "",
                             "cudaEventElapsedTime is called before anything has waited for the event: it "
                             "answers cudaErrorNotReady and gives no time. Call cudaEventSynchronize first");
      return cudaErrorNotReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded - *start->recorded).count();
    return cudaSuccess;
  });
}
