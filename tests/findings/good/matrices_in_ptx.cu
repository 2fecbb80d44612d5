// A warp's products by mma.sync of three types, their factors by ldmatrix, their tiles by cp.async: held
// against plain loops.
#include <cstdint>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// a: 16 x 16 by rows, b: 16 x 8 by rows. Both go through shared memory.
__global__ void of_halves(const half* a, const half* b, float* sums, half* half_sums) {
  __shared__ alignas(16) half tile_a[16 * 16];
  __shared__ alignas(16) half tile_b[16 * 8];
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile_a + 8 * lane)),
               "l"(a + 8 * lane)
               : "memory");
  if (lane < 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(tile_b + 8 * lane)),
                 "l"(b + 8 * lane), "n"(16)
                 : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncwarp();
  uint32_t ra[4], rb[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(shared_address(tile_a + lane % 16 * 16 + lane / 16 * 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1])
               : "r"(shared_address(tile_b + lane % 16 * 8)));
  float c[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  uint32_t d[2] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i) {
    const int at = (g + i / 2 * 8) * 8 + 2 * q + i % 2;
    sums[at] = c[i];
    half_sums[at] = __ushort_as_half(static_cast<unsigned short>(d[i / 2] >> i % 2 * 16));
  }
}

// a: 16 x 32 by rows, b: 8 x 32 by columns.
__global__ void of_bytes(const int* a, const int* b, int* sums) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  int c[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[g * 8 + q]), "r"(a[(g + 8) * 8 + q]), "r"(a[g * 8 + q + 4]), "r"(a[(g + 8) * 8 + q + 4]),
        "r"(b[g * 8 + q]), "r"(b[g * 8 + q + 4]));
  for (int i = 0; i < 4; ++i) sums[(g + i / 2 * 8) * 8 + 2 * q + i % 2] = c[i];
}

// a: 16 x 8 by rows, b: 8 x 8 by rows.
__global__ void of_floats(const float* a, const float* b, float* sums) {
  const int lane = threadIdx.x, g = lane / 4, q = lane % 4;
  const auto bits = [](float value) { return __float_as_uint(value); };
  float c[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(bits(a[g * 8 + q])), "r"(bits(a[(g + 8) * 8 + q])), "r"(bits(a[g * 8 + q + 4])),
        "r"(bits(a[(g + 8) * 8 + q + 4])), "r"(bits(b[q * 8 + g])), "r"(bits(b[(q + 4) * 8 + g])));
  for (int i = 0; i < 4; ++i) sums[(g + i / 2 * 8) * 8 + 2 * q + i % 2] = c[i];
}

// The first bytes of each piece, the others zero.
__global__ void parts(const int* from, int* to) {
  __shared__ alignas(16) int tile[4 * 32];
  const int bytes = threadIdx.x % 5 * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(tile + 4 * threadIdx.x)),
               "l"(from + 4 * threadIdx.x), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 4; ++i) to[4 * threadIdx.x + i] = tile[4 * threadIdx.x + i];
}

template <typename T>
T* on_device(const T* values, int count) {
  T* pointer;
  cudaMalloc(&pointer, count * sizeof(T));
  cudaMemcpy(pointer, values, count * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

int main() {
  half a[256], b[128], half_sums[128];
  float fa[128], fb[64], sums[128] = {};
  signed char ba[512], bb[256];
  int isums[128] = {}, numbers[128], copied[128];
  for (int i = 0; i < 256; ++i) a[i] = __float2half(i % 7 - 3.0f);
  for (int i = 0; i < 128; ++i) b[i] = __float2half(i % 5 - 2.0f), half_sums[i] = b[i];
  for (int i = 0; i < 128; ++i) fa[i] = i % 9 - 4.0f, numbers[i] = i + 1, copied[i] = 0;
  for (int i = 0; i < 64; ++i) fb[i] = i % 11 - 5.0f;
  for (int i = 0; i < 512; ++i) ba[i] = static_cast<signed char>(i % 13 * 9 - 60);
  for (int i = 0; i < 256; ++i) bb[i] = static_cast<signed char>(i % 17 * 7 - 60);
  half *da = on_device(a, 256), *db = on_device(b, 128), *dh = on_device(half_sums, 128);
  float *dfa = on_device(fa, 128), *dfb = on_device(fb, 64), *ds = on_device(sums, 128);
  int *dba = on_device(reinterpret_cast<int*>(ba), 128), *dbb = on_device(reinterpret_cast<int*>(bb), 64);
  int *di = on_device(isums, 128), *dn = on_device(numbers, 128), *dc = on_device(copied, 128);

  of_halves<<<1, 32>>>(da, db, ds, dh);
  cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(half_sums, dh, sizeof half_sums, cudaMemcpyDeviceToHost);
  for (int at = 0; at < 128; ++at) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += __half2float(a[at / 8 * 16 + k]) * __half2float(b[k * 8 + at % 8]);
    if (sums[at] != sum || __half2float(half_sums[at]) != sum) abort();
  }
  of_bytes<<<1, 32>>>(dba, dbb, di);
  cudaMemcpy(isums, di, sizeof isums, cudaMemcpyDeviceToHost);
  for (int at = 0; at < 128; ++at) {
    int sum = 1;
    for (int k = 0; k < 32; ++k) sum += ba[at / 8 * 32 + k] * bb[at % 8 * 32 + k];
    if (isums[at] != sum) abort();
  }
  of_floats<<<1, 32>>>(dfa, dfb, ds);
  cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost);
  for (int at = 0; at < 128; ++at) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += fa[at / 8 * 8 + k] * fb[k * 8 + at % 8];
    if (sums[at] != sum) abort();
  }
  parts<<<1, 32>>>(dn, dc);
  cudaMemcpy(copied, dc, sizeof copied, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    if (copied[i] != (i % 4 < i / 4 % 5 ? numbers[i] : 0)) abort();
  }
  for (void* each : {(void*)da, (void*)db, (void*)dh, (void*)dfa, (void*)dfb, (void*)ds, (void*)dba,
                     (void*)dbb, (void*)di, (void*)dn, (void*)dc})
    cudaFree(each);
}
