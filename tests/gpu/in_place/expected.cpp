#include "in_place.h"

extern "C" in_place_fn expected;
extern "C" void expected(int* values, int* offsets, std::size_t n, cudaStream_t) {
  for (std::size_t i = 0; i < n; ++i) values[i] += offsets[i]++;
}
