// CUDA's mathematical functions that the C library lacks, in host code, as on the device.
#include <cmath>
#include <cstdlib>

struct Values {
  double values[10];
  float floats[4];
};

__host__ __device__ void compute(Values* out, double x, float y) {
  out->values[0] = rsqrt(x);
  out->values[1] = rcbrt(x);
  out->values[2] = sinpi(x);
  out->values[3] = cospi(x);
  out->values[4] = normcdf(x);
  out->values[5] = normcdfinv(x);
  out->values[6] = erfinv(x);
  out->values[7] = erfcx(x);
  out->values[8] = norm3d(x, 2 * x, 3 * x);
  sincospi(x, &out->values[9], &out->values[8]);
  out->floats[0] = rsqrtf(y);
  out->floats[1] = normcdff(y);
  out->floats[2] = rnorm3df(y, y, y);
  out->floats[3] = rhypotf(y, y);
}
__global__ void on_device(Values* out, double x, float y) {
  compute(out, x, y);
}

int main() {
  Values *device, here, there;
  cudaMalloc(&device, sizeof there);
  on_device<<<1, 1>>>(device, 0.3, 0.7f);
  cudaMemcpy(&there, device, sizeof there, cudaMemcpyDeviceToHost);
  cudaFree(device);
  compute(&here, 0.3, 0.7f);
  for (int i = 0; i < 10; ++i) {
    if (std::fabs(here.values[i] - there.values[i]) > 1e-12) abort();
  }
  for (int i = 0; i < 4; ++i) {
    if (std::fabs(here.floats[i] - there.floats[i]) > 1e-5f) abort();
  }
  if (std::fabs(here.values[0] * here.values[0] * 0.3 - 1) > 1e-12 || rsqrt(4) != 0.5) abort();
}
