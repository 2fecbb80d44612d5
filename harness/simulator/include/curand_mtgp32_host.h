#pragma once

#include "warpmark_cuda/random/mtgp32_host.h"
