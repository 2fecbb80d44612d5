// Includes the packaged header and the functors that CUDA 13's version also includes.
#pragma once
#include <thrust/functional.h>
#include_next <thrust/iterator/transform_iterator.h>
