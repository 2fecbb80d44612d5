// The requests that run the submission's own functions: a version's call and the upload.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include <sys/mman.h>

#include "harness/worker/last_look.h"
#include "harness/worker/mapping.h"
#include "harness/worker/session.h"

namespace warpmark {
namespace {

// The first thing that went wrong in a call, for the reply.
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

// What left the submission's function as an exception instead of returning.
template <class Call>
std::optional<std::string> thrown_by(const Call& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

class Event {
 public:
  Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  [[nodiscard]] cudaEvent_t get() const { return event_; }
  void leave() { event_ = nullptr; }  // it went with its context

 private:
  cudaEvent_t event_ = nullptr;
};

// Whether the memory that we gave to a submission is still there. Streams and events cannot be asked: the
// driver crashes over those of a context that was destroyed.
bool context_is_gone(const std::vector<WarpmarkView>& views) {
  const auto given =
      std::find_if(views.begin(), views.end(), [](const auto& each) { return each.bytes != 0; });
  if (given == views.end()) return false;
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, given->data);
  // Any other error is that of a kernel before.
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
  for (const wire::View& where : request.buffers) views.push_back(view(where));
  std::optional<Mapping> target;
  if (!request.reads.empty()) target.emplace(only(descriptors), PROT_READ | PROT_WRITE);
  std::size_t position = 0;
  Event begin;
  Event end;
  wire::CallReply reply;
  const LastLook last_look(request.look_after_ms, last_words_, function);

  for (std::uint64_t turn = 0; turn < request.turns; ++turn) {
    patch(request.patches);
    if (request.sweep) sweep();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize before the call");
    if (turn + request.calls >= request.turns) {
      static_cast<void>(cudaGetLastError());
      if (reply.event_ms.empty()) forget();

      require(cudaEventRecord(begin.get(), stream_), "cudaEventRecord");
      observer_->begin_call(function, stream_);
      reply.failure.threw =
          thrown_by([&] { adapter(function, views.data(), request.scalars.data(), stream_); });
      observer_->end_call(nullptr);
      if (reply.failure.threw) {
        reply.observed = observer_->drain();
        return reply;
      }
      const cudaError_t launched = cudaGetLastError();
      // Swept calls are timed: nothing may come between.
      if (!request.sweep && context_is_gone(views)) {
        begin.leave();
        end.leave();
        stream_ = nullptr;
        throw std::runtime_error("the memory for it is gone");
      }
      static_cast<void>(cudaEventRecord(end.get(), stream_));
      const cudaError_t finished = cudaDeviceSynchronize();
      if (launched != cudaSuccess || finished != cudaSuccess) {
        reply.observed = observer_->drain();
        reply.failure.cuda_error =
            launched != cudaSuccess ? error_of(launched, "launch") : error_of(finished, "execution");
        return reply;
      }
      float milliseconds = 0;
      require(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
      reply.event_ms.push_back(milliseconds);
    }
    if (target) copy_out(request.reads, {target->data(), target->size()}, position);
  }
  reply.observed = observer_->drain();
  return reply;
}

wire::UploadReply Session::handle(const wire::Upload& request, Descriptors descriptors) {
  const Mapping contents(only(descriptors), PROT_READ);
  observer_->set_mode({.host_readable = request.host_readable});
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

// What lies side by side is copied at once.
void Session::patch(const std::vector<wire::Patch>& patches) {
  constexpr std::size_t kBytes = sizeof(wire::Patch::value);
  for (std::size_t first = 0; first < patches.size();) {
    wire::View where = patches[first].where;
    std::vector<std::uint64_t> values;
    std::size_t next = first;
    for (; next < patches.size(); ++next) {
      const wire::View& more = patches[next].where;
      if (more.bytes > kBytes) throw std::runtime_error("a patch is at most 8 bytes long");
      const bool goes_on = where.bytes == kBytes * values.size() && more.buffer == where.buffer &&
                           more.offset == where.offset + where.bytes;
      if (next > first && !goes_on) break;
      if (next > first) where.bytes += more.bytes;
      values.push_back(patches[next].value);
    }
    const WarpmarkView target = view(where);
    require(cudaMemcpyAsync(target.data, values.data(), target.bytes, cudaMemcpyHostToDevice, stream_),
            "cudaMemcpyAsync");
    first = next;
  }
}

// Replaces what L2 holds by reading the buffer "sweep". Reading leaves no dirty lines that the timed call
// would have to write back: after a memset of 256 MB a sum of 1 GiB took 3.3 % longer on an H200.
void Session::sweep() {
  observer_->drop_persisting_lines();
  using Sweep = void (*)(const void*, std::size_t, void*, cudaStream_t);
  auto* function = reinterpret_cast<Sweep>(symbol("sweep", "warpmark_sweep"));
  const DeviceBuffer& source = buffer("sweep");
  function(source.data(), source.bytes(), source.data(), stream_);
  require(cudaGetLastError(), "the sweep kernel");
}

}  // namespace warpmark
