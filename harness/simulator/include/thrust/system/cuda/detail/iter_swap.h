#pragma once
#include <thrust/system/cuda/detail/malloc_and_free.h>
