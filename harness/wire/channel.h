// Socket between the judge process and a worker process, which runs student code. Carries frames of bytes,
// each with file descriptors attached.
//
// A frame is a 4-byte length in host byte order (both ends run on one machine), followed by that many bytes:
// a message of codec.h. Descriptors (SCM_RIGHTS) arrive with the first byte of their frame. Both ends use
// this class; the judge process trusts nothing that it receives.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/file.h"
#include "harness/wire/codec.h"

namespace warpmark::wire {

inline constexpr std::size_t kDescriptorLimit = 8;  // maximum number of file descriptors per message

struct Frame {
  std::string bytes;
  std::vector<UniqueFd> descriptors;
};

struct ChannelFailure {
  enum class Kind {
    closed,     // the peer closed the connection
    timed_out,  // the deadline passed before a whole message was sent or received
    malformed,  // a message is too long (kFrameLimit), or carries too many file descriptors
  };
  Kind kind;
  std::string message;
};

class Channel {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  static constexpr Deadline kNoDeadline = Deadline::max();

  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

  [[nodiscard]] int fd() const { return socket_.get(); }

  // Sends one message and its file descriptors over the socket; blocks until the deadline at most. The caller
  // keeps ownership of the descriptors.
  tl::expected<void, ChannelFailure> send(std::string_view bytes, const std::vector<int>& descriptors,
                                          Deadline deadline);
  tl::expected<Frame, ChannelFailure> receive(Deadline deadline);

  // Returns true if the socket holds unread bytes. Between two requests of the judge process, a worker
  // process must send nothing, so such bytes are a protocol violation. A closed connection does not count.
  [[nodiscard]] bool has_unread() const;

 private:
  UniqueFd socket_;
};

// Returns two connected sockets, both close-on-exec. Throws std::system_error if no descriptor is available.
std::pair<UniqueFd, UniqueFd> make_socket_pair();

}  // namespace warpmark::wire
