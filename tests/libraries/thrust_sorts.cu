// thrust on the simulator's device: scans, sorts, runs of equal keys, what removes and parts.
#include <algorithm>
#include <numeric>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include "check.h"

template <typename T>
std::vector<T> on_host(const thrust::device_vector<T>& values) {
  std::vector<T> copy(values.size());
  thrust::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

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

int main() {
  scans_and_sorts(200);
  return result();
}
