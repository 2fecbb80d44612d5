// What the front end embeds in a library where nvcc would embed its fat binary: the PTX of one source file,
// at -O0 and at -O2. Text, so that it can be read with any editor:
//
//   warpmark-fat-binary/1
//   O0 <bytes>
//   <that many bytes of PTX>
//   O2 <bytes>
//   <that many bytes of PTX>
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::simulator {

struct FatBinary {
  std::string checking;  // -O0: every access and barrier of the source is still there
  std::string counting;  // -O2: what a GPU would run
};

std::string pack(const FatBinary& images);

// The data begins at `text` and has at least `readable` bytes when that is known; the length stands in the
// header. Empty when it is not ours.
std::optional<FatBinary> unpack(const char* text);

}  // namespace warpmark::simulator
