// What the compilers' server and its client agree on.
//
// The server's descriptor kServerSocket is a SOCK_SEQPACKET socket. A message is one run of the program: a
// working folder, which is TMPDIR too, and the arguments, a name of the program first, each with a NUL behind
// it. (Under another name another program is executed.) With it come two descriptors: what becomes stdout and
// stderr, and a pipe that takes the wait status (an int) when the run has ended. A run ends early when the
// reader of that pipe closes it, all of them when the client closes the socket.
#pragma once

#include <cstddef>

namespace warpmark::build::forks {

inline constexpr int kServerSocket = 3;
inline constexpr std::size_t kMostRequestBytes = std::size_t{64} * 1024;
// The server sends it, with nothing else, when it can take requests.
inline constexpr char kReady = 'r';

}  // namespace warpmark::build::forks
