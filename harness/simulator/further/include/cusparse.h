// cuSPARSE on the simulator: NVIDIA's API, our own kernels (warpmark_cuda/sparse/). Functions that launch
// kernels are templates with a dummy parameter, so that only those that a program calls are compiled.
#pragma once

#if !defined(__CUDA__)
#error 'cusparse.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#define CUSPARSE_H_

#include "warpmark_cuda/sparse/by_type.h"
#include "warpmark_cuda/sparse/generic.h"
#include "warpmark_cuda/sparse/settings.h"
