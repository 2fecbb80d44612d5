// The start of every source, as nvcc's own: precompiled for each pass.
#include "cuda_runtime.h"
