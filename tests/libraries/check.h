// What the programs of this folder share: values, memory, and a comparison that names what is wrong.
#pragma once

#include <cmath>
#include <cstdio>
#include <vector>

inline int failures = 0;

// The same numbers in every run.
inline unsigned int next_number() {
  static unsigned int state = 12345;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

template <typename T>
std::vector<T> numbers(int count, int below) {
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values) value = static_cast<T>(static_cast<int>(next_number() % (2u * below)) - below);
  return values;
}

template <typename T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : count_(values.size()) {
    cudaMalloc(&data_, (count_ + 1) * sizeof(T));
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit Device(size_t count) : count_(count) { cudaMalloc(&data_, (count_ + 1) * sizeof(T)); }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  operator T*() const { return data_; }
  T* get() const { return data_; }
  std::vector<T> values() const { return values(count_); }
  std::vector<T> values(size_t count) const {
    std::vector<T> copy(count);
    cudaMemcpy(copy.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
  }
  T value() const { return values(1)[0]; }

 private:
  T* data_ = nullptr;
  size_t count_;
};

inline void expect(bool right, const char* what) {
  if (right) return;
  printf("wrong: %s\n", what);
  ++failures;
}

template <typename T>
void expect_equal(const std::vector<T>& actual, const std::vector<T>& wanted, const char* what) {
  if (actual.size() != wanted.size()) return expect(false, what);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (actual[i] == wanted[i]) continue;
    printf("wrong: %s: element %zu is %g, not %g\n", what, i, static_cast<double>(actual[i]),
           static_cast<double>(wanted[i]));
    ++failures;
    return;
  }
}

template <typename T>
void expect_near(const std::vector<T>& actual, const std::vector<T>& wanted, double bound, const char* what) {
  if (actual.size() != wanted.size()) return expect(false, what);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (std::fabs(static_cast<double>(actual[i]) - static_cast<double>(wanted[i])) <= bound) continue;
    printf("wrong: %s: element %zu is %.9g, not %.9g\n", what, i, static_cast<double>(actual[i]),
           static_cast<double>(wanted[i]));
    ++failures;
    return;
  }
}

// The end of main().
inline int result() {
  if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) {
    printf("wrong: an error of CUDA\n");
    ++failures;
  }
  if (failures == 0) printf("all right\n");
  return failures == 0 ? 0 : 1;
}
