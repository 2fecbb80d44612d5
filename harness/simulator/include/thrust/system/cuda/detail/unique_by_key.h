#pragma once
#include <thrust/system/cuda/detail/unique.h>
