#pragma once
#include "cub/warp/warp_reduce.cuh"
