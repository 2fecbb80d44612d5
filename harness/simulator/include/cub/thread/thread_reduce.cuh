// CUB's reductions and scans over an array of a single thread.
#pragma once

#include "cub/thread/thread_operators.cuh"

namespace cub {

template <int length, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T ThreadReduce(const T* input, Operation operation, T prefix) {
  for (int i = 0; i < length; ++i) prefix = operation(prefix, input[i]);
  return prefix;
}
template <int length, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T ThreadReduce(const T (&input)[length], Operation operation, T prefix) {
  return ThreadReduce<length>(static_cast<const T*>(input), operation, prefix);
}
template <int length, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T ThreadReduce(const T (&input)[length], Operation operation) {
  return ThreadReduce<length - 1>(input + 1, operation, input[0]);
}

template <int length, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T ThreadScanInclusive(const T (&input)[length], T (&output)[length],
                                            Operation operation) {
  T sum = input[0];
  output[0] = sum;
  for (int i = 1; i < length; ++i) output[i] = sum = operation(sum, input[i]);
  return sum;
}
template <int length, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T ThreadScanExclusive(const T (&input)[length], T (&output)[length],
                                            Operation operation, T prefix) {
  for (int i = 0; i < length; ++i) {
    const T value = input[i];
    output[i] = prefix;
    prefix = operation(prefix, value);
  }
  return prefix;
}

}  // namespace cub
