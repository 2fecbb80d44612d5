#include "harness/assignments/reduction/cpu_sums.h"

#include <array>
#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

namespace warpmark::reduction {
namespace {

// The accumulator's type: unsigned, because signed overflow is undefined; double, because a float accumulator
// loses half of 2^26 ones.
template <class Value>
using Sum = typename std::conditional_t<std::is_integral_v<Value>, std::make_unsigned<Value>,
                                        std::common_type<Value, double>>::type;

// Independent partial sums: the compiler may not reorder floating-point additions, and a single sum would
// wait four cycles for each of them.
constexpr std::size_t kLanes = 16;

template <class Value>
Sum<Value> sum_of(std::span<const Value> values) {
  std::array<Sum<Value>, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += static_cast<Sum<Value>>(values[i + k]);
  }
  for (; i < values.size(); ++i) lanes[0] += static_cast<Sum<Value>>(values[i]);
  Sum<Value> sum = 0;
  for (const Sum<Value> lane : lanes) sum += lane;
  return sum;
}

// The part of `values` that worker `which` of `count` adds.
template <class Value>
std::span<const Value> share(std::span<const Value> values, std::size_t which, std::size_t count) {
  const std::size_t begin = values.size() * which / count;
  return values.subspan(begin, values.size() * (which + 1) / count - begin);
}

struct OneThread {
  template <class Value>
  static Sum<Value> run(std::span<const Value> values) {
    return sum_of(values);
  }
};

// Starts and joins its threads in every call, as beginners' threaded programs do.
struct Threads {
  template <class Value>
  static Sum<Value> run(std::span<const Value> values) {
    const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
    std::vector<Sum<Value>> sums(count);
    {
      std::vector<std::jthread> threads;
      for (std::size_t which = 0; which < count; ++which) {
        threads.emplace_back([&, which] { sums[which] = sum_of(share(values, which, count)); });
      }
    }
    Sum<Value> sum = 0;
    for (const Sum<Value> part : sums) sum += part;
    return sum;
  }
};

#ifdef _OPENMP
// OpenMP keeps its threads alive between calls.
struct OpenMp {
  template <class Value>
  static Sum<Value> run(std::span<const Value> values) {
    Sum<Value> sum = 0;
    const Value* data = values.data();
    const auto count = static_cast<std::ptrdiff_t>(values.size());
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (std::ptrdiff_t i = 0; i < count; ++i) sum += static_cast<Sum<Value>>(data[i]);
    return sum;
  }
};
#endif

template <class Way, class Value>
void run_as(std::span<const std::byte> input, std::span<std::byte> output) {
  const std::span<const Value> values(reinterpret_cast<const Value*>(input.data()),
                                      input.size() / sizeof(Value));
  const auto sum = static_cast<Value>(Way::run(values));
  std::memcpy(output.data(), &sum, sizeof sum);
}

struct SumRow {
  std::string_view name;
  void (*function)(std::span<const std::byte> input, std::span<std::byte> output);
};

// Buffers: values, sum, work.
template <class Way>
void run(std::string_view type, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> /*scalars*/) {
  static constexpr SumRow types[] = {{"int", run_as<Way, int>},
                                     {"long long", run_as<Way, long long>},
                                     {"float", run_as<Way, float>},
                                     {"double", run_as<Way, double>}};
  for (const auto& [name, function] : types) {
    if (name == type) function(buffers[0], buffers[1]);
  }
}

constexpr std::array kCpuSums{
    HostVersion{"cpu_one_thread", run<OneThread>},
    HostVersion{"cpu_threads", run<Threads>, true},
#ifdef _OPENMP
    HostVersion{"cpu_openmp", run<OpenMp>, true},
#endif
};

}  // namespace

std::span<const HostVersion> cpu_sums() {
  return kCpuSums;
}

}  // namespace warpmark::reduction
