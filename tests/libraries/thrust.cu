// thrust on the simulator's device: vectors whose memory kernels use, algorithms with device functions,
// copies.
#include <algorithm>
#include <list>
#include <numeric>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include "check.h"

template <typename T>
std::vector<T> on_host(const thrust::device_vector<T>& values) {
  std::vector<T> copy(values.size());
  thrust::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

__global__ void add_index(int* values, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) values[i] += i;
}

// For the device alone: no host could run it.
struct LaneOf {
  __device__ int operator()(int x) const {
    return x + static_cast<int>(__popc(static_cast<unsigned int>(x)));
  }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Bump {
  template <typename Tuple>
  __device__ void operator()(Tuple row) const {
    thrust::get<1>(row) = thrust::get<0>(row) * 10;
  }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void vectors() {
  thrust::host_vector<int> host(100, 3);
  thrust::device_vector<int> device = host;
  add_index<<<1, 128>>>(thrust::raw_pointer_cast(device.data()), 100);
  device[5] = 50;
  expect(device[5] == 50 && device[6] == 9, "elements by their index");
  expect(thrust::reduce(device.begin(), device.end()) == 300 + 99 * 50 - 8 + 50, "reduce after a kernel");
  device.resize(120, 7);
  device.push_back(1);
  expect(device.size() == 121 && device.back() == 1 && device[119] == 7, "a vector grows");
  host = device;
  expect(host[10] == 13 && host[119] == 7, "back to the host");
  const std::list<short> list{4, 5, 6};
  const thrust::device_vector<int> of_list(list.begin(), list.end());
  expect_equal(on_host(of_list), {4, 5, 6}, "from a list of another type");
  thrust::device_vector<int> copy(of_list);
  thrust::swap_ranges(copy.begin(), copy.begin() + 1, copy.begin() + 2);
  expect_equal(on_host(copy), {6, 5, 4}, "two elements change places");
  thrust::device_ptr<int> pointer = thrust::device_malloc<int>(10);
  thrust::sequence(pointer, pointer + 10);
  expect(thrust::reduce(pointer, pointer + 10) == 45, "device_malloc");
  thrust::device_free(pointer);
  int* raw = nullptr;
  cudaMalloc(&raw, 40);
  thrust::fill(thrust::device, raw, raw + 10, 4);
  expect(thrust::reduce(thrust::device_pointer_cast(raw), thrust::device_pointer_cast(raw) + 10) == 40,
         "memory of cudaMalloc");
  cudaFree(raw);
}

void transforms(int n) {
  const auto host = numbers<int>(n, 100);
  const thrust::device_vector<int> in(host.begin(), host.end());
  thrust::device_vector<int> out(n);
  std::vector<int> wanted(host.size());
  thrust::transform(in.begin(), in.end(), out.begin(), LaneOf());
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = host[i] + __builtin_popcount(static_cast<unsigned int>(host[i]));
  expect_equal(on_host(out), wanted, "transform by a device function");
  const int factor = 3;
  thrust::transform(in.begin(), in.end(), out.begin(), [=] __device__(int x) { return factor * x; });
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = factor * host[i];
  expect_equal(on_host(out), wanted, "transform by a device lambda");
  thrust::device_vector<float> x(n, 2.f);
  thrust::device_vector<float> y(n, 1.f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{3});
  expect(thrust::reduce(y.begin(), y.end()) == 7.f * static_cast<float>(n), "saxpy");
  expect(thrust::transform_reduce(in.begin(), in.end(), thrust::square<int>(), 0, thrust::plus<int>()) ==
             std::inner_product(host.begin(), host.end(), host.begin(), 0),
         "transform_reduce");
  expect(thrust::inner_product(in.begin(), in.end(), in.begin(), 5) ==
             std::inner_product(host.begin(), host.end(), host.begin(), 5),
         "inner_product");
  expect(thrust::count_if(in.begin(), in.end(), IsOdd()) == std::count_if(host.begin(), host.end(), IsOdd()),
         "count_if");
  expect(thrust::max_element(in.begin(), in.end()) - in.begin() ==
             std::max_element(host.begin(), host.end()) - host.begin(),
         "max_element");
  expect(thrust::find(in.begin(), in.end(), host.back()) - in.begin() ==
             std::find(host.begin(), host.end(), host.back()) - host.begin(),
         "find");
  expect(thrust::any_of(in.begin(), in.end(), IsOdd()) == std::any_of(host.begin(), host.end(), IsOdd()),
         "any_of");
  thrust::device_vector<int> tens(n);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(in.begin(), tens.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(in.end(), tens.end())), Bump());
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = 10 * host[i];
  expect_equal(on_host(tens), wanted, "for_each over zipped rows");
  thrust::tabulate(out.begin(), out.end(), thrust::negate<int>());
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = -static_cast<int>(i);
  expect_equal(on_host(out), wanted, "tabulate");
  thrust::reverse(out.begin(), out.end());
  thrust::adjacent_difference(in.begin(), in.end(), out.begin());
  std::adjacent_difference(host.begin(), host.end(), wanted.begin());
  expect_equal(on_host(out), wanted, "adjacent_difference");
  expect(thrust::reduce(thrust::make_counting_iterator(1), thrust::make_counting_iterator(101)) == 5050,
         "a sum of numbers that lie nowhere");
}

void scans_and_sorts(int n) {
  const auto host = numbers<int>(n, 50);
  const thrust::device_vector<int> in(host.begin(), host.end());
  thrust::device_vector<int> out(n);
  std::vector<int> wanted(host.size());
  thrust::inclusive_scan(in.begin(), in.end(), out.begin());
  std::inclusive_scan(host.begin(), host.end(), wanted.begin());
  expect_equal(on_host(out), wanted, "inclusive_scan");
  thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 4);
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), 4);
  expect_equal(on_host(out), wanted, "exclusive_scan");

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  out = in;
  thrust::sort(thrust::cuda::par.on(stream), out.begin(), out.end(), thrust::greater<int>());
  wanted = host;
  std::sort(wanted.rbegin(), wanted.rend());
  expect_equal(on_host(out), wanted, "sort on a stream, downwards");
  cudaStreamDestroy(stream);
  thrust::device_vector<int> positions(n);
  thrust::sequence(positions.begin(), positions.end());
  out = in;
  thrust::stable_sort_by_key(out.begin(), out.end(), positions.begin());
  std::vector<int> order(host.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return host[size_t(a)] < host[size_t(b)]; });
  expect_equal(on_host(positions), order, "stable_sort_by_key");

  thrust::device_vector<int> keys(n);
  thrust::device_vector<int> sums(n);
  const auto ends = thrust::reduce_by_key(out.begin(), out.end(), thrust::make_constant_iterator(1),
                                          keys.begin(), sums.begin());
  const auto runs = ends.first - keys.begin();
  std::vector<int> unique = wanted;
  std::reverse(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  keys.resize(runs);
  expect_equal(on_host(keys), unique, "reduce_by_key");
  expect(thrust::reduce(sums.begin(), sums.begin() + runs) == n, "lengths of runs");
  expect(thrust::unique(out.begin(), out.end()) - out.begin() == runs, "unique");
  thrust::device_vector<int> kept(std::vector<int>{1, 1, 2, 3, 3, 3});
  thrust::device_vector<int> beside(std::vector<int>{10, 11, 12, 13, 14, 15});
  const auto rests = thrust::unique_by_key(kept.begin(), kept.end(), beside.begin());
  kept.erase(rests.first, kept.end());
  beside.erase(rests.second, beside.end());
  expect_equal(on_host(kept), {1, 2, 3}, "unique_by_key");
  expect_equal(on_host(beside), {10, 12, 13}, "values of unique_by_key");
  thrust::device_vector<int> found(3);
  const thrust::device_vector<int> asked(std::vector<int>{-100, unique[0], 100});
  thrust::lower_bound(keys.begin(), keys.end(), asked.begin(), asked.end(), found.begin());
  expect_equal(on_host(found), {0, 0, static_cast<int>(runs)}, "lower_bound");

  out = in;
  const auto last = thrust::remove_if(out.begin(), out.end(), IsOdd());
  std::vector<int> even;
  std::remove_copy_if(host.begin(), host.end(), std::back_inserter(even), IsOdd());
  out.erase(last, out.end());
  expect_equal(on_host(out), even, "remove_if");
  out = in;
  const auto middle = thrust::stable_partition(out.begin(), out.end(), IsOdd());
  expect(middle - out.begin() == n - static_cast<int>(even.size()), "partition");
}

void sequences() {
  const thrust::device_vector<int> a(std::vector<int>{1, 2, 2, 4, 7});
  const thrust::device_vector<int> b(std::vector<int>{2, 3, 4, 4, 9, 10});
  const auto check = [](thrust::device_vector<int>& out, auto end, const std::vector<int>& wanted,
                        const char* what) {
    out.erase(end, out.end());
    expect_equal(on_host(out), wanted, what);
    out.resize(20);
  };
  thrust::device_vector<int> out(20);
  check(out, thrust::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin()),
        {1, 2, 2, 2, 3, 4, 4, 4, 7, 9, 10}, "merge");
  check(out, thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin()), {2, 4},
        "intersection");
  check(out, thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin()),
        {1, 2, 2, 3, 4, 4, 7, 9, 10}, "union");
  check(out, thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin()), {1, 2, 7},
        "difference");
  check(out, thrust::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin()),
        {1, 2, 3, 4, 7, 9, 10}, "symmetric difference");
  const thrust::device_vector<int> map(std::vector<int>{4, 0, 2});
  check(out, thrust::gather(map.begin(), map.end(), a.begin(), out.begin()), {7, 1, 2}, "gather");
  thrust::fill(out.begin(), out.end(), 0);
  thrust::scatter(map.begin(), map.end(), map.begin(), out.begin());
  expect(out[4] == 4 && out[0] == 0 && out[2] == 2, "scatter");
  expect(thrust::reduce(thrust::make_permutation_iterator(a.begin(), map.begin()),
                        thrust::make_permutation_iterator(a.begin(), map.end())) == 10,
         "a permutation");
  thrust::host_vector<int> on_cpu(a.begin(), a.end());
  thrust::sort(on_cpu.begin(), on_cpu.end(), ByLastDigit());
  expect(thrust::reduce(on_cpu.begin(), on_cpu.end()) == 16, "the host's vectors stay with the host");
}

int main() {
  vectors();
  transforms(300);
  scans_and_sorts(200);
  sequences();
  return result();
}
