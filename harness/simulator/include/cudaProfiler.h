#pragma once

#include "cuda.h"

#ifdef __cplusplus
inline CUresult cuProfilerStart() {
  return (CUresult)cudaProfilerStart();
}
inline CUresult cuProfilerStop() {
  return (CUresult)cudaProfilerStop();
}
#endif
