// The one socket between judge and worker: frames of bytes, each with the descriptors that travel beside it.
//
// A frame is a 4-byte length (host order: both ends run on one machine) and that many bytes, a message of
// codec.h.
// Descriptors (SCM_RIGHTS) arrive with the first byte of their frame. The same class serves both ends; the
// judge trusts nothing that it receives.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/file.h"
#include "harness/wire/codec.h"

namespace warpmark::wire {

inline constexpr std::size_t kDescriptorLimit = 8;  // that a frame may carry

struct Frame {
  std::string bytes;
  std::vector<UniqueFd> descriptors;
};

struct ChannelFailure {
  enum class Kind {
    closed,     // the other end is gone
    timed_out,  // nothing whole came before the deadline
    malformed,  // longer than kFrameLimit, or too many descriptors
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

  // Descriptors stay the caller's. Blocks at most until the deadline.
  tl::expected<void, ChannelFailure> send(std::string_view bytes, const std::vector<int>& descriptors,
                                          Deadline deadline);
  tl::expected<Frame, ChannelFailure> receive(Deadline deadline);

  // True when bytes are waiting: between two requests, nothing may be. The end of the connection is none.
  [[nodiscard]] bool has_unread() const;

 private:
  UniqueFd socket_;
};

// Two connected ends, both close-on-exec. Throws std::system_error when the system has no descriptor left.
std::pair<UniqueFd, UniqueFd> make_socket_pair();

}  // namespace warpmark::wire
