#pragma once
#include "cub/block/block_discontinuity.cuh"
