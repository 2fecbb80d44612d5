// Dense cuSOLVER on the simulator: NVIDIA's API, our own kernels (warpmark_cuda/solver/). Functions that
// launch kernels are templates with a dummy parameter, so that only those that a program calls are compiled.
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
