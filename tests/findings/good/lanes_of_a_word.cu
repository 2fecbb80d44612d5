// Halves and bytes of a word, three values at once, bytes in another order: held against plain arithmetic.
#include <cstdio>
#include <cstdlib>

struct Results {
  unsigned long long swapped64;
  unsigned int least4, add4, sub2, saturated4, compared2, set4, difference4, sum4, average2, negative2,
      swapped, third;
  int largest, sum_or_zero, shift, unused;
  unsigned int pairs[5], greater;
  bool high, low, first;
};

__global__ void compute(Results* out, unsigned int a, unsigned int b) {
  out->least4 = __vminu4(a, b);
  out->add4 = __vadd4(a, b);
  out->sub2 = __vsub2(a, b);
  out->saturated4 = __vaddus4(a, b);
  out->compared2 = __vcmpgts2(a, b);
  out->set4 = __vsetgeu4(a, b);
  out->difference4 = __vabsdiffu4(a, b);
  out->sum4 = __vsadu4(a, b);
  out->average2 = __vavgu2(a, b);
  out->negative2 = __vnegss2(a);
  out->swapped = __nv_bswap32(a);
  out->third = __fns(a, 0, 3);
  out->swapped64 = __nv_bswap64(0x0102030405060708ull);
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(out->shift) : "r"(b));
  out->unused = 0;
  out->largest = __vimax3_s32(-3, 7, 5);
  out->sum_or_zero = __viaddmax_s32_relu(-9, 4, -2);
  const unsigned int three_and_minus_2 = 0x0003fffe, two_and_5 = 0x00020005, minus_7_and_4 = 0xfff90004;
  out->pairs[0] = __viaddmax_s16x2(three_and_minus_2, two_and_5, minus_7_and_4);
  out->pairs[1] = __viaddmin_s16x2_relu(three_and_minus_2, two_and_5, minus_7_and_4);
  out->pairs[2] = __vimax3_s16x2(three_and_minus_2, two_and_5, minus_7_and_4);
  out->pairs[3] = __vimin3_u16x2(three_and_minus_2, two_and_5, minus_7_and_4);
  out->greater = __vibmax_s16x2(three_and_minus_2, two_and_5, &out->high, &out->low);
  __vibmin_u32(4, 4, &out->first);
  out->pairs[4] = __vimax_s16x2_relu(0x8000ffff, 0xfffe0001);
}

unsigned int lanes(unsigned int a, unsigned int b, int bits, unsigned int (*operation)(int, int)) {
  const unsigned int mask = bits == 8 ? 0xff : 0xffff;
  unsigned int result = 0;
  for (int at = 0; at < 32; at += bits)
    result |= (operation((a >> at) & mask, (b >> at) & mask) & mask) << at;
  return result;
}

int main() {
  const unsigned int a = 0x80f07f13, b = 0x7f20ff01;
  Results *device, host;
  cudaMalloc(&device, sizeof host);
  compute<<<1, 1>>>(device, a, b);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  bool right = host.add4 == lanes(a, b, 8, [](int x, int y) { return unsigned(x + y); });
  right = right && host.least4 == lanes(a, b, 8, [](int x, int y) { return unsigned(x < y ? x : y); });
  right = right && host.sub2 == lanes(a, b, 16, [](int x, int y) { return unsigned(x - y); });
  right = right &&
          host.saturated4 == lanes(a, b, 8, [](int x, int y) { return unsigned(x + y > 255 ? 255 : x + y); });
  right =
      right && host.compared2 == lanes(a, b, 16, [](int x, int y) { return short(x) > short(y) ? ~0u : 0u; });
  right = right && host.set4 == lanes(a, b, 8, [](int x, int y) { return x >= y ? 1u : 0u; });
  right = right && host.difference4 == lanes(a, b, 8, [](int x, int y) { return unsigned(abs(x - y)); });
  right = right && host.sum4 == 0x01u + 0xd0u + 0x80u + 0x12u;
  right = right && host.average2 == lanes(a, b, 16, [](int x, int y) { return unsigned(x + y + 1) / 2; });
  right = right && host.negative2 == 0x7f1080edu;
  right = right && host.swapped == 0x137ff080u && host.swapped64 == 0x0807060504030201ull && host.third == 4;
  right = right && host.largest == 7 && host.sum_or_zero == 0 && host.shift == 1;
  right = right && host.pairs[0] == 0x00050004u && host.pairs[1] == 3u && host.pairs[2] == 0x00030005u &&
          host.pairs[3] == 0x00020004u && host.pairs[4] == 1u;
  right = right && host.greater == 0x00030005u && host.high && !host.low && host.first;
  if (!right) abort();
}
