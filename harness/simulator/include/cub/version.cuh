// A part of cub/util_type.cuh here.
#pragma once
#include "cub/util_type.cuh"
