#pragma once
#include <thrust/system/cuda/detail/execution_policy.h>
