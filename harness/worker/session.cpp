#include "harness/worker/session.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "harness/wire/audit_events.h"
#include "harness/worker/last_look.h"
#include "harness/worker/mapping.h"

namespace warpmark {
namespace {

wire::FailedReply failed(const std::exception& error) {
  wire::FailedReply reply;
  reply.why = error.what();
  return reply;
}

}  // namespace

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
  observer_->settle();
  // Flushes stdout before the reply, so that the judge process ascribes the text that student code has
  // printed to the present request and not to the next one.
  std::fflush(stdout);
  if (auditing_) {
    wire::Seen& seen = wire::seen_in(reply);
    seen.before = in_order(before);
    seen.observed = in_order(observed ? seen.observed : everything_so_far());
  }
  return reply;
} catch (const std::exception& error) {
  return failed(error);
}

// Discards the events recorded before a call of student code, so that only the call's own are reported.
// During an upload audit it keeps them: the next reply then reports what happened between two requests and
// during a request's preparation as well.
void Session::forget() {
  if (!auditing_) observer_->forget();
}

// During an upload audit, waits until the device is idle and returns the launches, transfers and findings of
// all threads since the function was last called; otherwise returns none.
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
  // After the engine's own handlers of crashes, which explain more.
  if (last_words_ >= 0) LastLook::install_handlers();
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
  // Peak memory bandwidth in bytes per second: factor 2, because memory has double data rate.
  reply.peak_bytes_per_s = known ? 2.0 * kilohertz * 1e3 * bits / 8 : 0.0;
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

// Returns a new device buffer that holds the data attached to the judge process's request.
DeviceBuffer Session::filled(Descriptors descriptors) {
  if (DirectBytes* direct = observer_->direct()) return direct->filled();
  const Mapping contents(only(descriptors), PROT_READ);
  DeviceBuffer made = allocate(contents.size());
  if (contents.size() != 0)
    require(cudaMemcpy(made.data(), contents.data(), contents.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return made;
}

wire::FillReply Session::handle(const wire::Fill& request, Descriptors descriptors) {
  buffers_.erase(request.buffer);
  host_buffers_.erase(request.buffer);
  if (request.on_host) {
    const Mapping contents(only(descriptors), PROT_READ);
    host_buffers_.emplace(request.buffer,
                          HostBuffer({static_cast<const std::byte*>(contents.data()), contents.size()}));
    return {};
  }
  DeviceBuffer made = filled(descriptors);
  if (made.bytes() != 0) {
    if (request.undefined) observer_->undefine(made.data(), made.bytes());
    if (request.undefined_bytes != 0) {
      const auto [offset, bytes] = std::pair(request.undefined_offset, request.undefined_bytes);
      if (offset > made.bytes() || bytes > made.bytes() - offset)
        throw std::runtime_error("the undefined bytes are outside of the buffer");
      std::byte* const first = static_cast<std::byte*>(made.data()) + offset;
      request.report_writes ? observer_->report_writes(first, bytes) : observer_->undefine(first, bytes);
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

wire::CanaryReply Session::handle(const wire::Canary& request, Descriptors /*descriptors*/) {
  const DeviceBuffer buffer = allocate(request.bytes);
  const std::vector<std::byte> host(request.bytes);
  forget();
  require(cudaMemcpy(buffer.data(), host.data(), request.bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  wire::CanaryReply reply;
  reply.observed = observer_->drain();
  return reply;
}

wire::ReadReply Session::handle(const wire::Read& request, Descriptors descriptors) {
  Results results(*this, descriptors);
  results.add(request.reads);
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
  if (name.empty()) return {};  // an empty buffer name is valid: a rank of an MPI program may have no data
  const auto found = buffers_.find(name);
  const auto on_host = host_buffers_.find(name);
  if (found == buffers_.end() && on_host == host_buffers_.end())
    throw std::runtime_error(fmt::format("no buffer {}", name));
  const bool host = on_host != host_buffers_.end();
  const std::uint64_t size = host ? on_host->second.bytes() : found->second.bytes();
  if (offset > size || bytes > size - offset) {
    throw std::runtime_error(
        fmt::format("buffer {} has {} bytes: [{}, +{}) is outside", name, size, offset, bytes));
  }
  std::byte* const data = host ? on_host->second.data() : static_cast<std::byte*>(found->second.data());
  return {data + offset, bytes};
}

Session::Results::Results(const Session& session, Descriptors descriptors)
    : session_(session), direct_(session.observer_->direct()) {
  if (direct_ == nullptr) target_.emplace(only(descriptors), PROT_READ | PROT_WRITE);
}

void Session::Results::add(const std::vector<wire::View>& reads) {
  for (const wire::View& where : reads) {
    WarpmarkView source = session_.view(where);
    if (source.bytes == 0) continue;
    DeviceBuffer copy;
    if (session_.host_buffers_.contains(where.buffer)) {
      copy = allocate(source.bytes);
      require(cudaMemcpy(copy.data(), source.data, source.bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
      source.data = copy.data();
    }
    if (direct_ != nullptr) {
      direct_->save(source.data, source.bytes);
      continue;
    }
    if (source.bytes > target_->size() - position_)
      throw std::runtime_error("the reads are larger than their target");
    require(cudaMemcpy(target_->data() + position_, source.data, source.bytes, cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    position_ += source.bytes;
  }
  if (direct_ != nullptr) direct_->saved();
}

}  // namespace warpmark
