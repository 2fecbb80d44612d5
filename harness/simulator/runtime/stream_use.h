// Work that a version queues on another stream than the one it was given: nothing orders it with what its
// caller queues there.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/runtime/call_site.h"
#include "harness/simulator/runtime/journal.h"

namespace warpmark::simulator {

class StreamUse {
 public:
  // From now on, until tell(), all work belongs on this stream.
  void begin(cudaStream_t given);

  // The given stream is one of the first device's: nothing of another device is queued in it, and what is
  // queued there has to be waited for.
  void on_device(int device) { device_ = device; }

  [[nodiscard]] bool is_elsewhere(cudaStream_t stream) const {
    return on_ && (stream != given_ || device_ != 0);
  }
  // The runtime function at hand queues `what` there; `right` shows the same on the given stream. kernel:
  // that it launches, else empty.
  void queued(cudaStream_t stream, std::string_view what, std::string_view right,
              std::string_view kernel = {});
  // Something waits for the stream's work, or records it in an event that others wait for.
  void joined(cudaStream_t stream);
  void joined_all();

  // A finding for each place whose work nothing waits for. The first device's default stream counts at once.
  void tell(Journal& journal);

 private:
  struct Stray {
    int device = 0;
    std::string kernel;
    std::string message;
    CallSite site;
  };
  // Whether waiting for that stream of the present device makes it good.
  [[nodiscard]] bool can_be_joined(cudaStream_t stream) const;

  bool on_ = false;
  int device_ = 0;
  cudaStream_t given_ = nullptr;
  std::multimap<cudaStream_t, Stray> strays_;
};

}  // namespace warpmark::simulator
