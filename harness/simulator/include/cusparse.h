// cuSPARSE on the simulator: NVIDIA's names, kernels of our own (warpmark_cuda/sparse/). What launches a
// kernel is a template of no parameters that matter: only what a program calls is compiled.
#pragma once

#if !defined(__CUDA__)
#error 'cusparse.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#define CUSPARSE_H_

#include "warpmark_cuda/sparse/by_type.h"
#include "warpmark_cuda/sparse/generic.h"
#include "warpmark_cuda/sparse/settings.h"
