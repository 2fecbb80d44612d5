// What process.cpp and keeper.cpp agree on.
#pragma once

#include <cstdint>

namespace warpmark::sandbox {

// The keeper's descriptors; 0 to 2 are /dev/null.
inline constexpr int kControlFd = 3;  // anything to read, or its end, says: stop
inline constexpr int kStatusFd = 4;   // takes one Record
inline constexpr int kOutputFd = 5;   // becomes the program's stdout and stderr
inline constexpr int kFirstPassedFd =
    6;  // those that replace 0, 1 and 2, then those that arrive as 3, 4, ...

inline constexpr int kFirstProgramFd = 3;

// The keeper's arguments: its name, how many descriptors are passed, which of 0, 1 and 2 are replaced (bits),
// RLIMIT_FSIZE, the caps on memory and on processes (0: none), the working folder, and from here on those of
// the program. The keeper's environment is the program's.
inline constexpr int kFirstProgramArgument = 7;

inline constexpr char kKeeperName[] = "warpmark-keeper";

// Written at once: far below PIPE_BUF.
struct Record {
  static constexpr std::uint32_t kMagic = 0x77726d6b;
  std::uint32_t magic = kMagic;
  std::int32_t kind = 0;  // Ending::Kind
  std::int32_t code = 0;
  std::int32_t left_behind = 0;
  std::int32_t exceeded = 0;  // Cap
};

}  // namespace warpmark::sandbox
