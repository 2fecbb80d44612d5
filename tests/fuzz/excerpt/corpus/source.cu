#include "sums.h"

__global__ void add(int* sum) {
	atomicAdd(sum, 1);  // 1 & 1 < 3
}
