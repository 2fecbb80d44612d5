// thrust on the simulator's device: vectors whose memory kernels use, merging and sets, gathering.
#include <list>

#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>

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
  sequences();
  return result();
}
