// Access to a .cu file's device code, which clang's generated constructor passes to __cudaRegisterFatBinary.
// Its length fields come from a student's submission and may be false, so nothing outside of the submission's
// library is read.
#pragma once

#include <cstdint>

#include "harness/base/loaded_object.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::simulator {

// Returns the PTX images to which clang's fat-binary wrapper points. They are empty if the device code is not
// in the simulator's format (both/fat_binary.h); launches of its kernels then report an error.
inline FatBinary images_in(const void* wrapper) {
  // Layout of the fat-binary wrapper that clang emits: magic number 0x466243b1, version, pointer to the
  // embedded file with the device code.
  struct Wrapper {
    int magic;
    int version;
    const char* data;
    void* unused;
  };
  const char* data = static_cast<const Wrapper*>(wrapper)->data;
  const auto begin = reinterpret_cast<std::uint64_t>(data);
  const LoadedObject library = loaded_object_at(begin);
  if (!library.holds(begin)) return {};
  return unpack({data, library.end - begin}).value_or(FatBinary{});
}

}  // namespace warpmark::simulator
