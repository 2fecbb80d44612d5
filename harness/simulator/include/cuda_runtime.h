#pragma once

#include "cuda_runtime_api.h"
#include "library_types.h"

#if !defined(__CUDA__)
#define __CUDA_RUNTIME_H__
#else
#include "warpmark_cuda/host/host_atomics.h"
// Headers that nvcc's cuda_runtime.h includes and programs rely on.
// clang-format off
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <utility>

#include "warpmark_cuda/device/device_library.h"
#include "warpmark_cuda/device/new.h"
// clang-format on

#include "warpmark_cuda/device/address_spaces.h"
#include "warpmark_cuda/device/arithmetic.h"
#include "warpmark_cuda/device/atomic_builtins.h"
#include "warpmark_cuda/device/atomics.h"
#include "warpmark_cuda/device/builtins.h"
#include "warpmark_cuda/device/clusters.h"
#include "warpmark_cuda/device/device_launches.h"
#include "warpmark_cuda/device/intrinsics.h"
#include "warpmark_cuda/device/math.h"
#include "warpmark_cuda/device/simd_in_words.h"
#include "warpmark_cuda/host/host_math.h"
#if __has_include("warpmark_cuda/images/textures.h")
#include "warpmark_cuda/images/textures.h"
#endif

// clang embeds a file's device code in the host object only if the file defines a kernel or a __device__
// variable. This dummy variable makes it embed the code of files that define only device functions, which
// other files may call.
#ifdef WARPMARK_ONE_OF_SEVERAL_FILES
static __device__ __attribute__((used)) char warpmark_one_of_several_files;
#endif
#endif
