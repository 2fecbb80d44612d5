#include "harness/worker/session.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/worker/events.h"

namespace warpmark {
namespace {

using nlohmann::json;

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
json error_of(cudaError_t status, const char* stage) {
  return {{"error", cudaGetErrorName(status)}, {"message", cudaGetErrorString(status)}, {"when", stage}};
}

const char* name_of(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeDevice:
      return "device";
    case cudaMemoryTypeHost:
      return "host";
    case cudaMemoryTypeManaged:
      return "managed";
    default:
      return "unregistered";
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

// Replaces what an observer saw by one list of events.
void put_in_order(json& seen) {
  if (!seen.is_object()) return;
  seen["events"] = events_of(seen.at("launches"), seen.at("transfers"));
  seen.erase("launches");
  seen.erase("transfers");
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

json Session::answer(const json& request, const std::vector<UniqueFd>& descriptors) {
  static const std::array<std::pair<const char*, Handler>, 10> handlers{
      {{"hello", &Session::hello},
       {"load", &Session::load},
       {"fill", &Session::fill},
       {"zeros", &Session::zeros},
       {"copy", &Session::copy},
       {"call", &Session::call},
       {"upload", &Session::upload},
       {"canary", &Session::canary},
       {"read", &Session::read},
       {"conditions", &Session::conditions}}};
  try {
    const auto what = request.at("do").get<std::string>();
    for (const auto& [name, handler] : handlers) {
      if (what != name) continue;
      const json before = everything_so_far();
      json reply = (this->*handler)(request, descriptors);
      if (auditing_) {
        reply["before"] = before;
        if (!reply.contains("observed")) reply["observed"] = everything_so_far();
        for (const char* part : {"before", "observed"}) put_in_order(reply[part]);
      }
      return reply;
    }
    return {{"failed", fmt::format("no request is called {}", what)}};
  } catch (const std::exception& error) {
    return {{"failed", error.what()}};
  }
}

// Starts a record of what follows. An audit misses nothing: there, what happened between two requests is told
// before this one's reply, and what the request's own preparations did is in it.
void Session::forget() {
  if (!auditing_) observer_->drain();
}

// In an audit, what happened since it was last asked, by whichever thread; else null.
json Session::everything_so_far() {
  if (!auditing_) return nullptr;
  static_cast<void>(cudaDeviceSynchronize());
  return observer_->drain();
}

// {"do": "hello", "observe": bool}. Observed from here on, every reply also holds {"before", "observed"}:
// what was seen since the reply before it, and while it was made, each with {"events"} (see events.h) for
// launches and transfers.
//   -> {"engine", "observer": why it does not record, or "", "devices", "device", "l2_bytes",
//   "peak_bytes_per_s"} and, on a GPU, {"uuid", "multiprocessors", "clock_hz", "cuda", "free_bytes"}
json Session::hello(const json& request, Descriptors /*descriptors*/) {
  json reply{{"engine", observer_->engine()}, {"devices", 0}, {"observer", ""}};
  auditing_ = request.at("observe").get<bool>();
  if (auditing_) reply["observer"] = observer_->start();
  int devices = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess || devices == 0) {
    reply["no_device"] = cudaGetErrorString(status);
    static_cast<void>(cudaGetLastError());
    return reply;
  }
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  require(cudaStreamCreate(&stream_), "cudaStreamCreate");
  reply.update(observer_->describe());
  reply["devices"] = devices;
  reply["device"] = properties.name;
  reply["l2_bytes"] = properties.l2CacheSize;
  int kilohertz = 0;
  int bits = 0;
  const bool known = cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) == cudaSuccess &&
                     cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  reply["peak_bytes_per_s"] = known ? 2.0 * kilohertz * 1e3 * bits / 8 : 0.0;  // two transfers a clock
  return reply;
}

// {"do": "load", "library": name, "path": file} -> {} or {"not_loaded": why}. Constructors of the library run
// here.
json Session::load(const json& request, Descriptors /*descriptors*/) {
  const auto path = request.at("path").get<std::string>();
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {{"not_loaded", ::dlerror()}};
  libraries_[request.at("library").get<std::string>()] = handle;
  return json::object();
}

// {"do": "fill", "buffer": name, "undefined": bool} + its contents -> {}. Makes the device buffer anew, as
// large as the contents.
json Session::fill(const json& request, Descriptors descriptors) {
  const Mapping contents(only(descriptors), PROT_READ);
  const auto name = request.at("buffer").get<std::string>();
  buffers_.erase(name);
  DeviceBuffer buffer = allocate(contents.size());
  if (contents.size() != 0) {
    require(cudaMemcpy(buffer.data(), contents.data(), contents.size(), cudaMemcpyHostToDevice),
            "cudaMemcpy");
    if (request.value("undefined", false)) observer_->undefine(buffer.data(), contents.size());
  }
  buffers_[name] = std::move(buffer);
  return json::object();
}

// {"do": "zeros", "buffer": name, "bytes": n} -> {}. Makes the device buffer anew.
json Session::zeros(const json& request, Descriptors /*descriptors*/) {
  const auto bytes = request.at("bytes").get<std::size_t>();
  DeviceBuffer buffer = allocate(bytes);
  if (bytes != 0) require(cudaMemset(buffer.data(), 0, bytes), "cudaMemset");
  buffers_[request.at("buffer").get<std::string>()] = std::move(buffer);
  return json::object();
}

// {"do": "copy", "from": buffer, "to": buffer} -> {}. Makes the second one anew, at an address of its own.
json Session::copy(const json& request, Descriptors /*descriptors*/) {
  const DeviceBuffer& source = buffers_.at(request.at("from").get<std::string>());
  DeviceBuffer target = allocate(source.bytes());
  if (source.bytes() != 0) {
    require(cudaMemcpy(target.data(), source.data(), source.bytes(), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  buffers_[request.at("to").get<std::string>()] = std::move(target);
  return json::object();
}

// {"do": "conditions"} -> see Observer::conditions()
json Session::conditions(const json& /*request*/, Descriptors /*descriptors*/) {
  return observer_->conditions();
}

// {"do": "call", "library", "function", "adapter", "buffers": [view], "scalars": [u64],
//  "checking": bool, "schedule": u64, "host_readable": bool; "check_accesses", "count_work": bool, by default
//  false,
//  "patches": [[buffer, offset, bytes, value]], "sweep": bool, "reads": [view],
//  "turns": how often to patch, sweep and read, by default 1; "calls": in how many of the turns, the last
//  ones, to call as well, by default all} + where the reads go, one turn's after the other's
//   -> {"observed", "event_ms": [of each call]}; without any read {"observed", "cuda_error"} or {"observed",
//   "threw"}.
json Session::call(const json& request, Descriptors descriptors) {
  observer_->set_mode({.checking = request.at("checking").get<bool>(),
                       .schedule = request.at("schedule").get<std::uint64_t>(),
                       .host_readable = request.at("host_readable").get<bool>(),
                       .check_accesses = request.value("check_accesses", false),
                       .count_work = request.value("count_work", false)});
  void* function = symbol(request.at("library"), request.at("function"));
  auto* adapter = reinterpret_cast<decltype(&warpmark_call)>(symbol(request.at("adapter"), "warpmark_call"));
  std::vector<WarpmarkView> views;
  for (const json& where : request.at("buffers")) views.push_back(view(where));
  const auto scalars = request.at("scalars").get<std::vector<std::uint64_t>>();
  const auto turns = request.value("turns", std::uint64_t{1});
  const auto calls = request.value("calls", turns);
  std::optional<Mapping> target;
  if (!request.at("reads").empty()) target.emplace(only(descriptors), PROT_READ | PROT_WRITE);
  std::size_t position = 0;
  const bool swept = request.at("sweep").get<bool>();
  Event begin;
  Event end;
  json times = json::array();

  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    patch(request.at("patches"));
    if (swept) sweep();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize before the call");
    if (turn + calls >= turns) {
      static_cast<void>(cudaGetLastError());
      if (times.empty()) forget();

      require(cudaEventRecord(begin.get(), stream_), "cudaEventRecord");
      if (auto thrown = thrown_by([&] { adapter(function, views.data(), scalars.data(), stream_); }))
        return {{"observed", observer_->drain()}, {"threw", *thrown}};
      const cudaError_t launched = cudaGetLastError();
      // Swept calls are timed: nothing may come between.
      if (!swept && context_is_gone(views)) {
        begin.leave();
        end.leave();
        stream_ = nullptr;
        throw std::runtime_error("the memory for it is gone");
      }
      static_cast<void>(cudaEventRecord(end.get(), stream_));
      const cudaError_t finished = cudaDeviceSynchronize();
      if (launched != cudaSuccess || finished != cudaSuccess) {
        return {{"observed", observer_->drain()},
                {"cuda_error",
                 launched != cudaSuccess ? error_of(launched, "launch") : error_of(finished, "execution")}};
      }
      float milliseconds = 0;
      require(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
      times.push_back(milliseconds);
    }
    if (target) copy_out(request.at("reads"), {target->data(), target->size()}, position);
  }
  return {{"observed", observer_->drain()}, {"event_ms", times}};
}

// {"do": "upload", "library", "function", "adapter", "count": n, "as": buffer, "host_readable": bool} + the
// host values
//   -> {"observed", "memory": "null|unregistered|host|device|managed"} or {"observed", "cuda_error"}. Device
//   and managed memory becomes the buffer and is freed with it.
json Session::upload(const json& request, Descriptors descriptors) {
  const Mapping contents(only(descriptors), PROT_READ);
  observer_->set_mode({.host_readable = request.at("host_readable").get<bool>()});
  void* function = symbol(request.at("library"), request.at("function"));
  auto* adapter =
      reinterpret_cast<decltype(&warpmark_upload)>(symbol(request.at("adapter"), "warpmark_upload"));
  const auto count = request.at("count").get<std::uint64_t>();
  forget();
  void* data = nullptr;
  if (auto thrown = thrown_by([&] { data = adapter(function, contents.data(), count); }))
    return {{"observed", observer_->drain()}, {"threw", *thrown}};
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  json reply{{"observed", observer_->drain()}, {"memory", "null"}};
  if (status != cudaSuccess) {
    reply["cuda_error"] = error_of(status, "upload");
    return reply;
  }
  if (data == nullptr) return reply;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) static_cast<void>(cudaGetLastError());
  reply["memory"] = name_of(attributes.type);
  if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged) {
    buffers_[request.at("as").get<std::string>()] = DeviceBuffer(data, contents.size());
  }
  return reply;
}

// {"do": "canary", "bytes": n} -> {"observed"}: one host-to-device copy of that size, which the record must
// show.
json Session::canary(const json& request, Descriptors /*descriptors*/) {
  const auto bytes = request.at("bytes").get<std::size_t>();
  void* data = nullptr;
  require(cudaMalloc(&data, bytes), "cudaMalloc");
  const DeviceBuffer buffer(data, bytes);
  const std::vector<std::byte> host(bytes);
  forget();
  require(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return {{"observed", observer_->drain()}};
}

// {"do": "read", "reads": [view]} + where they go -> {}
json Session::read(const json& request, Descriptors descriptors) {
  const Mapping target(only(descriptors), PROT_READ | PROT_WRITE);
  std::size_t position = 0;
  copy_out(request.at("reads"), {target.data(), target.size()}, position);
  return json::object();
}

void* Session::symbol(const std::string& library, const std::string& name) const {
  const auto found = libraries_.find(library);
  if (found == libraries_.end()) throw std::runtime_error(fmt::format("no library {} is loaded", library));
  void* address = ::dlsym(found->second, name.c_str());
  if (address == nullptr)
    throw std::runtime_error(fmt::format("library {} has no function {}", library, name));
  return address;
}

// A view is [buffer, offset, bytes].
WarpmarkView Session::view(const json& where) const {
  const auto name = where.at(0).get<std::string>();
  const auto offset = where.at(1).get<std::uint64_t>();
  const auto bytes = where.at(2).get<std::uint64_t>();
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) throw std::runtime_error(fmt::format("no buffer {}", name));
  const std::uint64_t size = found->second.bytes();
  if (offset > size || bytes > size - offset) {
    throw std::runtime_error(
        fmt::format("buffer {} has {} bytes: [{}, +{}) is outside", name, size, offset, bytes));
  }
  return {static_cast<std::byte*>(found->second.data()) + offset, bytes};
}

// Writes single values: [buffer, offset, bytes (at most 8), value].
void Session::patch(const json& patches) {
  for (const json& entry : patches) {
    const auto value = entry.at(3).get<std::uint64_t>();
    const WarpmarkView target = view({entry.at(0), entry.at(1), entry.at(2)});
    if (target.bytes > sizeof value) throw std::runtime_error("a patch is at most 8 bytes long");
    require(cudaMemcpyAsync(target.data, &value, target.bytes, cudaMemcpyHostToDevice, stream_),
            "cudaMemcpyAsync");
  }
}

// Replaces what L2 holds by reading the buffer "sweep". Reading leaves no dirty lines that the timed call
// would have to write back: after a memset of 256 MB a sum of 1 GiB took 3.3 % longer on an H200.
void Session::sweep() {
  observer_->drop_persisting_lines();
  using Sweep = void (*)(const void*, std::size_t, void*, cudaStream_t);
  auto* function = reinterpret_cast<Sweep>(symbol("sweep", "warpmark_sweep"));
  const DeviceBuffer& source = buffers_.at("sweep");
  function(source.data(), source.bytes(), source.data(), stream_);
  require(cudaGetLastError(), "the sweep kernel");
}

// Writes what the views hold to `target` from `position` on, and moves that on.
void Session::copy_out(const json& reads, std::span<std::byte> target, std::size_t& position) const {
  for (const json& where : reads) {
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
