// The device code that clang's constructor of a .cu file hands over.
#pragma once

#include "harness/simulator/front_end/fat_binary.h"

namespace warpmark::simulator {

// Empty images where the device code is not ours: launches of it say so.
inline FatBinary images_in(const void* wrapper) {
  // The magic number 0x466243b1, a version, and the embedded file.
  struct Wrapper {
    int magic;
    int version;
    const char* data;
    void* unused;
  };
  return unpack(static_cast<const Wrapper*>(wrapper)->data).value_or(FatBinary{});
}

}  // namespace warpmark::simulator
