// The one socket between judge and worker: frames of JSON, each with the descriptors that travel beside it.
//
// A frame is a 4-byte length (host order: both ends run on one machine) and that many bytes of JSON.
// Descriptors (SCM_RIGHTS) arrive with the first byte of their frame. The same class serves both ends; the
// judge trusts nothing that it receives.
#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/file.h"

namespace warpmark {

inline constexpr std::size_t kFrameLimit = std::size_t{16} << 20;  // bytes; a longer frame is a broken peer
inline constexpr int kDepthLimit = 32;                             // of lists and objects in a frame
inline constexpr std::size_t kDescriptorLimit = 8;                 // that a frame may carry

// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON does not throw, whatever its declaration says
struct Frame {
  nlohmann::json body;
  std::vector<UniqueFd> descriptors;
};

struct ChannelFailure {
  enum class Kind {
    closed,     // the other end is gone
    timed_out,  // nothing whole came before the deadline
    malformed,  // too long, too deep, too many descriptors, not JSON, not an object
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
  tl::expected<void, ChannelFailure> send(const nlohmann::json& body, const std::vector<int>& descriptors,
                                          Deadline deadline);
  tl::expected<Frame, ChannelFailure> receive(Deadline deadline);

  // True when bytes are waiting: between two requests, nothing may be. The end of the connection is none.
  [[nodiscard]] bool has_unread() const;

 private:
  UniqueFd socket_;
};

// Two connected ends, both close-on-exec. Throws std::system_error when the system has no descriptor left.
std::pair<UniqueFd, UniqueFd> make_socket_pair();

}  // namespace warpmark
