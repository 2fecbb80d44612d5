#pragma once

#include "cuda_runtime_api.h"

typedef enum cudaDataType_t cudaDataType;
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
