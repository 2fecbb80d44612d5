// Library routines that are no kernels. The matrices of a call are checked against the device's memory, as
// the accesses of a kernel are, and copied; a plug-in computes on the copies, so that neither a wrong size
// nor a program that changes shared memory meanwhile can make it access anything else.
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
  const char* packages;  // that the plug-in needs: to run, and to build
};
constexpr std::array<Library, 2> kLibraries{
    {{'S', "warpmark_solver", "cusolverDnSetStream(handle, stream)", "libwarpmark_routines.so",
      "libopenblas0, or in a clone libopenblas-dev and liblapacke-dev"},
     {'F', "warpmark_fft", "cufftSetStream(plan, stream)", "libwarpmark_transforms.so",
      "libfftw3-double3 and libfftw3-single3, or in a clone libfftw3-dev"}}};

// Opened at the first call, because few programs need it. Null if this build has none.
Perform plug_in_of(const Library& library) {
  static std::map<char, Perform> found;
  const auto [place, is_new] = found.try_emplace(library.letter, nullptr);
  if (is_new) {
    // Read by OpenBLAS while it is loaded: otherwise it makes a thread for each processor.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (void* opened = ::dlopen(library.plug_in, RTLD_LAZY | RTLD_LOCAL))
      place->second = reinterpret_cast<Perform>(::dlsym(opened, "warpmark_perform_routine"));
  }
  return place->second;
}

struct Dimension {
  long long count;
  long long apart;  // elements from one to the next
};
std::array<Dimension, 4> dimensions_of(const Operand& operand) {
  return {{{operand.rows, operand.step},
           {operand.columns, operand.leading},
           {operand.outer[0], operand.apart[0]},
           {operand.outer[1], operand.apart[1]}}};
}

// True if no sum or product of the sizes, which the program chose, can overflow here or in LAPACK, which
// counts the elements of its work areas in 32 bits.
bool is_sound(const Operand& operand, long long problems) {
  constexpr long long kMostElements = 1LL << 28;
  constexpr long long kMostBytes = 1LL << 40;
  const auto within = [](long long value, long long least, long long most) {
    return value >= least && value <= most;
  };
  long long elements = 1;
  for (const auto& [count, apart] : dimensions_of(operand)) {
    if (!within(count, 0, INT_MAX) || !within(apart, 0, kMostElements / std::max(count, 1LL)) ||
        elements > kMostElements / std::max(count, 1LL))
      return false;
    elements *= std::max(count, 1LL);
  }
  return operand.step >= 1 && operand.leading >= 1 && within(operand.element, 1, 16) &&
         within(operand.stride, 0, kMostBytes / std::max(problems, 1LL));
}

bool is_sound(const WarpmarkLibraryCall& call) {
  const auto end = std::ranges::find(call.routine, '\0');
  return end != std::end(call.routine) && std::all_of(std::begin(call.routine), end, ::isalpha) &&
         call.operands >= 0 && call.operands <= WARPMARK_MOST_OPERANDS && call.problems >= 0 &&
         call.problems <= INT_MAX && std::all_of(call.operand, call.operand + call.operands, [&](auto& each) {
           return is_sound(each, call.problems);
         });
}

// Bytes from the first element to the last.
std::size_t extent_of(const Operand& operand) {
  long long last = 0;
  for (const auto& [count, apart] : dimensions_of(operand)) {
    if (count == 0) return 0;
    last += (count - 1) * apart;
  }
  return static_cast<std::size_t>((last + 1) * operand.element);
}

// Calls use(offset, bytes) for each run of bytes that the operand consists of.
template <class Use>
void for_each_run(const Operand& operand, Use use) {
  const auto run = [&](long long first, long long count) {
    use(static_cast<std::size_t>(first * operand.element), static_cast<std::size_t>(count * operand.element));
  };
  if (operand.part == 'L' || operand.part == 'U') {
    for (long long column = 0; column < operand.columns; ++column) {
      const long long first = operand.part == 'L' ? std::min(column, operand.rows) : 0;
      const long long end = operand.part == 'U' ? std::min(column + 1, operand.rows) : operand.rows;
      if (first < end) run(column * operand.leading + first, end - first);
    }
    return;
  }
  // Adjacent dimensions are one run, in whichever order they lie in memory.
  auto dimensions = dimensions_of(operand);
  std::ranges::sort(dimensions, {}, [](const Dimension& of) { return of.count == 1 ? 0 : of.apart; });
  long long adjacent = 1;
  auto outer = dimensions.begin();
  while (outer != dimensions.end() && (outer->count == 1 || outer->apart == adjacent))
    adjacent *= outer++->count;
  long long runs = 1;
  for (auto each = outer; each != dimensions.end(); ++each) runs *= each->count;
  for (long long i = 0; i < (adjacent == 0 ? 0 : runs); ++i) {
    long long first = 0;
    long long rest = i;
    for (auto each = outer; each != dimensions.end(); rest /= each++->count)
      first += rest % each->count * each->apart;
    run(first, adjacent);
  }
}

// Calls function(numbers) with the matrix as floats or doubles; does nothing with integers.
template <class Function>
void with_numbers(const Operand& operand, std::vector<std::byte>& bytes, Function function) {
  if (operand.kind == 'f')
    function(std::span(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)));
  else if (operand.kind == 'd')
    function(std::span(reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)));
}

// "64 x 8 elements of 8 bytes, 70 from one column to the next"
std::string describe(const Operand& operand) {
  std::string text = fmt::format("{} x {}", operand.rows, operand.columns);
  for (const long long count : operand.outer) {
    if (count != 1) text += fmt::format(" x {}", count);
  }
  text += fmt::format(" elements of {} bytes", operand.element);
  if (operand.columns > 1) text += fmt::format(", {} from one column to the next", operand.leading);
  return text;
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
  Routine(Runtime& runtime, const WarpmarkLibraryCall& call, Perform perform, std::string_view name,
          const CallSite& site)
      : runtime_(runtime),
        call_(call),
        perform_(perform),
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

  // Returns an error, with a finding, unless one live allocation that the device may use contains the range.
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

  // Copies what the routine reads of the operand.
  cudaError_t fetch(const Operand& operand, long long problem, Matrix& matrix) {
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
                          .element = sizeof(Address),
                          .kind = 'i',
                          .part = 'A',
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
      if (operand.is_read == 0) return;
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
      if (operands[i].data == nullptr) continue;
      if (const cudaError_t error = fetch(operands[i], problem, matrices.at(i)); error != cudaSuccess)
        return error;
      data.at(i) = matrices.at(i).bytes.data();
      with_numbers(operands[i], matrices.at(i).bytes, [&](auto numbers) {
        finite = finite && std::ranges::all_of(numbers, [](auto x) { return std::isfinite(x); });
      });
    }
    // LAPACK is not made for infinities and NaN: it may not end, or choose a row that does not exist.
    finite = finite || call_.library != 'S';
    if (finite && !perform_(call_, data.data()))
      return fail(CauseKind::out_of_bounds, cudaErrorIllegalAddress,
                  "its sizes or pivots lead out of its matrices; pass the pivots that getrf stored");
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!finite && operands[i].is_written != 0) {
        std::ranges::fill(matrices.at(i).bytes, std::byte{0});
        if (!matrices.at(i).bytes.empty()) matrices.at(i).bytes.front() = std::byte{1};  // info
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
  Perform perform_;
  std::string_view name_;
  const CallSite& site_;
  AdoptedMemory adopted_;
  std::set<Address> noted_;
  Footprint footprint_;
};

cudaError_t run(Runtime& runtime, const WarpmarkLibraryCall& call, Perform perform, const std::string& name,
                const CallSite& site, QueuedWork work) {
  runtime.recorder.launched(name, {1, 1, 1}, {32, 1, 1}, 0);
  runtime.recorder.running(name, {1, 1, 1}, {32, 1, 1});
  runtime.remembered_launches.another_ran();
  Routine routine(runtime, call, perform, name, site);
  const cudaError_t error = routine.run();
  if (runtime.order.wanted() != Order::Wanted::nothing) work.uses(routine.footprint());
  if (!runtime.is_late()) runtime.notes.launched(work.stamp());
  work.done(false);
  return error;
}

cudaError_t queue(Runtime& runtime, const WarpmarkLibraryCall& call, cudaStream_t stream) {
  const auto library = std::ranges::find(kLibraries, call.library, &Library::letter);
  if (library == kLibraries.end() || !is_sound(call)) return cudaErrorInvalidValue;
  const std::string name = fmt::format("warpmark_lib::run<{}::{}>", library->name_space, call.routine);
  const Perform perform = plug_in_of(*library);
  if (perform == nullptr) {
    runtime.recorder.found(
        CauseKind::unsupported, name,
        fmt::format("not simulated by this build of Warpmark: install {}", library->packages));
    return cudaErrorNotSupported;
  }
  if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
  runtime.notes.launching(name);
  const QueuedWork work(runtime, stream, "kernel " + name, name);
  runtime.streams_used.queued(stream, fmt::format("the work of {}", name), library->sets_stream, name);
  return runtime.do_work(
      work.stamp(), [&runtime, call, perform, name, work, site = call_site(), device = runtime.device()] {
        const int chosen = runtime.device();
        runtime.choose(device);
        const cudaError_t error = run(runtime, call, perform, name, site, work);
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
