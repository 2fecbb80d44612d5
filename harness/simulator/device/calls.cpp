#include "harness/simulator/device/calls.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/both/functions.h"
#include "harness/simulator/both/host_watch.h"
#include "harness/simulator/both/packing.h"
#include "harness/simulator/device/judge_bytes.h"
#include "harness/simulator/device/program.h"
#include "harness/simulator/device/runtime/cluster_launch.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kMostText = std::size_t{256} << 20;  // limit on the PTX of one source file, in bytes
constexpr std::size_t kMostName = 64 << 10;

// Unmarshals one argument of a runtime function: a value or, for an output parameter, an object whose final
// value is returned to the program.
template <class T>
class Argument {
 public:
  explicit Argument(Unpacker& from) : value_(from.take<T>()) {}
  T pass() { return value_; }
  void write(Packer& /*to*/) const {}

 private:
  T value_;
};
template <class T>
requires kFilledIn<T>
class Argument<T> {
 public:
  explicit Argument(Unpacker& from) : given_(from.take<bool>()) {
    if (given_) value_ = from.take<std::remove_pointer_t<T>>();
  }
  T pass() { return given_ ? &value_ : nullptr; }
  void write(Packer& to) const {
    if (given_) to.put(value_);
  }

 private:
  bool given_ = false;
  std::remove_pointer_t<T> value_{};
};

void put_result(Packer& result, cudaError_t error) {
  result.put(error);
  Runtime::locked([&](const Runtime& runtime) {
    // Each result carries a flag: true if a sticky CUDA error exists, or may still arise from deferred stream
    // work. While it is false, the client may send calls without waiting for their results.
    result.put(runtime.failed_for_good() || runtime.has_late_work());
  });
}

template <class... Arguments>
void forward(cudaError_t (*function)(Arguments...), Unpacker& call, Packer& result) {
  // Braced initialisation unpacks the arguments from left to right, in the order in which they were packed.
  std::tuple<Argument<Arguments>...> arguments{Argument<Arguments>(call)...};
  if (call.failed()) return put_result(result, cudaErrorInvalidValue);
  put_result(result, std::apply([&](auto&... each) { return function(each.pass()...); }, arguments));
  std::apply([&](const auto&... each) { (each.write(result), ...); }, arguments);
}

template <auto... kFunctions>
bool forward_one_of(FunctionList<kFunctions...> /*functions*/, std::uint32_t number, Unpacker& call,
                    Packer& result) {
  using Forward = void (*)(Unpacker&, Packer&);
  constexpr std::array<Forward, sizeof...(kFunctions)> all{
      [](Unpacker& from, Packer& to) { forward(kFunctions, from, to); }...};
  if (number >= all.size()) return false;
  all[number](call, result);
  return true;
}

// Returns a string copied from the memory of the CUDA program's process; empty if the copy fails or the
// string is too long.
std::string text_at(const void* address, std::size_t bytes) {
  std::string text;
  if (bytes > kMostText) return text;
  text.resize(bytes);
  if (!HostProgram::instance().read(text.data(), address, bytes)) text.clear();
  return text;
}

void add_module(Unpacker& call, Packer& result) {
  const void* library = call.take<const void*>();
  FatBinary images;
  for (std::string* image : {&images.checking, &images.counting}) {
    const void* address = call.take<const void*>();
    *image = text_at(address, call.take<std::size_t>());
  }
  void* const module = Runtime::locked([&](Runtime& runtime) -> void* {
    if (HostProgram::instance().expects(digest_of(images.checking, images.counting)))
      return runtime.add_module(library, std::move(images));
    runtime.recorder.found(CauseKind::tampering, "",
                           "device code was registered that is not in the library as it was built: kernels "
                           "come from the sources alone. Leave out what makes device code at run time");
    return nullptr;
  });
  put_result(result, module != nullptr ? cudaSuccess : cudaErrorInvalidKernelImage);
  result.put(module);
}

void add_kernel(Unpacker& call, Packer& result) {
  void* module = call.take<void*>();
  const void* stub = call.take<const void*>();
  std::string name = call.take_text();
  const bool added = name.size() <= kMostName && Runtime::locked([&](Runtime& runtime) {
                       return runtime.add_kernel(module, stub, std::move(name));
                     });
  put_result(result, added ? cudaSuccess : cudaErrorInvalidValue);
}

void add_variable(Unpacker& call, Packer& result) {
  void* module = call.take<void*>();
  const void* variable = call.take<const void*>();
  const auto bytes = call.take<std::size_t>();
  std::string name = call.take_text();
  const bool added = name.size() <= kMostName && Runtime::locked([&](Runtime& runtime) {
                       return runtime.add_variable(module, variable, std::move(name), bytes);
                     });
  put_result(result, added ? cudaSuccess : cudaErrorInvalidValue);
}

void manage(Unpacker& call, Packer& result) {
  const void* variable = call.take<const void*>();
  const bool done = Runtime::locked([=](Runtime& runtime) { return runtime.manage(variable); });
  put_result(result, done ? cudaSuccess : cudaErrorInvalidValue);
}

// Returns the sizes of the kernel's parameters to the program, or an error if no kernel has this host stub.
void parameter_sizes(Unpacker& call, Packer& result) {
  const void* stub = call.take<const void*>();
  std::vector<std::size_t> sizes;
  const cudaError_t error = Runtime::call([&](Runtime& runtime) {
    if (!runtime.kernels.contains(stub)) return cudaErrorInvalidDeviceFunction;
    auto found = parameters_of(runtime, stub);
    if (!found) return cudaErrorNotSupported;
    sizes = std::move(*found);
    return cudaSuccess;
  });
  put_result(result, error);
  result.put(static_cast<std::uint32_t>(sizes.size()));
  for (const std::size_t size : sizes) result.put(size);
}

// Unpacks and runs a kernel launch. The bytes of the kernel arguments follow the fixed fields, without
// padding.
void launch(Unpacker& call, Packer& result) {
  const auto cooperative = call.take<bool>();
  const auto cluster = call.take<dim3>();  // cluster size in blocks; 0: the launch gives none
  const void* stub = call.take<const void*>();
  const auto grid = call.take<dim3>();
  const auto block = call.take<dim3>();
  const auto shared_bytes = call.take<std::size_t>();
  auto* stream = call.take<cudaStream_t>();
  const auto sizes = Runtime::locked([=](Runtime& runtime) { return parameters_of(runtime, stub); });
  // Copies each kernel argument to a heap block of its own, which is aligned for any type.
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> arguments;
  const std::size_t count = sizes ? sizes->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = call.take_bytes((*sizes)[i]);
    values.emplace_back(bytes.begin(), bytes.end());
  }
  if (call.failed()) return put_result(result, cudaErrorInvalidValue);
  arguments.reserve(values.size());
  for (auto& value : values) arguments.push_back(value.data());
  if (cluster.x != 0 && cluster.y != 0 && cluster.z != 0) {
    return put_result(result, launch_in_clusters(stub, grid, block, cluster, arguments.data(), shared_bytes,
                                                 stream, cooperative));
  }
  put_result(result,
             cooperative
                 ? cudaLaunchCooperativeKernel(stub, grid, block, arguments.data(), shared_bytes, stream)
                 : cudaLaunchKernel(stub, grid, block, arguments.data(), shared_bytes, stream));
}

void begin_call(const void* stream) {
  Runtime::locked([=](Runtime& runtime) {
    runtime.recorder.call_begins();
    runtime.fault_plan.call_begins(runtime.options());
    runtime.streams_used.begin(static_cast<cudaStream_t>(const_cast<void*>(stream)));
    runtime.notes.begin_call();
    runtime.host_writes.begin_call();
  });
}

// Reports a finding if the graded function returned a pointer into the middle of an allocation, which
// cudaFree would reject.
void find_inside(Runtime& runtime, Address kept) {
  const auto allocation = runtime.memory.find(kept);
  if (!allocation || allocation->freed || allocation->begin == kept) return;
  const CallSite* site = runtime.notes.last_site(allocation->begin);
  runtime.recorder.found(
      CauseKind::cuda_error, "",
      fmt::format(
          "the pointer that it returned is {} bytes behind the begin of its allocation: cudaFree takes "
          "what cudaMalloc gave and nothing else. Return that pointer",
          kept - allocation->begin),
      site != nullptr ? *site : CallSite());
}

void end_call(const void* kept) {
  Runtime::locked([=](Runtime& runtime) {
    runtime.streams_used.tell(runtime.recorder);
    runtime.recorder.call_ends();
    if (kept != nullptr) find_inside(runtime, address_of(kept));
    runtime.notes.end_call(runtime.memory.allocations(), address_of(kept), runtime.recorder);
  });
}

void early_access(Unpacker& call) {
  const auto access = call.take<HostAccess>();
  const auto begin = call.take<Address>();
  const auto end = call.take<Address>();
  CallSite site;
  site.function = call.take_text();
  site.frames.resize(std::min<std::size_t>(call.take<std::uint32_t>(), 64));
  for (std::uint64_t& frame : site.frames) frame = call.take<std::uint64_t>();
  if (call.failed() || site.function.size() > sizeof(EarlyAccess::function)) return;
  Runtime::locked(
      [&](Runtime& runtime) { runtime.order.host_accessed(access, begin, end, site, runtime.recorder); });
}

void end_program(int status) {
  Runtime::locked([=](Runtime& runtime) {
    // After a sticky error cudaFree fails, so memory that is still allocated is no leak.
    const auto left = runtime.failed_for_good() ? std::vector<Allocation>() : runtime.memory.allocations();
    runtime.notes.tell(status, left, runtime.order.streams.host(), runtime.recorder);
    if (!runtime.failed_for_good()) {
      for (Finding& leak : runtime.heap.leaks()) runtime.recorder.found(std::move(leak));
    }
    runtime.recorder.flush();
    if (runtime.order.has_passed_over()) runtime.recorder.say_uncompared();
    const bool unseen = runtime.order.wanted() != Order::Wanted::nothing;
    if (runtime.one_order.holds() && !unseen && !runtime.failed_for_good()) runtime.recorder.say_one_order();
  });
}

// Copies the next bytes of the judge's input to device memory. The copy is recorded as a memory transfer
// without a call site.
cudaError_t take(void* to, std::size_t bytes) {
  return Runtime::call([=](Runtime& runtime) {
    std::byte* target = device_bytes(runtime, "cudaMemcpy", to, bytes);
    if (target == nullptr || !JudgeBytes::instance().take({target, bytes})) return cudaErrorInvalidValue;
    runtime.memory.written_by_host(address_of(to), bytes);
    runtime.host_writes.forget(address_of(to), bytes);
    runtime.recorder.taken(bytes);
    return cudaSuccess;
  });
}

cudaError_t save(const void* from, std::size_t bytes) {
  return Runtime::call([=](Runtime& runtime) {
    runtime.order.streams.host_waits_for_all();
    const std::byte* source = device_bytes(runtime, "cudaMemcpy", from, bytes);
    if (source == nullptr || !JudgeBytes::instance().save({source, bytes})) return cudaErrorInvalidValue;
    if (const auto site = runtime.host_writes.in(address_of(from), bytes, runtime.memory)) {
      runtime.recorder.found(CauseKind::no_kernel, "",
                             "the answer was written by the host, in this line, and by no kernel after it: "
                             "kernels have to store it. Let a kernel do what is left",
                             *site);
      runtime.host_writes.forget(address_of(from), bytes);
    }
    runtime.recorder.transferred(wire::Direction::device_to_host, bytes, wire::TransferKind::copy, {});
    return cudaSuccess;
  });
}

void filled(Packer& result) {
  void* data = nullptr;
  const std::size_t bytes = JudgeBytes::instance().source_bytes();
  cudaError_t error = bytes == 0 ? cudaSuccess : cudaMalloc(&data, bytes);
  if (error == cudaSuccess && bytes != 0) error = take(data, bytes);
  put_result(result, error);
  result.put(data);
  result.put(bytes);
}

// Marks a range of device memory: its bytes as uninitialised, or its writes as those to report.
void mark_bytes(Unpacker& call, void (DeviceMemory::*mark)(Address, std::size_t)) {
  const void* begin = call.take<const void*>();
  const auto bytes = call.take<std::size_t>();
  Runtime::locked([=](Runtime& runtime) {
    if (runtime.memory.host_view(address_of(begin), bytes) != nullptr)
      (runtime.memory.*mark)(address_of(begin), bytes);
  });
}

void answer_special(Special what, Unpacker& call, Packer& result) {
  switch (what) {
    case Special::add_module:
      return add_module(call, result);
    case Special::add_kernel:
      return add_kernel(call, result);
    case Special::add_variable:
      return add_variable(call, result);
    case Special::manage:
      return manage(call, result);
    case Special::remove_module: {
      void* module = call.take<void*>();
      Runtime::locked([=](Runtime& runtime) { runtime.remove_module(module); });
      break;
    }
    case Special::parameter_sizes:
      return parameter_sizes(call, result);
    case Special::launch:
      return launch(call, result);
    case Special::sticky_error:
      return put_result(result, Runtime::sticky_error());
    case Special::reset:
      return put_result(result, cudaDeviceReset());
    case Special::undefine:
      mark_bytes(call, &DeviceMemory::undefine);
      break;
    case Special::report_writes:
      mark_bytes(call, &DeviceMemory::report_writes);
      break;
    case Special::mark:
      Runtime::locked([](Runtime& runtime) { runtime.recorder.mark(); });
      break;
    case Special::begin_call:
      begin_call(call.take<const void*>());
      break;
    case Special::end_call:
      end_call(call.take<const void*>());
      break;
    case Special::early_access:
      early_access(call);
      break;
    case Special::history_of: {
      const void* memory = call.take<const void*>();
      put_result(result, cudaSuccess);
      return result.put(
          Runtime::locked([=](const Runtime& runtime) { return runtime.history_of(address_of(memory)); }));
    }
    case Special::filled:
      return filled(result);
    case Special::take: {
      void* to = call.take<void*>();
      return put_result(result, take(to, call.take<std::size_t>()));
    }
    case Special::save: {
      const void* from = call.take<const void*>();
      return put_result(result, save(from, call.take<std::size_t>()));
    }
    case Special::nothing:
      break;
    case Special::posted_error:
      return put_result(result, HostProgram::instance().take_posted_error());
    case Special::end_program:
      end_program(call.take<int>());
      break;
    default:
      return put_result(result, cudaErrorInvalidValue);
  }
  put_result(result, cudaSuccess);
}

// True if a runtime call, given by its number, may be executed before pending deferred stream work has run.
bool keeps_late(std::uint32_t number) {
  constexpr std::array kSpecial{Special::launch,       Special::parameter_sizes, Special::sticky_error,
                                Special::early_access, Special::nothing,         Special::posted_error,
                                Special::end_program};
  return std::ranges::find(kSpecial, static_cast<Special>(number)) != kSpecial.end() ||
         OrderedFunctions::has_number<Functions>(number);
}

}  // namespace

std::size_t answer_call(std::span<const std::byte> call, std::span<std::byte> room) {
  Unpacker unpacker(call);
  // The result is packed into a local buffer, because while the call executes, the shared-memory mailbox,
  // where the result belongs, may still carry requests to the CUDA program's process.
  std::array<std::byte, 64 << 10> kept;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  Packer result(kept);
  const auto number = unpacker.take<std::uint32_t>();
  if (!keeps_late(number)) Runtime::locked([](Runtime& runtime) { runtime.catch_up(); });
  if (!forward_one_of(Functions(), number, unpacker, result))
    answer_special(static_cast<Special>(number), unpacker, result);
  const std::size_t size = std::min(result.size(), room.size());
  std::memcpy(room.data(), kept.data(), size);
  return size;
}

}  // namespace warpmark::simulator
