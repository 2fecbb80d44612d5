// Memory seen as arrays of two and three dimensions, by rows and by columns, in kernels and in host code.
#include <cstdio>
#include <cuda/std/mdspan>

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/tabulate.h>
#include <thrust/universal_vector.h>

using Grid = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;

__global__ void stretch(Grid from,
                        cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_left> to) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < from.extent(0) && column < from.extent(1)) to(row, column) = 2 * from(row, column);
}

struct Particle {
  float x, y;
  cuda::std::pair<float, float> velocity;
};

int main() {
  const int height = 20, width = 50;
  thrust::universal_vector<float> from(height * width), to(height * width);
  thrust::tabulate(thrust::device, from.begin(), from.end(),
                   [] __host__ __device__(int i) { return float(i); });
  const Grid rows(thrust::raw_pointer_cast(from.data()), height, width);
  const cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_left> columns(
      thrust::raw_pointer_cast(to.data()), height, width);
  stretch<<<dim3(4, 2), dim3(16, 16)>>>(rows, columns);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; ++j) wrong += to[j * height + i] != 2.0f * float(i * width + j);
  }
  cuda::std::mdspan cube(thrust::raw_pointer_cast(from.data()), 2, 10, 50);
  wrong += cube.rank() != 3 || cube.size() != 1000 || cube.stride(0) != 500 || cube(1, 2, 3) != 603.0f;
  wrong += cube[cuda::std::array<int, 3>{1, 0, 1}] != 501.0f;
  int fixed[6] = {1, 2, 3, 4, 5, 6};
  const cuda::std::mdspan<int, cuda::std::extents<int, 2, 3>> small(fixed);
  const cuda::std::mdspan<int, cuda::std::extents<int, 2, cuda::std::dynamic_extent>> half(fixed, 3);
  wrong += small(1, 2) != 6 || half(1, 0) != 4 || half.rank_dynamic() != 1 || small.extent(1) != 3;
  const cuda::std::layout_stride::mapping<cuda::std::dextents<int, 1>> every_other(
      cuda::std::dextents<int, 1>(3), cuda::std::array<int, 1>{2});
  const cuda::std::mdspan<int, cuda::std::dextents<int, 1>, cuda::std::layout_stride> odd(fixed, every_other);
  wrong += odd(2) != 5 || odd[1] != 3;

  thrust::universal_vector<Particle> particles{{0, 0, {1, 2}}, {5, 5, {-1, -2}}};
  Particle* const first = thrust::raw_pointer_cast(particles.data());
  thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(2),
                   [=] __host__ __device__(int i) {
                     Particle particle = first[i];
                     particle.x += particle.velocity.first;
                     particle.velocity = cuda::std::make_pair(particle.velocity.second, 0.0f);
                     first[i] = particle;
                   });
  wrong += first[0].x != 1 || first[1].x != 4 || first[1].velocity.first != -2;
  particles = {{9, 9, {0, 0}}};
  wrong += particles.size() != 1;
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
