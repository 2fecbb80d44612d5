// Includes the packaged Thrust header and what CUDA 13's version of it also includes.
#pragma once
#define WARPMARK_THRUST_HEADER <thrust/generate.h>
#include <warpmark_cuda/thrust_header.h>
#undef WARPMARK_THRUST_HEADER
