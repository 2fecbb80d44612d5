// What thrust's headers bring along under nvcc: iterators, policies and extremes that no header here names.
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

struct Scatter {
  __host__ __device__ int operator()(int i) const { return (i * 37) % 1000; }
};

struct Product {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

int main() {
  thrust::device_vector<int> values(1000);
  const auto indices = thrust::make_counting_iterator(0);
  thrust::transform(thrust::device, indices, indices + 1000, values.begin(), Scatter{});
  thrust::sort(values.begin(), values.end());
  const auto greatest = thrust::max_element(values.begin(), values.end());
  const auto twos = thrust::make_constant_iterator(2);
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), twos));
  const int sum = thrust::transform_reduce(pairs, pairs + 1000, Product{}, 0, thrust::plus<int>());
  std::printf("%d %d\n", static_cast<int>(*greatest), sum);
  return sum == 999000 && *greatest == 999 ? 0 : 1;
}
