// Forwards to cub/util_type.cuh, which defines all of CUB's small utilities.
#pragma once
#include "cub/util_type.cuh"
