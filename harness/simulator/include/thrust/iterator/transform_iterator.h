// Wrapper of the installed Thrust's transform_iterator.h. Also includes <thrust/functional.h>, because CUDA
// 13's version does and programs rely on that.
#pragma once
#include <thrust/functional.h>
#include_next <thrust/iterator/transform_iterator.h>
