#pragma once
#include <thrust/system/cuda/detail/copy_if.h>
