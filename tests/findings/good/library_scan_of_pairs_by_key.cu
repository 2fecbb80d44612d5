// Tuples have padding, which a library may copy byte by byte.
#include <cstdio>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/tuple.h>

// The lightest edge of each node so far.
int main() {
  constexpr int n = 100;
  std::vector<unsigned> keys(n);
  std::vector<unsigned> edges(n);
  std::vector<float> weights(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = static_cast<unsigned>(i / 7);
    edges[i] = static_cast<unsigned>(i);
    weights[i] = static_cast<float>(i * 37 % 101);
  }
  const thrust::device_vector<unsigned> nodes = keys;
  const thrust::device_vector<unsigned> ids = edges;
  const thrust::device_vector<float> lengths = weights;
  thrust::device_vector<unsigned> best(n);
  thrust::device_vector<float> least(n);
  thrust::inclusive_scan_by_key(
      nodes.begin(), nodes.end(), thrust::make_zip_iterator(thrust::make_tuple(lengths.begin(), ids.begin())),
      thrust::make_zip_iterator(thrust::make_tuple(least.begin(), best.begin())),
      thrust::equal_to<unsigned>(), thrust::minimum<thrust::tuple<float, unsigned>>());
  double sum = 0;
  for (int i = 6; i < n; i += 7) sum += least[i];
  std::printf("%g\n", sum);
}
