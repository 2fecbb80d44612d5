// cuRAND's device API on the simulator (warpmark_cuda/random/).
#pragma once

#include "curand.h"
#include "warpmark_cuda/random/distributions.h"
#include "warpmark_cuda/random/mtgp32.h"

#if !defined(QUALIFIERS)
#define QUALIFIERS static __inline__ __device__
#endif
