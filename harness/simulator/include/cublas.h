// The legacy cuBLAS API (without handles) on the simulator.
#pragma once
#include "warpmark_cuda/blas/version1.h"
