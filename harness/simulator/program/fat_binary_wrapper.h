// Reads the device code that clang's registration constructor passes for a .cu file.
#pragma once

#include "harness/simulator/both/fat_binary.h"

namespace warpmark::simulator {

// Returns the PTX images in the wrapper. They are empty if the device code is not in the simulator's format
// (both/fat_binary.h); launches of its kernels then report an error.
inline FatBinary images_in(const void* wrapper) {
  // The layout that clang emits: magic number 0x466243b1, version, pointer to the embedded file.
  struct Wrapper {
    int magic;
    int version;
    const char* data;
    void* unused;
  };
  return unpack(static_cast<const Wrapper*>(wrapper)->data).value_or(FatBinary{});
}

}  // namespace warpmark::simulator
