// Protocol between the compile server (a compiler process that forks for each run) and its client.
//
// The server's descriptor kServerSocket is a SOCK_SEQPACKET socket. A message requests one run of the
// program: the working folder, which is also TMPDIR, then argv, each string NUL-terminated. If argv[0] is not
// a name of the server's program, it is the path of another program to execute. Two descriptors are attached:
// one becomes stdout and stderr, the other is a pipe that receives the wait status (an int) when the run
// ends. Closing the read end of that pipe ends the run; closing the socket ends all runs.
#pragma once

#include <cstddef>

namespace warpmark::build::forks {

inline constexpr int kServerSocket = 3;
inline constexpr std::size_t kMostRequestBytes = std::size_t{64} * 1024;
// Byte that the compile server sends on its socket once, when it is ready to accept requests.
inline constexpr char kReady = 'r';

}  // namespace warpmark::build::forks
