// Protocol between process.cpp and keeper.cpp.
#pragma once

#include <cstdint>

namespace warpmark::sandbox {

// The keeper's descriptors; 0 to 2 are /dev/null (2 is the output pipe while a box is being made). The keeper
// writes one byte to kControlFd when it has started; it stops when data or end of file arrives there.
inline constexpr int kControlFd = 3;
inline constexpr int kStatusFd = 4;       // receives one EndingRecord
inline constexpr int kOutputFd = 5;       // becomes stdout and stderr of the program
inline constexpr int kFirstPassedFd = 6;  // first those that replace 0, 1 and 2, then those that become 3, 4,
                                          // ..., then the entrances of control groups

inline constexpr int kFirstProgramFd = 3;

inline constexpr int kTaskCap = 16384;  // limit on processes and threads in a box

// How strictly the program is isolated.
enum class Confinement {
  none,
  limits,
  box,                // the keeper is the first process of a box
  box_of_other_user,  // like box, started by root; the program becomes kBoxUser
};

// The keeper's arguments: its name, the number of passed descriptors, a bit mask of those among 0, 1 and 2
// that are replaced, the Confinement, RLIMIT_FSIZE, the caps on memory, processes and CPU seconds (0: none),
// the working folder, the number of control groups to enter, whether address-space randomisation is off, and
// from here on the program's arguments. The keeper passes its environment on to the program.
inline constexpr int kFirstProgramArgument = 11;

inline constexpr char kKeeperName[] = "warpmark-keeper";

// As the only argument: the keeper acts as the program in a box, checks the box, and exits with 0 if all is
// well.
inline constexpr char kProbeArgument[] = "--probe";

// How the program ended. Written atomically, because it is far smaller than PIPE_BUF.
struct EndingRecord {
  static constexpr std::uint32_t kMagic = 0x77726d6b;
  std::uint32_t magic = kMagic;
  std::int32_t kind = 0;  // Ending::Kind
  std::int32_t code = 0;
  std::int32_t left_behind = 0;
  std::int32_t exceeded = 0;  // Cap
};

}  // namespace warpmark::sandbox
