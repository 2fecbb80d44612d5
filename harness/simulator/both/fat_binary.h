// The file that the front end embeds in place of nvcc's fat binary: the PTX of one source file at -O0 and at
// -O2, as text:
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
#include <vector>

namespace warpmark::simulator {

struct FatBinary {
  std::string checking;  // -O0: preserves every access and barrier of the source
  std::string counting;  // -O2: the code that a GPU would run
};

inline constexpr std::string_view kFatBinaryMagic = "warpmark-fat-binary/1\n";

std::string pack(const FatBinary& images);

// Returns the images of an embedded file with which `text` begins; nullopt if it is not in our format or
// exceeds `text`.
std::optional<FatBinary> unpack(std::string_view text);

// Likewise as views, without a file that lacks one: both images, or those before the first that is malformed
// or exceeds `text`.
std::vector<std::string_view> images_in(std::string_view text);

}  // namespace warpmark::simulator
