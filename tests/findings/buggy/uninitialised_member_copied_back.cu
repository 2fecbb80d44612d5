// Kernels that forget a member of their structures: no padding, for nothing there is aligned to more than the
// member's own bytes, and where something is, other elements have it set.
#include <cstdio>

struct Point {
  float x, y, z, weight;
};

struct Interval {
  double begin, middle, end;
};

struct Particle {
  double mass;
  int kind;
  int alive;
};

__global__ void place(Point* points) {
  Point& mine = points[blockIdx.x * blockDim.x + threadIdx.x];
  mine.x = threadIdx.x;
  mine.y = blockIdx.x;
  mine.z = 0;
}

__global__ void divide(Interval* intervals) {
  intervals[threadIdx.x].begin = threadIdx.x;
  intervals[threadIdx.x].end = threadIdx.x + 1;
}

__global__ void scatter(Particle* particles) {
  Particle& mine = particles[blockIdx.x * blockDim.x + threadIdx.x];
  mine.mass = 1;
  mine.kind = threadIdx.x % 3;
  if (threadIdx.x % 3 != 0 || blockIdx.x != 1) mine.alive = 1;
}

__global__ void sum_up(Point* sum) {
  sum->x = 1;
  sum->y = 2;
  sum->weight = 3;
}

int main() {
  static Point points[128];
  static Interval intervals[32];
  static Particle particles[128];
  Point sum;
  Point* points_there;
  Interval* intervals_there;
  Particle* particles_there;
  Point* sum_there;
  cudaMalloc(&points_there, sizeof points);
  cudaMalloc(&intervals_there, sizeof intervals);
  cudaMalloc(&particles_there, sizeof particles);
  cudaMalloc(&sum_there, sizeof sum);
  place<<<4, 32>>>(points_there);
  divide<<<1, 32>>>(intervals_there);
  scatter<<<4, 32>>>(particles_there);
  sum_up<<<1, 1>>>(sum_there);
  // EXPECT-NEXT(uninitialised_read)
  cudaMemcpy(points, points_there, sizeof points, cudaMemcpyDeviceToHost);
  // EXPECT-NEXT(uninitialised_read)
  cudaMemcpy(intervals, intervals_there, sizeof intervals, cudaMemcpyDeviceToHost);
  // EXPECT-NEXT(uninitialised_read)
  cudaMemcpy(particles, particles_there, sizeof particles, cudaMemcpyDeviceToHost);
  // EXPECT-NEXT(uninitialised_read)
  cudaMemcpy(&sum, sum_there, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %g\n", points[5].x, intervals[5].end, particles[5].mass, sum.x);
  cudaFree(points_there);
  cudaFree(intervals_there);
  cudaFree(particles_there);
  cudaFree(sum_there);
  return cudaGetLastError();
}
