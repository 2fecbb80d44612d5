// CUDA runtime API of Warpmark's CUDA simulator, written from scratch; no part comes from a CUDA toolkit. The
// clang flags for CUDA code are in harness/build/clang_flags.h. Compilers without CUDA support see only the
// host functions.
#pragma once

#include "warpmark_cuda/guards.h"
#include "warpmark_cuda/host/host_runtime.h"
#ifdef __cplusplus
#include "warpmark_cuda/host/further_functions.h"
#include "warpmark_cuda/host/host_templates.h"
#include "warpmark_cuda/host/memory_pools.h"
#include "warpmark_cuda/host/not_simulated.h"
#include "warpmark_cuda/host/one_device.h"
// Headers of optional features (CUDA graphs, textures), included only if the installation has them: a
// Warpmark installation may lack the folder harness/simulator/further.
#if __has_include("warpmark_cuda/graphs/graphs.h")
#include "warpmark_cuda/graphs/graph_queries.h"
#include "warpmark_cuda/graphs/graphs.h"
#include "warpmark_cuda/images/image_objects.h"
#endif
#endif
