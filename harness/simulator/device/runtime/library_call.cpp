// Executes library routines that are not kernels, such as LAPACK's for cuSOLVER. The matrices of a call are
// checked against device memory, as a kernel's accesses are, and copied; a plug-in library computes on the
// copies, so that neither a wrong size nor a program that changes shared memory meanwhile can make the
// plug-in access anything else.
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <warpmark_cuda/host/library_call.h>

#include "harness/simulator/device/runtime/adopted.h"
#include "harness/simulator/device/runtime/library_operand.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

using Operand = WarpmarkOperand;
using Perform = bool (*)(const WarpmarkLibraryCall& call, void* const* matrices);

struct Library {
  char letter;  // WarpmarkLibraryCall::library
  const char* name_space;
  const char* sets_stream;
  const char* plug_in;
  // Linux packages to install if the plug-in library is missing, named in the error message
  const char* packages;
  bool is_lapack;
};
constexpr const char* kOpenBlas = "libopenblas0, or in a clone libopenblas-dev and liblapacke-dev";
constexpr std::array<Library, 4> kLibraries{
    {{'B', "warpmark_blas", "cublasSetStream(handle, stream)", "libwarpmark_routines.so", kOpenBlas, false},
     {'L', "warpmark_blas", "cublasSetStream(handle, stream)", "libwarpmark_routines.so", kOpenBlas, true},
     {'S', "warpmark_solver", "cusolverDnSetStream(handle, stream)", "libwarpmark_routines.so", kOpenBlas,
      true},
     {'F', "warpmark_fft", "cufftSetStream(plan, stream)", "libwarpmark_transforms.so",
      "libfftw3-double3 and libfftw3-single3, or in a clone libfftw3-dev", false}}};

// Returns the entry point of the library's plug-in, loaded at the first call because few programs need it;
// null if the plug-in cannot be loaded.
Perform plug_in_of(const Library& library) {
  static std::map<char, Perform> found;
  const auto [place, is_new] = found.try_emplace(library.letter, nullptr);
  if (is_new) {
    // OpenBLAS reads OPENBLAS_NUM_THREADS while it is loaded; without the variable it would start a thread
    // for each processor.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (void* opened = ::dlopen(library.plug_in, RTLD_LAZY | RTLD_LOCAL))
      place->second = reinterpret_cast<Perform>(::dlsym(opened, "warpmark_perform_routine"));
  }
  return place->second;
}

bool is_sound_call(const WarpmarkLibraryCall& call) {
  const auto end = std::ranges::find(call.routine, '\0');
  return end != std::end(call.routine) && std::all_of(std::begin(call.routine), end, ::isalnum) &&
         call.operands >= 0 && call.operands <= WARPMARK_MOST_OPERANDS && call.problems >= 0 &&
         call.problems <= INT_MAX && std::all_of(call.operand, call.operand + call.operands, [&](auto& each) {
           return is_sound(each, call.problems);
         });
}

// Calls function(span) with a matrix's elements as a span of float or double, as the operand's type says;
// does nothing for integer matrices.
template <class Function>
void with_numbers(const Operand& operand, std::vector<std::byte>& bytes, Function function) {
  if (operand.kind == 'f')
    function(std::span(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)));
  else if (operand.kind == 'd')
    function(std::span(reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)));
}

bool is_zero(const std::vector<std::byte>& bytes) {
  return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{0}; });
}

void sort_and_join(std::vector<Range>& ranges) {
  std::ranges::sort(ranges, {}, &Range::begin);
  std::vector<Range> joined;
  for (const Range& range : ranges) {
    if (!joined.empty() && range.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
}

class Routine {
 public:
  Routine(Runtime& runtime, const WarpmarkLibraryCall& call, const Library& library, std::string_view name,
          const CallSite& site)
      : runtime_(runtime),
        call_(call),
        library_(library),
        name_(name),
        site_(site),
        adopted_(runtime.memory) {}

  cudaError_t run() {
    for (long long problem = 0; problem < call_.problems; ++problem) {
      if (const cudaError_t error = solve(problem); error != cudaSuccess) return error;
    }
    adopted_.give_back();
    return cudaSuccess;
  }
  Footprint footprint() {
    sort_and_join(footprint_.reads);
    sort_and_join(footprint_.writes);
    return std::move(footprint_);
  }

 private:
  struct Matrix {
    Address begin = 0;
    std::vector<std::byte> bytes;
  };

  cudaError_t fail(CauseKind kind, cudaError_t error, std::string_view message) {
    runtime_.recorder.found(kind, name_, message, site_);
    runtime_.fail_for_good(error);
    return error;
  }

  // Returns an error, with a finding, unless one live allocation that the current device may use contains the
  // range.
  cudaError_t reach(const Operand& operand, Address begin, std::size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    const auto allocation = runtime_.memory.nearest(begin);
    const std::string what = fmt::format("it uses {} bytes ({})", bytes, describe(operand));
    if (allocation && allocation->freed && begin - allocation->begin < allocation->bytes)
      return fail(CauseKind::use_after_free, cudaErrorIllegalAddress,
                  what + " in memory that was freed; free it only after the last call that uses it");
    if (runtime_.memory.host_view(begin, bytes) == nullptr) {
      if (allocation && begin >= allocation->begin)
        return fail(CauseKind::out_of_bounds, cudaErrorIllegalAddress,
                    fmt::format("{} from byte {} of an allocation of {} bytes on; pass the sizes that the "
                                "memory was allocated for",
                                what, begin - allocation->begin, allocation->bytes));
      return fail(begin == 0 ? CauseKind::out_of_bounds : CauseKind::host_pointer, cudaErrorIllegalAddress,
                  what + " at a pointer that is not one to device memory; pass what cudaMalloc gave");
    }
    if (begin % static_cast<unsigned>(operand.element) != 0)
      return fail(CauseKind::misaligned, cudaErrorMisalignedAddress,
                  what + " at an address that is not a multiple of an element's size");
    if (allocation->kind == Allocation::Kind::device && allocation->device != runtime_.device() &&
        !runtime_.peers.contains({runtime_.device(), allocation->device}))
      return fail(CauseKind::peer_access, cudaErrorIllegalAddress,
                  fmt::format("{} of device {}, and runs on device {}; allow the access with "
                              "cudaDeviceEnablePeerAccess, or copy it",
                              what, allocation->device, runtime_.device()));
    adopted_.bring(*allocation);
    if (noted_.insert(allocation->begin).second) note_host_access(runtime_, *allocation);
    return cudaSuccess;
  }

  // Copies an operand's matrix from device memory: only the elements that the library routine reads.
  cudaError_t fetch(const Operand& operand, bool is_read, long long problem, Matrix& matrix) {
    matrix.begin = address_of(operand.data) + static_cast<Address>(problem * operand.stride);
    if (operand.through != 0) {
      const Address pointer = address_of(operand.data) + static_cast<Address>(problem) * sizeof(Address);
      const Operand array{.data = nullptr,
                          .stride = 0,
                          .rows = call_.problems,
                          .columns = 1,
                          .leading = std::max(call_.problems, 1LL),
                          .step = 1,
                          .outer = {1, 1},
                          .apart = {0, 0},
                          .below = INT_MAX,
                          .above = INT_MAX,
                          .element = sizeof(Address),
                          .kind = 'i',
                          .storage = 'D',
                          .form = 'G',
                          .operation = 'N',
                          .reversed = 0,
                          .factor = 0,
                          .through = 0,
                          .is_read = 1,
                          .is_written = 0};
      if (const cudaError_t error = reach(array, pointer, sizeof(Address)); error != cudaSuccess)
        return error;
      std::memcpy(&matrix.begin, runtime_.memory.host_view(pointer, sizeof(Address)), sizeof(Address));
      footprint_.reads.push_back({pointer, pointer + sizeof(Address), 0});
    }
    const std::size_t extent = extent_of(operand);
    if (const cudaError_t error = reach(operand, matrix.begin, extent); error != cudaSuccess) return error;
    if (operand.is_read == 0 && operand.is_written == 0) {
      footprint_.writes.push_back({matrix.begin, matrix.begin + extent, 0});
      return cudaSuccess;
    }
    matrix.bytes.resize(extent);
    const std::byte* from = runtime_.memory.host_view(matrix.begin, extent);
    std::size_t undefined = 0;
    std::size_t all = 0;
    for_each_run(operand, [&](std::size_t offset, std::size_t bytes) {
      const Address begin = matrix.begin + offset;
      if (operand.is_written != 0) footprint_.writes.push_back({begin, begin + bytes, 0});
      if (!is_read) return;
      footprint_.reads.push_back({begin, begin + bytes, 0});
      undefined += runtime_.memory.undefined_in(begin, bytes).bytes;
      all += bytes;
      std::memcpy(matrix.bytes.data() + offset, from + offset, bytes);
    });
    if (undefined != 0 && runtime_.options().check_accesses != 0)
      runtime_.recorder.found(
          CauseKind::uninitialised_read, name_,
          fmt::format("{} of the {} bytes that it reads ({}) were never set: copy them to the device, or "
                      "store them by a kernel, before the call",
                      undefined, all, describe(operand)),
          site_);
    return cudaSuccess;
  }

  void store(const Operand& operand, const Matrix& matrix) {
    if (operand.is_written == 0 || matrix.bytes.empty()) return;
    std::byte* to = runtime_.memory.host_view(matrix.begin, matrix.bytes.size());
    for_each_run(operand, [&](std::size_t offset, std::size_t bytes) {
      std::memcpy(to + offset, matrix.bytes.data() + offset, bytes);
      runtime_.memory.written_by_host(matrix.begin + offset, bytes);
      runtime_.host_writes.forget(matrix.begin + offset, bytes);
    });
  }

  cudaError_t solve(long long problem) {
    const std::span operands(call_.operand, static_cast<std::size_t>(call_.operands));
    std::array<Matrix, WARPMARK_MOST_OPERANDS> matrices;
    std::array<void*, WARPMARK_MOST_OPERANDS> data{};
    bool finite = true;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_needed = operands[i].factor == 0 || !is_zero(matrices.at(operands[i].factor - 1).bytes);
      const bool is_read = operands[i].is_read != 0 && is_needed;
      if (operands[i].data == nullptr || (!is_needed && operands[i].is_written == 0)) continue;
      if (const cudaError_t error = fetch(operands[i], is_read, problem, matrices.at(i));
          error != cudaSuccess)
        return error;
      data.at(i) = matrices.at(i).bytes.data();
      with_numbers(operands[i], matrices.at(i).bytes, [&](auto numbers) {
        finite = finite && std::ranges::all_of(numbers, [](auto x) { return std::isfinite(x); });
      });
    }
    // LAPACK is not called with infinities or NaN, with which its iterations may not terminate or a pivot
    // index may be out of range.
    finite = finite || !library_.is_lapack;
    if (finite && !plug_in_of(library_)(call_, data.data()))
      return fail(CauseKind::out_of_bounds, cudaErrorIllegalAddress,
                  "its sizes or pivots lead out of its matrices; pass the pivots that getrf stored");
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!finite && operands[i].is_written != 0) {
        std::ranges::fill(matrices.at(i).bytes, std::byte{0});
        // If LAPACK was skipped because of infinities or NaN, integer outputs become 1: in the status `info`
        // this value reports a failure. Floating-point outputs become NaN.
        if (!matrices.at(i).bytes.empty()) matrices.at(i).bytes.front() = std::byte{1};
        with_numbers(operands[i], matrices.at(i).bytes, [](auto numbers) {
          std::ranges::fill(numbers, std::numeric_limits<float>::quiet_NaN());
        });
      }
      store(operands[i], matrices.at(i));
    }
    return cudaSuccess;
  }

  Runtime& runtime_;
  const WarpmarkLibraryCall& call_;
  const Library& library_;
  std::string_view name_;
  const CallSite& site_;
  AdoptedMemory adopted_;
  std::set<Address> noted_;
  Footprint footprint_;
};

cudaError_t run(Runtime& runtime, const WarpmarkLibraryCall& call, const Library& library,
                const std::string& name, const CallSite& site, QueuedWork work) {
  runtime.recorder.launched(name, {1, 1, 1}, {32, 1, 1}, 0);
  runtime.recorder.running(name, {1, 1, 1}, {32, 1, 1});
  runtime.remembered_launches.another_ran();
  Routine routine(runtime, call, library, name, site);
  const cudaError_t error = routine.run();
  if (runtime.order.wanted() != Order::Wanted::nothing) work.uses(routine.footprint());
  if (!runtime.is_late()) runtime.notes.launched(work.stamp());
  work.done(false);
  return error;
}

cudaError_t queue(Runtime& runtime, const WarpmarkLibraryCall& call, cudaStream_t stream) {
  const auto library = std::ranges::find(kLibraries, call.library, &Library::letter);
  if (library == kLibraries.end() || !is_sound_call(call)) return cudaErrorInvalidValue;
  const std::string name = fmt::format("warpmark_lib::run<{}::{}>", library->name_space, call.routine);
  if (!runtime.may_call_library(call.library)) {
    runtime.recorder.found(
        CauseKind::tampering, name,
        "a routine of a library was called that the version may not use: write the kernel");
    return cudaErrorNotPermitted;
  }
  if (plug_in_of(*library) == nullptr) {
    runtime.recorder.found(CauseKind::unsupported, name,
                           fmt::format("{}: install {}", wire::kNotInBuild, library->packages));
    return cudaErrorNotSupported;
  }
  if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
  runtime.notes.launching(name);
  const QueuedWork work(runtime, stream, "kernel " + name, name);
  runtime.streams_used.queued(stream, fmt::format("the work of {}", name), library->sets_stream, name);
  return runtime.do_work(
      work.stamp(), [&runtime, call, library, name, work, site = call_site(), device = runtime.device()] {
        const int chosen = runtime.device();
        runtime.choose(device);
        const cudaError_t error = run(runtime, call, *library, name, site, work);
        runtime.choose(chosen);
        return error;
      });
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t warpmark_device_library_call(WarpmarkLibraryCall call, cudaStream_t stream) {
  return Runtime::call([&](Runtime& runtime) {
    if (!is_stream(runtime, stream) || device_of(runtime, stream) != runtime.device())
      return cudaErrorInvalidResourceHandle;
    return queue(runtime, call, stream);
  });
}
