#include "harness/wire/channel.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/base/file.h"

namespace warpmark::wire {
namespace {

using testing::HasSubstr;
using Kind = ChannelFailure::Kind;

// Deadlines: one that a test never reaches when all is well, and one that has passed already.
Channel::Deadline in_good_time() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}
Channel::Deadline already_over() {
  return std::chrono::steady_clock::now() - std::chrono::seconds(1);
}
Channel::Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
}

std::string header_of(std::uint32_t length) {
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  return text;
}

std::string frame_of(std::string_view text) {
  return header_of(static_cast<std::uint32_t>(text.size())) + std::string(text);
}

// One end is a channel, at the other the test writes what it likes.
class RawPeer : public testing::Test {
 protected:
  RawPeer() : RawPeer(make_socket_pair()) {}
  explicit RawPeer(std::pair<UniqueFd, UniqueFd> ends)
      : channel(std::move(ends.first)), peer(std::move(ends.second)) {}

  void write_raw(std::string_view bytes) const {
    ASSERT_EQ(::write(peer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  // `byte` with `count` copies of a descriptor beside it.
  void write_with_descriptors(char byte, std::size_t count) const {
    std::vector<char> control(CMSG_SPACE(sizeof(int) * count));
    iovec part{&byte, 1};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    for (std::size_t i = 0; i < count; ++i) {
      const int fd = peer.get();
      std::memcpy(CMSG_DATA(header) + i * sizeof fd, &fd, sizeof fd);
    }
    ASSERT_EQ(::sendmsg(peer.get(), &message, 0), 1);
  }
  // What receiving fails with; nothing but this test's own failure when it does not.
  ChannelFailure failure_of_receive(Channel::Deadline deadline) {
    const auto frame = channel.receive(deadline);
    EXPECT_FALSE(frame) << "a frame came: " << (frame ? frame->bytes : "");
    return frame ? ChannelFailure{} : frame.error();
  }

  Channel channel;
  UniqueFd peer;
};

// Two channels, as judge and worker have them.
class TwoChannels : public testing::Test {
 protected:
  TwoChannels() : TwoChannels(make_socket_pair()) {}
  explicit TwoChannels(std::pair<UniqueFd, UniqueFd> ends)
      : one(std::move(ends.first)), other(std::move(ends.second)) {}
  Channel one;
  Channel other;
};

TEST_F(TwoChannels, carry_a_frame_as_it_was) {
  const std::string bytes("any\0 bytes \xff", 12);
  ASSERT_TRUE(one.send(bytes, {}, in_good_time()));
  const auto frame = other.receive(in_good_time());
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_EQ(frame->bytes, bytes);
  EXPECT_TRUE(frame->descriptors.empty());
}

TEST_F(TwoChannels, carry_frames_both_ways_and_in_order) {
  ASSERT_TRUE(one.send("request 1", {}, in_good_time()));
  ASSERT_TRUE(one.send("request 2", {}, in_good_time()));
  ASSERT_TRUE(other.send("reply 1", {}, in_good_time()));
  EXPECT_EQ(other.receive(in_good_time()).value().bytes, "request 1");
  EXPECT_EQ(other.receive(in_good_time()).value().bytes, "request 2");
  EXPECT_EQ(one.receive(in_good_time()).value().bytes, "reply 1");
}

TEST_F(TwoChannels, carry_descriptors_with_their_own_frame) {
  SharedMemory first(4);
  SharedMemory second(4);
  std::memcpy(first.bytes().data(), "one!", 4);
  std::memcpy(second.bytes().data(), "two!", 4);
  ASSERT_TRUE(one.send("n 0", {}, in_good_time()));
  ASSERT_TRUE(one.send("n 1", {first.fd(), second.fd()}, in_good_time()));
  ASSERT_TRUE(one.send("n 2", {}, in_good_time()));
  EXPECT_TRUE(other.receive(in_good_time()).value().descriptors.empty());
  const auto frame = other.receive(in_good_time());
  ASSERT_TRUE(frame);
  ASSERT_EQ(frame->descriptors.size(), 2U);
  std::array<char, 4> bytes{};
  ASSERT_EQ(::pread(frame->descriptors[0].get(), bytes.data(), bytes.size(), 0), 4);
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), "one!");
  ASSERT_EQ(::pread(frame->descriptors[1].get(), bytes.data(), bytes.size(), 0), 4);
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), "two!");
  EXPECT_TRUE(other.receive(in_good_time()).value().descriptors.empty());
}

TEST_F(TwoChannels, hand_over_descriptors_that_no_program_inherits) {
  const SharedMemory memory(1);
  ASSERT_TRUE(one.send("{}", {memory.fd()}, in_good_time()));
  const auto frame = other.receive(in_good_time());
  ASSERT_TRUE(frame);
  EXPECT_NE(::fcntl(frame->descriptors.at(0).get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(other.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(TwoChannels, carry_a_frame_larger_than_the_socket_holds_and_its_descriptor_once) {
  const std::string bytes(std::size_t{4} << 20, 'x');
  const SharedMemory memory(1);
  std::jthread sender([&] { EXPECT_TRUE(one.send(bytes, {memory.fd()}, in_good_time())); });
  const auto frame = other.receive(in_good_time());
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_EQ(frame->bytes, bytes);
  EXPECT_EQ(frame->descriptors.size(), 1U);
}

TEST_F(TwoChannels, refuse_to_send_what_the_other_end_would_not_take) {
  const auto too_long = one.send(std::string(kFrameLimit + 1, 'x'), {}, in_good_time());
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().kind, Kind::malformed);
  EXPECT_THAT(too_long.error().message, HasSubstr(std::to_string(kFrameLimit)));
  const auto too_many = one.send("{}", std::vector<int>(kDescriptorLimit + 1, 0), in_good_time());
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().kind, Kind::malformed);
  EXPECT_FALSE(other.has_unread()) << "part of a refused frame was sent";
}

TEST_F(TwoChannels, stop_sending_at_the_deadline_when_nobody_reads) {
  const auto sent = one.send(std::string(kFrameLimit / 2, 'x'), {}, soon());
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, Kind::timed_out);
}

TEST_F(RawPeer, gone_before_a_frame_is_sent_is_closed_and_no_signal) {
  peer.reset();
  const auto sent = channel.send("{}", {}, in_good_time());
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, Kind::closed);
}

TEST_F(RawPeer, gone_before_an_answer_is_closed) {
  peer.reset();
  EXPECT_EQ(failure_of_receive(in_good_time()).kind, Kind::closed);
}

TEST_F(RawPeer, gone_in_the_middle_of_a_frame_is_closed) {
  write_raw(frame_of(R"({"reply": 1})").substr(0, 9));
  peer.reset();
  EXPECT_EQ(failure_of_receive(in_good_time()).kind, Kind::closed);
}

TEST_F(RawPeer, gone_in_the_middle_of_a_length_is_closed) {
  write_raw("\1\0");
  peer.reset();
  EXPECT_EQ(failure_of_receive(in_good_time()).kind, Kind::closed);
}

TEST_F(RawPeer, silent_until_the_deadline_is_timed_out) {
  EXPECT_EQ(failure_of_receive(soon()).kind, Kind::timed_out);
  EXPECT_EQ(failure_of_receive(already_over()).kind, Kind::timed_out);
}

TEST_F(RawPeer, silent_in_the_middle_of_a_frame_is_timed_out) {
  write_raw(frame_of(R"({"reply": 1})").substr(0, 9));
  EXPECT_EQ(failure_of_receive(soon()).kind, Kind::timed_out);
}

TEST_F(RawPeer, announcing_more_than_the_limit_is_refused_before_it_comes) {
  write_raw(header_of(kFrameLimit + 1));
  const ChannelFailure failure = failure_of_receive(in_good_time());
  EXPECT_EQ(failure.kind, Kind::malformed);
  EXPECT_THAT(failure.message, HasSubstr(std::to_string(kFrameLimit + 1)));
}

TEST_F(RawPeer, printing_into_the_socket_is_malformed) {
  write_raw("hello, world\n");
  EXPECT_EQ(failure_of_receive(in_good_time()).kind, Kind::malformed);
}

TEST_F(RawPeer, sending_descriptors_without_end_is_refused) {
  const std::string frame = frame_of(R"({"reply": 1})");
  for (const char byte : frame) write_with_descriptors(byte, kDescriptorLimit);
  EXPECT_EQ(failure_of_receive(in_good_time()).kind, Kind::malformed);
}

TEST_F(RawPeer, answering_twice_leaves_something_unread) {
  EXPECT_FALSE(channel.has_unread());
  write_raw(frame_of("{}") + frame_of("{}"));
  EXPECT_TRUE(channel.has_unread());
  ASSERT_TRUE(channel.receive(in_good_time()));
  EXPECT_TRUE(channel.has_unread());
  ASSERT_TRUE(channel.receive(in_good_time()));
  EXPECT_FALSE(channel.has_unread());
}

TEST_F(RawPeer, gone_leaves_nothing_unread) {
  peer.reset();
  EXPECT_FALSE(channel.has_unread()) << "the end of a connection is no answer";
}

}  // namespace
}  // namespace warpmark::wire
