// Format of the file that the front end embeds in an executable in place of nvcc's fat binary. It is text,
// with the PTX of one source file compiled at -O0 and at -O2:
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
  // PTX compiled at -O0 for race checking: keeps every memory access and barrier of the source
  std::string checking;
  std::string counting;  // PTX compiled at -O2 for performance counters: the code that a GPU would run
};

inline constexpr std::string_view kFatBinaryMagic = "warpmark-fat-binary/1\n";

std::string pack(const FatBinary& images);

// Parses the simulator's fat binary (-O0 and -O2 PTX of one source file) at the beginning of `text`. Returns
// the two PTX images, or nullopt if the fat binary is malformed or truncated.
std::optional<FatBinary> unpack(std::string_view text);

// Returns views of the PTX images (-O0, -O2) in the simulator's fat binary at the beginning of `text`: both,
// or only those before the first image that is malformed or truncated.
std::vector<std::string_view> images_in(std::string_view text);

// Returns the SHA-256 by which the judge names a module: the images of one source file, as they were built.
std::string digest_of(std::string_view checking, std::string_view counting);

}  // namespace warpmark::simulator
