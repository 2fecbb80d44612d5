// thrust on the simulator's device: algorithms with functions of the program's, for the device alone or not.
#include <algorithm>
#include <numeric>

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "check.h"

template <typename T>
std::vector<T> on_host(const thrust::device_vector<T>& values) {
  std::vector<T> copy(values.size());
  thrust::copy(values.begin(), values.end(), copy.begin());
  return copy;
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

// What a function gets of device memory are plain references, in a tuple as well.
struct AddTo {
  __device__ void operator()(thrust::tuple<int&, const int&> pair) const {
    thrust::get<0>(pair) += thrust::get<1>(pair);
  }
};
struct Less {
  __device__ int operator()(thrust::tuple<int&, int&> pair) const {
    return thrust::get<0>(pair) - thrust::get<1>(pair);
  }
};
void tuples_of_references(int count) {
  std::vector<int> a(size_t(count), 3), b(size_t(count), 4), sum(size_t(count), 7), less(size_t(count), 3);
  thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end()), z(a.begin(), a.end());
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  thrust::for_each(pairs, pairs + count, AddTo());
  thrust::transform(pairs, pairs + count, z.begin(), Less());
  thrust::copy(x.begin(), x.end(), a.begin());
  thrust::copy(z.begin(), z.end(), b.begin());
  expect_equal(a, sum, "for_each of tuples");
  expect_equal(b, less, "transform of tuples");
}

int main() {
  tuples_of_references(100);
  transforms(300);
  return result();
}
