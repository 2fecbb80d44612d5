// Protocol between process.cpp, which starts programs, and the keeper process, which supervises one program
// each.
#pragma once

#include <cstdint>

namespace warpmark::sandbox {

// Descriptors of the keeper, the process that supervises a program. The keeper writes one byte to kControlFd
// when it has started, and stops the program when data or end of file arrives there. 0 to 2 are /dev/null,
// except that 2 is the output pipe while the sandbox is created.
inline constexpr int kControlFd = 3;
// Descriptor to which the keeper (the process that supervises a program) writes one EndingRecord when the
// program has ended.
inline constexpr int kStatusFd = 4;
// Descriptor from which the keeper makes stdout and stderr of the supervised program.
inline constexpr int kOutputFd = 5;
// First descriptor passed to the keeper, the process that supervises a program. In this order: replacements
// of the program's descriptors 0, 1 and 2; its descriptors 3, 4, ...; files of the cgroups to join.
inline constexpr int kFirstPassedFd = 6;

inline constexpr int kFirstProgramFd = 3;

inline constexpr int kTaskCap = 16384;  // limit on processes and threads in a sandbox

// Degree of isolation that the keeper, the process that supervises a program, applies to it.
enum class Confinement {
  none,
  limits,
  // Program runs in a sandbox; its supervising process is the first one in the sandbox's namespaces.
  box,
  box_of_other_user,  // sandbox started by root; the program runs as a user of its own
};

// Index of the first argument that belongs to the program. Arguments of the keeper before it: its name, the
// number of passed descriptors, a bit mask of those among 0, 1 and 2 that are replaced, the Confinement,
// RLIMIT_FSIZE, the caps on memory, processes and CPU seconds (0: none), the working folder, the number of
// cgroups to join, and 1 if address-space randomisation is off. The program inherits the keeper's
// environment.
inline constexpr int kFirstProgramArgument = 11;

inline constexpr char kKeeperName[] = "warpmark-keeper";

// Argument that makes the executable of the supervising process run a self-test of the sandbox instead, and
// exit with 0 on success.
inline constexpr char kProbeArgument[] = "--probe";

// Message on kStatusFd that reports how the program ended. Smaller than PIPE_BUF, so it is written
// atomically.
struct EndingRecord {
  static constexpr std::uint32_t kMagic = 0x77726d6b;
  std::uint32_t magic = kMagic;
  std::int32_t kind = 0;  // how the supervised program ended, as an Ending::Kind (exited, signalled, ...)
  std::int32_t code = 0;
  std::int32_t left_behind = 0;
  std::int32_t exceeded = 0;  // resource limit that the program exceeded (Cap)
};

}  // namespace warpmark::sandbox
