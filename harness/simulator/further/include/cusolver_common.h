#pragma once

#if !defined(__CUDA__)
#error 'cusolver_common.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#include "warpmark_cuda/solver/handles.h"
