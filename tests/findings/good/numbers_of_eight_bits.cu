// Numbers of 8 bits: what they round to, on the device and in host code, and back.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_fp8.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::exit(2)

// Each value's bits in both kinds; what they stand for.
__global__ void narrow(const float* values, unsigned char* small, unsigned char* wide, float* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_fp8_e4m3 first(values[i]);
  const __nv_fp8_e5m2 second(values[i]);
  small[i] = first.__x;
  wide[i] = second.__x;
  back[i] = static_cast<float>(first) + static_cast<float>(second);
}

__global__ void four_at_once(const float4* values, __nv_fp8x4_e4m3* narrow, float4* back) {
  narrow[threadIdx.x] = __nv_fp8x4_e4m3(values[threadIdx.x]);
  back[threadIdx.x] = static_cast<float4>(narrow[threadIdx.x]);
}

// Of what many numbers round to, and of what all of these bits stand for.
unsigned long long digest_of(__nv_fp8_interpretation_t kind) {
  unsigned long long digest = 14695981039346656037ull;
  const auto add = [&](unsigned int bits) { digest = (digest ^ bits) * 1099511628211ull; };
  for (unsigned long long pattern = 0; pattern < 1ull << 32; pattern += 9973) {
    const unsigned int bits = static_cast<unsigned int>(pattern);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    add(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, kind));
    add(__nv_cvt_float_to_fp8(value, __NV_NOSAT, kind));
  }
  for (unsigned int bits = 0; bits < 256; ++bits)
    add(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), kind).x);
  return digest;
}

struct Case {
  float value;
  unsigned char small, wide;
  float back;
};

int main() {
  // 1 + 4 bits + 3 bits: from 2^-9 to 448. 1 + 5 bits + 2 bits: from 2^-16 to 57344.
  const std::vector<Case> cases{{0.0f, 0x00, 0x00, 0.0f},
                                {1.0f, 0x38, 0x3c, 2.0f},
                                {-1.0f, 0xb8, 0xbc, -2.0f},
                                {1.1f, 0x39, 0x3c, 2.125f},
                                {448.0f, 0x7e, 0x5f, 896.0f},
                                {464.0f, 0x7e, 0x5f, 896.0f},
                                {1e9f, 0x7e, 0x7b, 57792.0f},
                                {-INFINITY, 0xfe, 0xfb, -57792.0f},
                                {1.0f / 512, 0x01, 0x18, 2.0f / 512},
                                {1.0f / 65536, 0x00, 0x01, 1.0f / 65536}};
  const int n = static_cast<int>(cases.size());
  std::vector<float> values;
  for (const Case& each : cases) values.push_back(each.value);
  float* d_values;
  float* d_back;
  unsigned char* d_small;
  unsigned char* d_wide;
  CHECK(cudaMalloc(&d_values, n * sizeof(float)));
  CHECK(cudaMalloc(&d_back, n * sizeof(float)));
  CHECK(cudaMalloc(&d_small, n));
  CHECK(cudaMalloc(&d_wide, n));
  CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  narrow<<<1, 32>>>(d_values, d_small, d_wide, d_back, n);
  CHECK(cudaGetLastError());
  std::vector<unsigned char> small(n);
  std::vector<unsigned char> wide(n);
  std::vector<float> back(n);
  CHECK(cudaMemcpy(small.data(), d_small, n, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(wide.data(), d_wide, n, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(back.data(), d_back, n * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const bool on_device = small[i] == cases[i].small && wide[i] == cases[i].wide && back[i] == cases[i].back;
    const bool on_host = __nv_fp8_e4m3(cases[i].value).__x == cases[i].small &&
                         __nv_fp8_e5m2(cases[i].value).__x == cases[i].wide;
    if (!on_device || !on_host) {
      std::printf("%g: %x %x %g\n", cases[i].value, small[i], wide[i], back[i]);
      ++wrong;
    }
  }

  float4* d_fours;
  float4* d_fours_back;
  __nv_fp8x4_e4m3* d_narrow;
  const float4 four{1.0f, -2.0f, 300.0f, 0.1f};
  float4 again;
  CHECK(cudaMalloc(&d_fours, sizeof four));
  CHECK(cudaMalloc(&d_fours_back, sizeof four));
  CHECK(cudaMalloc(&d_narrow, sizeof *d_narrow));
  CHECK(cudaMemcpy(d_fours, &four, sizeof four, cudaMemcpyHostToDevice));
  four_at_once<<<1, 1>>>(d_fours, d_narrow, d_fours_back);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&again, d_fours_back, sizeof again, cudaMemcpyDeviceToHost));
  if (again.x != 1.0f || again.y != -2.0f || again.z != 288.0f || again.w != 0.1015625f) ++wrong;
  // Too large for either kind, where that is asked for.
  if (__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E4M3) != 0x7f) ++wrong;
  if (__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2) != 0xfc) ++wrong;
  // Computed with NVIDIA's header.
  if (digest_of(__NV_E4M3) != 0x8a6234f99f2b0642ull) ++wrong;
  if (digest_of(__NV_E5M2) != 0x377b921676d92515ull) ++wrong;
  std::printf("%d wrong\n", wrong);
  for (void* each : {static_cast<void*>(d_values), static_cast<void*>(d_back), static_cast<void*>(d_small),
                     static_cast<void*>(d_wide), static_cast<void*>(d_fours),
                     static_cast<void*>(d_fours_back), static_cast<void*>(d_narrow)})
    CHECK(cudaFree(each));
  return wrong == 0 ? 0 : 1;
}
