#include "harness/simulator/device/runtime/stream_use.h"

#include <utility>

#include "harness/wire/stream_message.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kMost = 100;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace

void StreamUse::begin(cudaStream_t given) {
  on_ = true;
  given_ = given;
  strays_.clear();
}

void StreamUse::queued(cudaStream_t stream, std::string_view what, std::string_view right,
                       std::string_view kernel) {
  if (!is_elsewhere(stream) || strays_.size() >= kMost) return;
  const std::string_view where = is_default(stream) ? "the default stream" : "a stream of its own";
  strays_.emplace(stream, Stray{device_, std::string(kernel), wire::other_stream_message(what, where, right),
                                call_site()});
}

bool StreamUse::can_be_joined(cudaStream_t stream) const {
  return !is_default(stream) || device_ != 0;
}

void StreamUse::joined_all() {
  std::erase_if(strays_, [&](const auto& stray) {
    return stray.second.device == device_ && can_be_joined(stray.first);
  });
}

void StreamUse::joined(cudaStream_t stream) {
  if (!can_be_joined(stream)) return;
  std::erase_if(strays_, [&](const auto& stray) {
    return stray.first == stream && (!is_default(stream) || stray.second.device == device_);
  });
}

void StreamUse::tell(ObservationRecorder& recorder) {
  on_ = false;
  for (const auto& [stream, stray] : std::exchange(strays_, {}))
    recorder.found(CauseKind::default_stream, stray.kernel, stray.message, stray.site);
}

}  // namespace warpmark::simulator
