#pragma once

#include "cuda_runtime_api.h"

typedef enum cudaDataType_t cudaDataType;
