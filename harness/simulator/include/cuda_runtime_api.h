// The CUDA runtime of Warpmark's simulator, written from scratch; no part comes from a CUDA toolkit. The
// clang flags for it are in harness/build/clang_flags.h. Other compilers see the host functions
// only.
#pragma once

#include "warpmark_cuda/guards.h"
#include "warpmark_cuda/host/host_runtime.h"
#ifdef __cplusplus
#include "warpmark_cuda/host/further_functions.h"
#include "warpmark_cuda/host/host_templates.h"
#include "warpmark_cuda/host/memory_pools.h"
#include "warpmark_cuda/host/not_simulated.h"
#include "warpmark_cuda/host/one_device.h"
#if __has_include("warpmark_cuda/graphs/graphs.h")  // in harness/simulator/further, which may be missing
#include "warpmark_cuda/graphs/graph_queries.h"
#include "warpmark_cuda/graphs/graphs.h"
#include "warpmark_cuda/images/image_objects.h"
#endif
#endif
