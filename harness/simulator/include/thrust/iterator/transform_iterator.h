// The packaged one, and the functors that CUDA 13's brings along.
#pragma once
#include <thrust/functional.h>
#include_next <thrust/iterator/transform_iterator.h>
