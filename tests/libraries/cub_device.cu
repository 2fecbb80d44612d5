// CUB's device algorithms against plain loops.
#include <algorithm>
#include <cub/cub.cuh>
#include <functional>
#include <limits>
#include <numeric>

#include "check.h"

template <typename Call>
void with_memory(const char* what, const Call& call) {
  size_t bytes = 0;
  expect(call(nullptr, bytes) == cudaSuccess && bytes > 0, what);
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  expect(call(memory, bytes) == cudaSuccess, what);
  cudaFree(memory);
}

struct Larger {
  int bound;
  __device__ bool operator()(int value) const { return value > bound; }
};
struct Square {
  __host__ __device__ long long operator()(int value) const { return 1ll * value * value; }
};
// Neither commutative nor anything else but associative.
struct Compose {
  __host__ __device__ int2 operator()(int2 a, int2 b) const {
    return {a.x * b.x % 97, (a.y * b.x + b.y) % 97};
  }
};
struct ByLastDigit {
  __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct Double {
  int* values;
  __device__ void operator()(int i) const { values[i] *= 2; }
};

void reductions(int n) {
  const auto host = numbers<int>(n, 1000);
  Device<int> in(host);
  Device<int> one(size_t{1});
  with_memory("Sum",
              [&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, in.get(), one.get(), n); });
  expect(one.value() == std::accumulate(host.begin(), host.end(), 0), "the sum");
  with_memory("Min",
              [&](void* m, size_t& b) { return cub::DeviceReduce::Min(m, b, in.get(), one.get(), n); });
  expect(one.value() == (n ? *std::min_element(host.begin(), host.end()) : INT_MAX), "the least");
  with_memory("Max",
              [&](void* m, size_t& b) { return cub::DeviceReduce::Max(m, b, in.get(), one.get(), n); });
  expect(one.value() == (n ? *std::max_element(host.begin(), host.end()) : INT_MIN), "the largest");
  Device<cub::KeyValuePair<int, int>> pair(size_t{1});
  with_memory("ArgMin",
              [&](void* m, size_t& b) { return cub::DeviceReduce::ArgMin(m, b, in.get(), pair.get(), n); });
  expect(pair.value().key == (n ? std::min_element(host.begin(), host.end()) - host.begin() : 1),
         "its place");
  with_memory("ArgMax",
              [&](void* m, size_t& b) { return cub::DeviceReduce::ArgMax(m, b, in.get(), pair.get(), n); });
  expect(pair.value().key == (n ? std::max_element(host.begin(), host.end()) - host.begin() : 1),
         "the place of the largest");
  Device<long long> wide(size_t{1});
  cub::TransformInputIterator<long long, Square, const int*> squares(in.get(), Square());
  with_memory("Reduce", [&](void* m, size_t& b) {
    return cub::DeviceReduce::Reduce(m, b, squares, wide.get(), n, cub::Sum(), 7ll);
  });
  long long sum = 7;
  for (const int value : host) sum += 1ll * value * value;
  expect(wide.value() == sum, "the sum of squares from 7");
  with_memory("TransformReduce", [&](void* m, size_t& b) {
    return cub::DeviceReduce::TransformReduce(m, b, in.get(), wide.get(), n, cub::Sum(), Square(), 7ll);
  });
  expect(wide.value() == sum, "the transformed sum");
  cub::CountingInputIterator<int> counting(3);
  with_memory("of a counter",
              [&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, counting, one.get(), n); });
  expect(one.value() == n * (n - 1) / 2 + 3 * n, "the sum of a counter");
}

void scans(int n) {
  const auto host = numbers<int>(n, 100);
  Device<int> in(host);
  Device<int> out(static_cast<size_t>(n));
  std::vector<int> wanted(host.size());
  with_memory("InclusiveSum", [&](void* m, size_t& b) {
    return cub::DeviceScan::InclusiveSum(m, b, in.get(), out.get(), n);
  });
  std::inclusive_scan(host.begin(), host.end(), wanted.begin());
  expect_equal(out.values(), wanted, "InclusiveSum");
  with_memory("ExclusiveSum", [&](void* m, size_t& b) {
    return cub::DeviceScan::ExclusiveSum(m, b, in.get(), out.get(), n);
  });
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), 0);
  expect_equal(out.values(), wanted, "ExclusiveSum");
  with_memory("ExclusiveScan", [&](void* m, size_t& b) {
    return cub::DeviceScan::ExclusiveScan(m, b, in.get(), out.get(), cub::Max(), -5, n);
  });
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), -5,
                      [](int a, int b) { return std::max(a, b); });
  expect_equal(out.values(), wanted, "ExclusiveScan");

  std::vector<int2> maps(host.size());
  for (size_t i = 0; i < maps.size(); ++i) maps[i] = {std::abs(host[i]) % 97, static_cast<int>(i % 97)};
  Device<int2> functions(maps);
  with_memory("in place", [&](void* m, size_t& b) {
    return cub::DeviceScan::InclusiveScan(m, b, functions.get(), functions.get(), Compose(), n);
  });
  const auto composed = functions.values();
  int2 sum{1, 0};
  bool right = true;
  for (size_t i = 0; i < maps.size(); ++i) {
    sum = i == 0 ? maps[0] : Compose()(sum, maps[i]);
    right = right && composed[i].x == sum.x && composed[i].y == sum.y;
  }
  expect(right, "a scan by an operation that does not commute, in place");

  std::vector<int> keys(host.size());
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 7 % 3);
  Device<int> groups(keys);
  with_memory("InclusiveSumByKey", [&](void* m, size_t& b) {
    return cub::DeviceScan::InclusiveSumByKey(m, b, groups.get(), in.get(), out.get(), n);
  });
  for (size_t i = 0; i < keys.size(); ++i)
    wanted[i] = host[i] + (i > 0 && keys[i] == keys[i - 1] ? wanted[i - 1] : 0);
  expect_equal(out.values(), wanted, "InclusiveSumByKey");
  with_memory("ExclusiveSumByKey", [&](void* m, size_t& b) {
    return cub::DeviceScan::ExclusiveSumByKey(m, b, groups.get(), in.get(), out.get(), n);
  });
  for (size_t i = 0; i < keys.size(); ++i) wanted[i] -= host[i];
  expect_equal(out.values(), wanted, "ExclusiveSumByKey");
}

template <typename Key>
void sorts_of(int n, int begin_bit, int end_bit) {
  const auto host = numbers<Key>(n, n / 2 + 2);
  std::vector<int> positions(host.size());
  std::iota(positions.begin(), positions.end(), 0);
  Device<Key> keys(host);
  Device<Key> keys_out(host.size());
  Device<int> values(positions);
  Device<int> values_out(host.size());
  const bool all_bits = begin_bit == 0;
  auto before = [&](int a, int b) {
    if (all_bits) return host[size_t(a)] < host[size_t(b)];
    const auto mask = (1ll << (end_bit - begin_bit)) - 1;
    return ((static_cast<long long>(host[size_t(a)]) >> begin_bit) & mask) <
           ((static_cast<long long>(host[size_t(b)]) >> begin_bit) & mask);
  };
  auto order = positions;
  std::stable_sort(order.begin(), order.end(), before);
  with_memory("SortPairs", [&](void* m, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(m, b, keys.get(), keys_out.get(), values.get(), values_out.get(),
                                           n, begin_bit, end_bit);
  });
  expect_equal(values_out.values(), order, "SortPairs");
  order = positions;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return before(b, a); });
  with_memory("SortPairsDescending", [&](void* m, size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(m, b, keys.get(), keys_out.get(), values.get(),
                                                     values_out.get(), n, begin_bit, end_bit);
  });
  expect_equal(values_out.values(), order, "SortPairsDescending");
  expect_equal(keys.values(), host, "what was sorted stays");
  if (!all_bits) return;
  auto sorted = host;
  std::sort(sorted.begin(), sorted.end());
  cub::DoubleBuffer<Key> buffer(keys.get(), keys_out.get());
  with_memory("SortKeys",
              [&](void* m, size_t& b) { return cub::DeviceRadixSort::SortKeys(m, b, buffer, n); });
  std::vector<Key> result(host.size());
  cudaMemcpy(result.data(), buffer.Current(), result.size() * sizeof(Key), cudaMemcpyDeviceToHost);
  expect_equal(result, sorted, "SortKeys in a DoubleBuffer");
}

void other_sorts(int n) {
  const auto host = numbers<int>(n, 500);
  std::vector<int> positive;
  for (const int value : host) positive.push_back(std::abs(value));
  Device<int> keys(positive);
  with_memory("StableSortKeys", [&](void* m, size_t& b) {
    return cub::DeviceMergeSort::StableSortKeys(m, b, keys.get(), n, ByLastDigit());
  });
  std::stable_sort(positive.begin(), positive.end(), [](int a, int b) { return a % 10 < b % 10; });
  expect_equal(keys.values(), positive, "StableSortKeys");

  const std::vector<int> offsets{0, n / 3, n / 3, n / 2, n};
  Device<int> at(offsets);
  Device<int> in(host);
  Device<int> out(static_cast<size_t>(n));
  with_memory("segments", [&](void* m, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortKeys(m, b, in.get(), out.get(), n, 4, at.get(), at.get() + 1);
  });
  auto wanted = host;
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    std::sort(wanted.begin() + offsets[s], wanted.begin() + offsets[s + 1]);
  expect_equal(out.values(), wanted, "sorted segments");
  Device<int> sums(size_t{4});
  with_memory("segmented sum", [&](void* m, size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(m, b, in.get(), sums.get(), 4, at.get(), at.get() + 1);
  });
  std::vector<int> of_segments;
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    of_segments.push_back(std::accumulate(host.begin() + offsets[s], host.begin() + offsets[s + 1], 0));
  expect_equal(sums.values(), of_segments, "sums of segments");
  Device<cub::KeyValuePair<int, int>> places(size_t{4});
  with_memory("segmented ArgMax", [&](void* m, size_t& b) {
    return cub::DeviceSegmentedReduce::ArgMax(m, b, in.get(), places.get(), 4, at.get(), at.get() + 1);
  });
  const auto pairs = places.values();
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto begin = host.begin() + offsets[s];
    const auto end = host.begin() + offsets[s + 1];
    expect(pairs[s].key == (begin == end ? 1 : std::max_element(begin, end) - begin), "places in segments");
  }
}

void choices(int n) {
  const auto host = numbers<int>(n, 4);
  Device<int> in(host);
  Device<int> out(static_cast<size_t>(n));
  Device<int> other(static_cast<size_t>(n));
  Device<int> count(size_t{1});
  std::vector<int> wanted;
  std::copy_if(host.begin(), host.end(), std::back_inserter(wanted), [](int v) { return v > 0; });
  with_memory("If", [&](void* m, size_t& b) {
    return cub::DeviceSelect::If(m, b, in.get(), out.get(), count.get(), n, Larger{0});
  });
  expect_equal(out.values(static_cast<size_t>(count.value())), wanted, "If");
  with_memory("partition", [&](void* m, size_t& b) {
    return cub::DevicePartition::If(m, b, in.get(), out.get(), count.get(), n, Larger{0});
  });
  expect(count.value() == static_cast<int>(wanted.size()), "the partition's count");
  std::vector<int> rest;
  std::copy_if(host.begin(), host.end(), std::back_inserter(rest), [](int v) { return v <= 0; });
  wanted.insert(wanted.end(), rest.rbegin(), rest.rend());
  expect_equal(out.values(), wanted, "partition");
  std::vector<char> flags(host.size());
  for (size_t i = 0; i < flags.size(); ++i) flags[i] = i % 3 == 0;
  Device<char> marks(flags);
  with_memory("Flagged", [&](void* m, size_t& b) {
    return cub::DeviceSelect::Flagged(m, b, in.get(), marks.get(), out.get(), count.get(), n);
  });
  wanted.clear();
  for (size_t i = 0; i < flags.size(); i += 3) wanted.push_back(host[i]);
  expect_equal(out.values(static_cast<size_t>(count.value())), wanted, "Flagged");
  with_memory("Unique", [&](void* m, size_t& b) {
    return cub::DeviceSelect::Unique(m, b, in.get(), out.get(), count.get(), n);
  });
  wanted.clear();
  std::unique_copy(host.begin(), host.end(), std::back_inserter(wanted));
  expect_equal(out.values(static_cast<size_t>(count.value())), wanted, "Unique");
  with_memory("Encode", [&](void* m, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(m, b, in.get(), out.get(), other.get(), count.get(), n);
  });
  expect_equal(out.values(static_cast<size_t>(count.value())), wanted, "values of runs");
  const auto lengths = other.values(wanted.size());
  expect(std::accumulate(lengths.begin(), lengths.end(), 0) == n, "lengths of runs");
  Device<int> ones(std::vector<int>(host.size(), 1));
  with_memory("ReduceByKey", [&](void* m, size_t& b) {
    return cub::DeviceReduce::ReduceByKey(m, b, in.get(), out.get(), ones.get(), other.get(), count.get(),
                                          cub::Sum(), n);
  });
  expect_equal(other.values(wanted.size()), lengths, "ReduceByKey");
}

void histograms(int n) {
  const auto host = numbers<float>(n, 60);
  Device<float> samples(host);
  Device<int> counts(size_t{10});
  with_memory("HistogramEven", [&](void* m, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(m, b, samples.get(), counts.get(), 11, -50.f, 50.f, n);
  });
  std::vector<int> wanted(10);
  for (const float value : host) {
    if (value >= -50 && value < 50) ++wanted[static_cast<size_t>((value + 50) / 10)];
  }
  expect_equal(counts.values(), wanted, "HistogramEven");
  Device<float> levels(std::vector<float>{-60, -1, 0, 30, 100});
  with_memory("HistogramRange", [&](void* m, size_t& b) {
    return cub::DeviceHistogram::HistogramRange(m, b, samples.get(), counts.get(), 5, levels.get(), n);
  });
  wanted.assign(4, 0);
  for (const float value : host) ++wanted[value < -1 ? 0 : value < 0 ? 1 : value < 30 ? 2 : 3];
  expect_equal(counts.values(4), wanted, "HistogramRange");
}

// Operations that are functions of the device alone, as templates and as one function that changes nothing.
struct Less {
  template <typename T>
  __device__ __forceinline__ T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Added {
  __device__ int operator()(int a, int b) { return a + b; }
};
struct Forwarded {
  template <typename T, typename U>
  __device__ auto operator()(T&& a, U&& b) const -> decltype(std::forward<T>(a) + std::forward<U>(b)) {
    return std::forward<T>(a) + std::forward<U>(b);
  }
};

void operations_of_the_device(int n) {
  const auto host = numbers<int>(n, 1000);
  Device<int> in(host);
  Device<int> one(size_t{1});
  Device<int> out(host.size());
  with_memory("Reduce on the device", [&](void* memory, size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, in.get(), one.get(), n, Less{}, 5000);
  });
  expect_equal(one.values(), {*std::min_element(host.begin(), host.end())}, "Reduce on the device");
  std::vector<int> wanted(host.size());
  with_memory("InclusiveScan on the device", [&](void* memory, size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(memory, bytes, in.get(), out.get(), Added{}, n);
  });
  std::partial_sum(host.begin(), host.end(), wanted.begin());
  expect_equal(out.values(), wanted, "InclusiveScan on the device");
  with_memory("ExclusiveScan on the device", [&](void* memory, size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, in.get(), out.get(), Forwarded{}, 7, n);
  });
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), 7);
  expect_equal(out.values(), wanted, "ExclusiveScan on the device");
  // Iterators that cub.cuh brings along.
  with_memory("Sum of an iterator", [&](void* memory, size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, thrust::counting_iterator<int>(1), one.get(), n);
  });
  expect_equal(one.values(), {n * (n + 1) / 2}, "Sum of an iterator");
}

// The bits of keys as unsigned numbers of the same order, and back.
template <typename T>
__global__ void twiddle(const T* keys, bool* right, int n) {
  using Traits = cub::Traits<T>;
  using Bits = typename Traits::UnsignedBits;
  static_assert(sizeof(Bits) == sizeof(T), "bits of a key");
  const int i = threadIdx.x;
  if (i + 1 >= n) return;
  Bits these;
  Bits next;
  memcpy(&these, keys + i, sizeof(T));
  memcpy(&next, keys + i + 1, sizeof(T));
  right[i] = Traits::TwiddleIn(these) < Traits::TwiddleIn(next) &&
             Traits::TwiddleOut(Traits::TwiddleIn(these)) == these &&
             Traits::TwiddleIn(Traits::MAX_KEY) >= Traits::TwiddleIn(next) &&
             Traits::TwiddleIn(Traits::LOWEST_KEY) <= Traits::TwiddleIn(these);
}
template <typename T>
void orders_of_keys(const std::vector<T>& ascending) {
  Device<T> keys(ascending);
  const int n = static_cast<int>(ascending.size());
  Device<bool> right(ascending.size() - 1);
  twiddle<<<1, 32>>>(keys.get(), right.get(), n);
  bool all[32] = {};
  cudaMemcpy(all, right.get(), ascending.size() - 1, cudaMemcpyDeviceToHost);
  expect(std::all_of(all, all + n - 1, [](bool each) { return each; }), "the order of keys");
}

int main() {
  orders_of_keys<int>({INT_MIN, -5, -1, 0, 3, INT_MAX});
  orders_of_keys<unsigned char>({0, 1, 127, 128, 255});
  orders_of_keys<long long>({-(1ll << 40), -1, 0, 1ll << 50});
  orders_of_keys<float>({-1e30F, -2, -1, 0, 1e-20F, 7, 1e30F});
  orders_of_keys<double>({-1e300, -0.5, 0, 0.25, 1e300});
  operations_of_the_device(700);
  for (const int n : {0, 1, 5, 16, 17, 300, 5000}) reductions(n);
  for (const int n : {1, 16, 33, 700}) scans(n);
  for (const int n : {1, 8, 9, 100, 700}) {
    sorts_of<int>(n, 0, 32);
    sorts_of<unsigned char>(n, 0, 8);
    sorts_of<float>(n, 0, 32);
    sorts_of<double>(n, 0, 64);
    sorts_of<unsigned int>(n, 2, 5);
  }
  other_sorts(500);
  choices(1);
  choices(400);
  histograms(500);
  Device<int> doubled(std::vector<int>{1, 2, 3});
  expect(cub::DeviceFor::Bulk(3, Double{doubled.get()}) == cudaSuccess, "Bulk");
  expect_equal(doubled.values(), {2, 4, 6}, "Bulk");
  size_t too_few = 1;
  int place = 0;
  expect(cub::DeviceReduce::Sum(&place, too_few, doubled.get(), doubled.get(), 1000) == cudaErrorInvalidValue,
         "memory that is too small");
  return result();
}
