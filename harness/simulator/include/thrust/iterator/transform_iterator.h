// Includes the installed Thrust's header and, like CUDA 13's version, the functors.
#pragma once
#include <thrust/functional.h>
#include_next <thrust/iterator/transform_iterator.h>
