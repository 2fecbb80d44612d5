// Finds work that a graded function enqueues on a stream other than the given one, without making the given
// stream wait for that work: it is unordered with what the caller enqueues next.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/device/runtime/observation_recorder.h"

namespace warpmark::simulator {

class StreamUse {
 public:
  // Begins a call of a graded function that has to enqueue all its work on the stream `given`; work on other
  // streams is recorded for the report at the call's end.
  void begin(cudaStream_t given);

  // Sets the current device. A graded function's stream belongs to device 0, so work that the function
  // enqueues on another device is reported unless something waits for it.
  void on_device(int device) { device_ = device; }

  [[nodiscard]] bool is_elsewhere(cudaStream_t stream) const {
    return on_ && (stream != given_ || device_ != 0);
  }
  // Records that a graded function's current runtime call enqueues work on `stream`. For messages: `what`
  // describes the work, `right` is the correct call, on the stream that the function was given; `kernel` is
  // the kernel's name for a launch, else empty.
  void queued(cudaStream_t stream, std::string_view what, std::string_view right,
              std::string_view kernel = {});
  // Records that something waits for the stream's work, or that an event is recorded after it for others to
  // wait for: the work is then no longer reported as left unordered by the graded function.
  void joined(cudaStream_t stream);
  void joined_all();

  // Ends the call of a graded function and reports one finding per call site whose enqueued work nothing
  // waits for. Work on device 0's default stream is reported in any case.
  void tell(ObservationRecorder& recorder);

 private:
  struct Stray {
    int device = 0;
    std::string kernel;
    std::string message;
    CallSite site;
  };
  // True if work that a graded function enqueues on a wrong stream is forgiven once something waits for the
  // stream: false for device 0's default stream.
  [[nodiscard]] bool can_be_joined(cudaStream_t stream) const;

  bool on_ = false;
  int device_ = 0;
  cudaStream_t given_ = nullptr;
  std::multimap<cudaStream_t, Stray> strays_;
};

}  // namespace warpmark::simulator
