// Returns the names and descriptions of CUDA error codes.
#include <cuda_runtime_api.h>

const char* cudaGetErrorString(cudaError_t error) {
#define WARPMARK_CASE(name, number, text) \
  case name:                              \
    return text;
  switch (error) { WARPMARK_CUDA_ERRORS(WARPMARK_CASE) }
#undef WARPMARK_CASE
  return "unrecognized error code";
}

const char* cudaGetErrorName(cudaError_t error) {
#define WARPMARK_CASE(name, number, text) \
  case name:                              \
    return #name;
  switch (error) { WARPMARK_CUDA_ERRORS(WARPMARK_CASE) }
#undef WARPMARK_CASE
  return "unrecognized error code";
}
