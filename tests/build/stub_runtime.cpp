#include <cstdio>

// The names are CUDA's.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void** __cudaRegisterFatBinary(void*) {
  return nullptr;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
int __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*) {
  return 0;
}
void __cudaRegisterVar(void**, char*, const char*, const char*, int, unsigned long, int, int) {}
void __cudaRegisterManagedRange(const void*, const void*) {}
unsigned __cudaPushCallConfiguration(...) {
  return 0;
}
int __cudaPopCallConfiguration(...) {
  return 0;
}
int cudaMemcpyToSymbol(...) {
  return 0;
}
int cudaLaunchKernel(...) {
  return std::puts("launched");
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
