#include "harness/worker/session.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/wire/events.h"

namespace warpmark {
namespace {

// What the harness asked CUDA for itself and did not get: never the submission's fault by itself.
void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(
        fmt::format("{}: {} ({})", what, cudaGetErrorName(status), cudaGetErrorString(status)));
  }
}

// A descriptor's bytes, mapped while this lives.
class Mapping {
 public:
  Mapping(const UniqueFd& fd, int protection) {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) throw std::runtime_error("fstat of a passed descriptor failed");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;
    const int flags = protection == PROT_READ ? MAP_PRIVATE : MAP_SHARED;
    data_ = ::mmap(nullptr, size_, protection, flags, fd.get(), 0);
    if (data_ == MAP_FAILED) throw std::runtime_error("mmap of a passed descriptor failed");
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (size_ != 0) ::munmap(data_, size_);
  }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

const UniqueFd& only(std::span<const UniqueFd> descriptors) {
  if (descriptors.size() != 1) throw std::runtime_error("the request needs exactly one descriptor");
  return descriptors.front();
}

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

DeviceBuffer allocate(std::size_t bytes) {
  void* data = nullptr;
  if (bytes != 0) require(cudaMalloc(&data, bytes), "cudaMalloc");
  return {data, bytes};
}

wire::FailedReply failed(const std::exception& error) {
  wire::FailedReply reply;
  reply.why = error.what();
  return reply;
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

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) static_cast<void>(cudaFree(data_));
}

Session::~Session() {
  if (stream_ != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
}

wire::Reply Session::answer(const wire::Request& request, const std::vector<UniqueFd>& descriptors) try {
  const wire::Observation before = everything_so_far();
  if (auditing_) observer_->mark();
  wire::Reply reply;
  bool observed = false;
  try {
    reply = std::visit(
        [&](const auto& asked) -> wire::Reply { return handle(asked, Descriptors(descriptors)); }, request);
    observed = std::holds_alternative<wire::CallReply>(reply) ||
               std::holds_alternative<wire::UploadReply>(reply) ||
               std::holds_alternative<wire::CanaryReply>(reply);
  } catch (const std::exception& error) {
    reply = failed(error);
  }
  if (auditing_) {
    wire::Seen& seen = wire::seen_in(reply);
    seen.before = in_order(before);
    seen.observed = in_order(observed ? seen.observed : everything_so_far());
  }
  return reply;
} catch (const std::exception& error) {
  return failed(error);
}

// Starts a record of what follows. An audit misses nothing: there, what happened between two requests is told
// before this one's reply, and what the request's own preparations did is in it.
void Session::forget() {
  if (!auditing_) observer_->forget();
}

// In an audit, what happened since it was last asked, by whichever thread; else nothing.
wire::Observation Session::everything_so_far() {
  if (!auditing_) return {};
  static_cast<void>(cudaDeviceSynchronize());
  return observer_->drain();
}

wire::HelloReply Session::handle(const wire::Hello& request, Descriptors /*descriptors*/) {
  wire::HelloReply reply;
  reply.engine = observer_->engine();
  auditing_ = request.observe;
  if (auditing_) reply.observer = observer_->start();
  int devices = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess || devices == 0) {
    reply.no_device = cudaGetErrorString(status);
    static_cast<void>(cudaGetLastError());
    return reply;
  }
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  require(cudaStreamCreate(&stream_), "cudaStreamCreate");
  observer_->describe(reply);
  reply.devices = devices;
  reply.device = properties.name;
  reply.multiprocessors = static_cast<std::uint64_t>(std::max(properties.multiProcessorCount, 0));
  reply.l2_bytes = static_cast<std::uint64_t>(std::max(properties.l2CacheSize, 0));
  int kilohertz = 0;
  int bits = 0;
  const bool known = cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) == cudaSuccess &&
                     cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  reply.peak_bytes_per_s = known ? 2.0 * kilohertz * 1e3 * bits / 8 : 0.0;  // two transfers a clock
  return reply;
}

wire::LoadReply Session::handle(const wire::Load& request, Descriptors /*descriptors*/) {
  wire::LoadReply reply;
  void* handle = ::dlopen(request.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    reply.not_loaded = ::dlerror();
  } else {
    libraries_[request.library] = handle;
  }
  return reply;
}

wire::FillReply Session::handle(const wire::Fill& request, Descriptors descriptors) {
  const Mapping contents(only(descriptors), PROT_READ);
  buffers_.erase(request.buffer);
  DeviceBuffer made = allocate(contents.size());
  if (contents.size() != 0) {
    require(cudaMemcpy(made.data(), contents.data(), contents.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    if (request.undefined) observer_->undefine(made.data(), contents.size());
    if (request.undefined_bytes != 0) {
      const auto [offset, bytes] = std::pair(request.undefined_offset, request.undefined_bytes);
      if (offset > contents.size() || bytes > contents.size() - offset)
        throw std::runtime_error("the undefined bytes are outside of the buffer");
      observer_->undefine(static_cast<std::byte*>(made.data()) + offset, bytes);
    }
  }
  buffers_[request.buffer] = std::move(made);
  return {};
}

wire::ZerosReply Session::handle(const wire::Zeros& request, Descriptors /*descriptors*/) {
  DeviceBuffer made = allocate(request.bytes);
  if (request.bytes != 0) require(cudaMemset(made.data(), 0, request.bytes), "cudaMemset");
  buffers_[request.buffer] = std::move(made);
  return {};
}

wire::CopyReply Session::handle(const wire::Copy& request, Descriptors /*descriptors*/) {
  const DeviceBuffer& source = buffer(request.from);
  DeviceBuffer target = allocate(source.bytes());
  if (source.bytes() != 0) {
    require(cudaMemcpy(target.data(), source.data(), source.bytes(), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  buffers_[request.to] = std::move(target);
  return {};
}

wire::ConditionsReply Session::handle(const wire::ReadConditions& /*request*/, Descriptors /*descriptors*/) {
  return observer_->conditions();
}

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

  for (std::uint64_t turn = 0; turn < request.turns; ++turn) {
    patch(request.patches);
    if (request.sweep) sweep();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize before the call");
    if (turn + request.calls >= request.turns) {
      static_cast<void>(cudaGetLastError());
      if (reply.event_ms.empty()) forget();

      require(cudaEventRecord(begin.get(), stream_), "cudaEventRecord");
      observer_->begin_call(stream_);
      reply.failure.threw =
          thrown_by([&] { adapter(function, views.data(), request.scalars.data(), stream_); });
      observer_->end_call();
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
  reply.failure.threw = thrown_by([&] { data = adapter(function, contents.data(), request.count); });
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
  if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged) {
    buffers_[request.as] = DeviceBuffer(data, contents.size());
  }
  return reply;
}

wire::CanaryReply Session::handle(const wire::Canary& request, Descriptors /*descriptors*/) {
  void* data = nullptr;
  require(cudaMalloc(&data, request.bytes), "cudaMalloc");
  const DeviceBuffer buffer(data, request.bytes);
  const std::vector<std::byte> host(request.bytes);
  forget();
  require(cudaMemcpy(data, host.data(), request.bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  wire::CanaryReply reply;
  reply.observed = observer_->drain();
  return reply;
}

wire::ReadReply Session::handle(const wire::Read& request, Descriptors descriptors) {
  const Mapping target(only(descriptors), PROT_READ | PROT_WRITE);
  std::size_t position = 0;
  copy_out(request.reads, {target.data(), target.size()}, position);
  return {};
}

DeviceBuffer& Session::buffer(const std::string& name) {
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) throw std::runtime_error(fmt::format("no buffer {}", name));
  return found->second;
}

void* Session::symbol(const std::string& library, const std::string& name) const {
  const auto found = libraries_.find(library);
  if (found == libraries_.end()) throw std::runtime_error(fmt::format("no library {} is loaded", library));
  void* address = ::dlsym(found->second, name.c_str());
  if (address == nullptr)
    throw std::runtime_error(fmt::format("library {} has no function {}", library, name));
  return address;
}

WarpmarkView Session::view(const wire::View& where) const {
  const auto& [name, offset, bytes] = where;
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) throw std::runtime_error(fmt::format("no buffer {}", name));
  const std::uint64_t size = found->second.bytes();
  if (offset > size || bytes > size - offset) {
    throw std::runtime_error(
        fmt::format("buffer {} has {} bytes: [{}, +{}) is outside", name, size, offset, bytes));
  }
  return {static_cast<std::byte*>(found->second.data()) + offset, bytes};
}

void Session::patch(const std::vector<wire::Patch>& patches) {
  // Neighbours are one copy.
  std::byte* begin = nullptr;
  std::vector<std::byte> bytes;
  const auto copy = [&] {
    if (bytes.empty()) return;
    require(cudaMemcpyAsync(begin, bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_),
            "cudaMemcpyAsync");
    bytes.clear();
  };
  for (const wire::Patch& entry : patches) {
    const WarpmarkView target = view(entry.where);
    if (target.bytes > sizeof entry.value) throw std::runtime_error("a patch is at most 8 bytes long");
    if (begin + bytes.size() != target.data) {
      copy();
      begin = static_cast<std::byte*>(target.data);
    }
    const auto* value = reinterpret_cast<const std::byte*>(&entry.value);
    bytes.insert(bytes.end(), value, value + target.bytes);
  }
  copy();
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

// Writes what the views hold to `target` from `position` on, and moves that on.
void Session::copy_out(const std::vector<wire::View>& reads, std::span<std::byte> target,
                       std::size_t& position) const {
  for (const wire::View& where : reads) {
    const WarpmarkView source = view(where);
    if (source.bytes > target.size() - position)
      throw std::runtime_error("the reads are larger than their target");
    if (source.bytes != 0) {
      require(cudaMemcpy(target.data() + position, source.data, source.bytes, cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    }
    position += source.bytes;
  }
}

}  // namespace warpmark
