// A kernel and the host change the same words of managed memory at the same time, both by atomic operations
// that hold for the whole system.
#include <atomic>
#include <cstdio>

constexpr int kThreads = 64, kRounds = 4;

__global__ void change(int* words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < kRounds; ++round) {
    atomicAdd_system(&words[0], 1);
    atomicMax_system(&words[1], i);
    atomicOr_system(&words[2], 1 << (i % 16));
    int seen = words[3];
    int expected;
    do {
      expected = seen;
      seen = atomicCAS_system(&words[3], expected, expected + 2);
    } while (seen != expected);
    atomicExch_system(&words[4], i);
  }
}

void change_too(int* words, std::atomic<int>* sum) {
  for (int i = 0; i < 50; ++i) {
    __sync_fetch_and_add(&words[0], 1);
    int expected, seen;
    do {  // the plain read is a guess, which the exchange checks
      expected = words[1];
      seen = __sync_val_compare_and_swap(&words[1], expected, expected > 1000 + i ? expected : 1000 + i);
    } while (seen != expected);
    __atomic_fetch_or(&words[2], 1 << 20, __ATOMIC_RELAXED);
    sum->fetch_add(2);
    int guess = sum->load(std::memory_order_relaxed);
    while (!sum->compare_exchange_weak(guess, guess + 2)) {
    }
    if (__atomic_load_n(&words[4], __ATOMIC_ACQUIRE) < 0) __atomic_store_n(&words[4], 5, __ATOMIC_RELEASE);
    __sync_lock_test_and_set(&words[4], i);
  }
}

int main() {
  int* words;
  cudaMallocManaged(&words, 5 * sizeof(int));
  for (int i = 0; i < 5; ++i) words[i] = 0;
  change<<<2, kThreads / 2>>>(words);
  change_too(words, reinterpret_cast<std::atomic<int>*>(&words[3]));
  for (int i = 0; i < 30000; ++i) {  // more accesses than are looked at
    const int expected = words[1];
    __sync_val_compare_and_swap(&words[1], expected, expected);
  }
  cudaDeviceSynchronize();
  const bool right = words[0] == kThreads * kRounds + 50 && words[1] == 1049 && words[2] == 0x10ffff &&
                     words[3] == 2 * kThreads * kRounds + 200;
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(words);
  return right ? 0 : 1;
}
