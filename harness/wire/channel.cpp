#include "harness/wire/channel.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace warpmark::wire {
namespace {

using Kind = ChannelFailure::Kind;

tl::unexpected<ChannelFailure> failure(Kind kind, std::string message) {
  return tl::unexpected<ChannelFailure>(ChannelFailure{kind, std::move(message)});
}

// Waits until the socket is ready for `events`; returns false if the deadline passes first.
bool wait_for(int fd, short events, Channel::Deadline deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline != Channel::kNoDeadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      milliseconds = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
    }
    pollfd entry{fd, events, 0};
    const int ready = ::poll(&entry, 1, milliseconds);
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return true;  // poll() failed: the caller's next system call reports the error
  }
}

tl::expected<void, ChannelFailure> send_bytes(int fd, std::span<const std::byte> bytes,
                                              std::span<const int> descriptors, Channel::Deadline deadline) {
  while (!bytes.empty()) {
    if (!wait_for(fd, POLLOUT, deadline))
      return failure(Kind::timed_out, "the peer does not read its requests");
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kDescriptorLimit)> control{};
    if (!descriptors.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
      std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof(int) * descriptors.size());
    }
    const ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return failure(Kind::closed, std::strerror(errno));
    }
    // A message's file descriptors go with its first bytes; later parts must not pass them again.
    descriptors = {};
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return {};
}

void take_descriptors(msghdr& message, std::vector<UniqueFd>& descriptors) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
}

tl::expected<void, ChannelFailure> receive_bytes(int fd, std::span<std::byte> bytes,
                                                 std::vector<UniqueFd>& descriptors,
                                                 Channel::Deadline deadline) {
  while (!bytes.empty()) {
    if (!wait_for(fd, POLLIN, deadline)) return failure(Kind::timed_out, "no answer before the deadline");
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kDescriptorLimit)> control{};
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return failure(Kind::closed, std::strerror(errno));
    }
    take_descriptors(message, descriptors);
    if (descriptors.size() > kDescriptorLimit || (message.msg_flags & MSG_CTRUNC) != 0) {
      return failure(Kind::malformed, fmt::format("a frame with more than {} descriptors", kDescriptorLimit));
    }
    if (got == 0) return failure(Kind::closed, "the peer closed the connection");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace

tl::expected<void, ChannelFailure> Channel::send(std::string_view text, const std::vector<int>& descriptors,
                                                 Deadline deadline) {
  if (text.size() > kFrameLimit || descriptors.size() > kDescriptorLimit) {
    return failure(Kind::malformed,
                   fmt::format("a frame of {} bytes and {} descriptors is over the limit of {} and {}",
                               text.size(), descriptors.size(), kFrameLimit, kDescriptorLimit));
  }
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string frame(sizeof length, '\0');
  std::memcpy(frame.data(), &length, sizeof length);
  frame += text;
  return send_bytes(socket_.get(), std::as_bytes(std::span(frame)), descriptors, deadline);
}

tl::expected<Frame, ChannelFailure> Channel::receive(Deadline deadline) {
  Frame frame;
  std::uint32_t length = 0;
  if (auto got = receive_bytes(socket_.get(), std::as_writable_bytes(std::span(&length, 1)),
                               frame.descriptors, deadline);
      !got) {
    return tl::unexpected(got.error());
  }
  if (length > kFrameLimit) {
    return failure(Kind::malformed,
                   fmt::format("a frame of {} bytes is over the limit of {}", length, kFrameLimit));
  }
  frame.bytes.resize(length);
  if (auto got = receive_bytes(socket_.get(), std::as_writable_bytes(std::span(frame.bytes)),
                               frame.descriptors, deadline);
      !got) {
    return tl::unexpected(got.error());
  }
  return frame;
}

bool Channel::has_unread() const {
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

std::pair<UniqueFd, UniqueFd> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace warpmark::wire
