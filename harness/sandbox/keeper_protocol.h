// What process.cpp and keeper.cpp agree on.
#pragma once

#include <cstdint>

namespace warpmark::sandbox {

// The keeper's descriptors; 0 to 2 are /dev/null (2 is the output while a box is made).
// Takes one byte when the keeper has begun; anything to read, or its end, says: stop.
inline constexpr int kControlFd = 3;
inline constexpr int kStatusFd = 4;       // takes one EndingRecord
inline constexpr int kOutputFd = 5;       // becomes the program's stdout and stderr
inline constexpr int kFirstPassedFd = 6;  // those that replace 0, 1 and 2, then those that arrive as 3, 4,
                                          // ..., then entrances of control groups

inline constexpr int kFirstProgramFd = 3;

inline constexpr int kTaskCap = 16384;  // processes and threads of a box

// How the program is held.
enum class Confinement {
  none,
  limits,
  box,                // the keeper is the first process of a box
  box_of_other_user,  // and root; the program becomes kBoxUser
};

// The keeper's arguments: its name, how many descriptors are passed, which of 0, 1 and 2 are replaced (bits),
// the Confinement, RLIMIT_FSIZE, the caps on memory, on processes and on seconds of CPU time (0: none), the
// working folder, how many control groups it enters, whether addresses are fixed, and from here on those of
// the program. The keeper's environment is the program's.
inline constexpr int kFirstProgramArgument = 11;

inline constexpr char kKeeperName[] = "warpmark-keeper";

// As its only argument: the keeper is the program in a box, and ends with 0 if that is as it should be.
inline constexpr char kProbeArgument[] = "--probe";

// How the program ended. Written at once: far below PIPE_BUF.
struct EndingRecord {
  static constexpr std::uint32_t kMagic = 0x77726d6b;
  std::uint32_t magic = kMagic;
  std::int32_t kind = 0;  // Ending::Kind
  std::int32_t code = 0;
  std::int32_t left_behind = 0;
  std::int32_t exceeded = 0;  // Cap
};

}  // namespace warpmark::sandbox
