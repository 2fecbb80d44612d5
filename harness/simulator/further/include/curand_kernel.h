// cuRAND's device API on the simulator (warpmark_cuda/random/).
#pragma once

#include "curand.h"
#include "warpmark_cuda/random/distributions.h"

#if !defined(QUALIFIERS)
#define QUALIFIERS static __inline__ __device__
#endif
