// cuSOLVER for dense matrices on the simulator: NVIDIA's names, kernels of our own (warpmark_cuda/solver/).
// What launches a kernel is a template of no parameters that matter: only what a program calls is compiled.
#pragma once

#if !defined(__CUDA__)
#error 'cusolverDn.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#define CUSOLVERDN_H_

#include "cusolver_common.h"
#include "warpmark_cuda/solver/approximate.h"
#include "warpmark_cuda/solver/by_data_type.h"
#include "warpmark_cuda/solver/by_type.h"
#include "warpmark_cuda/solver/general_by_type.h"
#include "warpmark_cuda/solver/generalised.h"
