// The first API of cuBLAS on the simulator.
#pragma once
#include "warpmark_cuda/blas/version1.h"
