// Handles the requests that run student code: calls of an exported function, and the upload.
#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include <sys/mman.h>

#include "harness/wire/patch_runs.h"
#include "harness/worker/last_look.h"
#include "harness/worker/mapping.h"
#include "harness/worker/session.h"

namespace warpmark {
namespace {

// Converts a CUDA error to its form in a reply. stage: the step in which the error occurred.
wire::CudaError error_of(cudaError_t status, const char* stage) {
  return {cudaGetErrorName(status), cudaGetErrorString(status), stage};
}

wire::Memory memory_of(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeDevice:
      return wire::Memory::device;
    case cudaMemoryTypeHost:
      return wire::Memory::host;
    case cudaMemoryTypeManaged:
      return wire::Memory::managed;
    default:
      return wire::Memory::unregistered;
  }
}

// Runs a call of a student's function. Returns the message of the exception that the function threw, or
// nullopt.
template <class Call>
std::optional<std::string> thrown_by(const Call& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& error) {
    const char* what = error.what();  // of a class of the submission, which may return anything
    return what == nullptr ? "an exception without a text" : what;
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

class CudaEvent {
 public:
  CudaEvent() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  [[nodiscard]] cudaEvent_t get() const { return event_; }
  // Gives up the CUDA event without destroying it: student code has destroyed the CUDA context and thereby
  // the event.
  void leave() { event_ = nullptr; }

 private:
  cudaEvent_t event_ = nullptr;
};

// Times a call by a pair of CUDA events.
class CallTimer {
 public:
  explicit CallTimer(cudaStream_t stream) : stream_(stream) {}
  void begin() { require(cudaEventRecord(begin_.get(), stream_), "cudaEventRecord"); }
  void end() { static_cast<void>(cudaEventRecord(end_.get(), stream_)); }
  [[nodiscard]] float milliseconds() const {
    float between = 0;
    require(cudaEventElapsedTime(&between, begin_.get(), end_.get()), "cudaEventElapsedTime");
    return between;
  }
  void leave() {
    begin_.leave();
    end_.leave();
  }

 private:
  cudaStream_t stream_;
  CudaEvent begin_;
  CudaEvent end_;
};

// True if student code destroyed the CUDA context, for example by cudaDeviceReset(). Queries the memory
// passed to the call instead of a stream or event, because the driver crashes on those of a destroyed
// context.
bool context_is_gone(const std::vector<WarpmarkView>& views) {
  const auto given =
      std::find_if(views.begin(), views.end(), [](const auto& each) { return each.bytes != 0; });
  if (given == views.end()) return false;
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, given->data);
  // Any other error of cudaPointerGetAttributes() stems from an earlier kernel and does not mean that student
  // code destroyed the CUDA context.
  return status == cudaErrorInvalidValue ||
         (status == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered);
}

}  // namespace

wire::CallReply Session::handle(const wire::Call& request, Descriptors descriptors) {
  observer_->set_mode(request.mode);
  void* function = symbol(request.library, request.function);
  auto* adapter = reinterpret_cast<decltype(&warpmark_call)>(symbol(request.adapter, "warpmark_call"));
  std::vector<WarpmarkView> views;
  views.reserve(request.buffers.size());
  std::vector<WarpmarkView> on_device;
  for (const wire::View& where : request.buffers) {
    views.push_back(view(where));
    if (!host_buffers_.contains(where.buffer)) on_device.push_back(views.back());
  }
  std::optional<Results> results;
  if (!request.reads.empty()) results.emplace(*this, descriptors);
  std::optional<CallTimer> timer;
  if (observer_->times_calls()) timer.emplace(stream_);
  wire::CallReply reply;
  const LastLook last_look(request.look_after_ms, last_words_, function);
  bool first = true;

  for (std::uint64_t turn = 0; turn < request.turns; ++turn) {
    patch(request.patches);
    restore(request.restores);
    const bool calls = turn + request.calls >= request.turns;
    // Ranks share the cores: a team of threads in each would spin on those that the others need.
    if (calls) observer_->prepare_call(request.sweep && !meet_);
    if (request.sweep) sweep();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize before the call");
    if (calls) {
      static_cast<void>(cudaGetLastError());
      if (std::exchange(first, false)) {
        forget();
        if (request.sweep && meet_) meet_();
      }
      if (timer) timer->begin();
      observer_->begin_call(function, stream_);
      reply.failure.threw =
          thrown_by([&] { adapter(function, views.data(), request.scalars.data(), stream_); });
      observer_->end_call(nullptr);
      if (reply.failure.threw) {
        reply.observed = observer_->drain();
        return reply;
      }
      const cudaError_t launched = cudaGetLastError();
      // Timed calls (those with a cache sweep) are not tested for a destroyed CUDA context, because nothing
      // may run between the student's function and the end event.
      if (!request.sweep && context_is_gone(on_device)) {
        if (timer) timer->leave();
        stream_ = nullptr;
        throw std::runtime_error("the memory for it is gone");
      }
      if (timer) timer->end();
      const cudaError_t finished = cudaDeviceSynchronize();
      if (launched != cudaSuccess || finished != cudaSuccess) {
        reply.observed = observer_->drain();
        reply.failure.cuda_error =
            launched != cudaSuccess ? error_of(launched, "launch") : error_of(finished, "execution");
        return reply;
      }
      if (timer) reply.event_ms.push_back(timer->milliseconds());
    }
    if (results) results->add(request.reads);
  }
  reply.observed = observer_->drain();
  return reply;
}

wire::UploadReply Session::handle(const wire::Upload& request, Descriptors descriptors) {
  const Mapping contents(only(descriptors), PROT_READ);
  observer_->set_mode({});
  void* function = symbol(request.library, request.function);
  auto* adapter = reinterpret_cast<decltype(&warpmark_upload)>(symbol(request.adapter, "warpmark_upload"));
  forget();
  wire::UploadReply reply;
  void* data = nullptr;
  const LastLook last_look(request.look_after_ms, last_words_, function);
  observer_->begin_call(function, nullptr);
  reply.failure.threw = thrown_by([&] { data = adapter(function, contents.data(), request.count); });
  observer_->end_call(data);
  if (reply.failure.threw) {
    reply.observed = observer_->drain();
    return reply;
  }
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  reply.observed = observer_->drain();
  if (status != cudaSuccess) {
    reply.failure.cuda_error = error_of(status, "upload");
    return reply;
  }
  if (data == nullptr) return reply;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) static_cast<void>(cudaGetLastError());
  reply.memory = memory_of(attributes.type);
  MemoryHistory history = observer_->history_of(data);
  if (history.freed && reply.memory == wire::Memory::unregistered) reply.memory = wire::Memory::freed;
  reply.frames = std::move(history.frames);
  if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged) {
    buffers_[request.as] = DeviceBuffer(data, contents.size());
  }
  return reply;
}

// Applies small changes to device buffers, with a single copy per run of adjacent ones.
void Session::patch(const std::vector<wire::Patch>& patches) {
  for (const wire::PatchRun& run : wire::runs_of(patches)) {
    const WarpmarkView target = view(run.where);
    if (target.bytes > sizeof(wire::Patch::value) * run.values.size())
      throw std::runtime_error("a patch is at most 8 bytes long");
    const bool on_host = host_buffers_.contains(run.where.buffer);
    if (DirectBytes* direct = observer_->direct()) {
      const DeviceBuffer staged = on_host ? allocate(target.bytes) : DeviceBuffer();
      direct->take(on_host ? staged.data() : target.data, target.bytes);
      if (on_host)
        require(cudaMemcpy(target.data, staged.data(), target.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    } else if (on_host) {
      std::memcpy(target.data, run.values.data(), target.bytes);
    } else {
      require(cudaMemcpyAsync(target.data, run.values.data(), target.bytes, cudaMemcpyHostToDevice, stream_),
              "cudaMemcpyAsync");
    }
  }
}

void Session::restore(const std::vector<wire::Restore>& restores) {
  for (const wire::Restore& each : restores) {
    const WarpmarkView target = view(each.to);
    const WarpmarkView source = view({each.from, each.to.offset, each.to.bytes});
    if (target.bytes == 0) continue;
    require(cudaMemcpyAsync(target.data, source.data, target.bytes, cudaMemcpyDeviceToDevice, stream_),
            "cudaMemcpyAsync");
  }
}

// Evicts the input from L2 by reading the buffer named "sweep". Writing would leave dirty lines, which the
// timed call would have to write back: after a memset of 256 MB, a sum of 1 GiB took 3.3 % longer on an H200.
void Session::sweep() {
  if (meet_ && !buffers_.contains("sweep")) return;  // one of several ranks, which holds no input
  observer_->drop_persisting_lines();
  using Sweep = void (*)(const void*, std::size_t, void*, cudaStream_t);
  auto* function = reinterpret_cast<Sweep>(symbol("sweep", "warpmark_sweep"));
  const DeviceBuffer& source = buffer("sweep");
  function(source.data(), source.bytes(), source.data(), stream_);
  require(cudaGetLastError(), "the sweep kernel");
}

}  // namespace warpmark
