// A program that writes to its device what no CUDA runtime would.
#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "harness/judge/workers/simulated_device.h"
#include "harness/simulator/both/functions.h"
#include "harness/simulator/both/mailbox.h"
#include "harness/simulator/both/packing.h"
#include "tests/hostile/mailbox.h"

namespace warpmark {
namespace {

// What submissions write past the runtime is what the device reads.
static_assert(offsetof(past_the_runtime::Mailbox, bytes) == offsetof(simulator::Mailbox, bytes) &&
              offsetof(past_the_runtime::Mailbox, site) == offsetof(simulator::Mailbox, site) &&
              offsetof(past_the_runtime::Mailbox, attached) == offsetof(simulator::Mailbox, attached) &&
              offsetof(past_the_runtime::Mailbox, room) == offsetof(simulator::Mailbox, room) &&
              past_the_runtime::kMark == static_cast<unsigned>(simulator::Special::mark) &&
              past_the_runtime::kBeginCall == static_cast<unsigned>(simulator::Special::begin_call) &&
              past_the_runtime::kSave == static_cast<unsigned>(simulator::Special::save));

using simulator::Mailbox;
using simulator::Message;
using simulator::Turn;

class Forger : public testing::Test {
 protected:
  void SetUp() override {
    auto started = judge::SimulatedDevice::start({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB});
    ASSERT_TRUE(started) << started.error().message;
    device.emplace(std::move(*started));
    channel.emplace(device->take_program_end());
    auto frame = channel->receive(wire::Channel::kNoDeadline);
    ASSERT_TRUE(frame && frame->descriptors.size() == 2);
    files = std::move(frame->descriptors);
    void* mapped = mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE, MAP_SHARED, files[0].get(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    mailbox = static_cast<Mailbox*>(mapped);
  }
  void TearDown() override {
    if (mailbox != nullptr) munmap(mailbox, sizeof(Mailbox));
  }

  // False when the device is gone.
  bool send(Message kind, std::size_t bytes, std::size_t attached = 0) {
    mailbox->kind = kind;
    mailbox->bytes = static_cast<std::uint32_t>(bytes);
    mailbox->attached = static_cast<std::uint32_t>(attached);
    hand_over(*mailbox, Turn::device);
    simulator::Patience patience;
    return await(*mailbox, Turn::program, channel->fd(), patience);
  }
  // What a call of these bytes comes to.
  cudaError_t call(const std::string& bytes) {
    std::memcpy(mailbox->room.data(), bytes.data(), bytes.size());
    EXPECT_TRUE(send(Message::call, bytes.size())) << "the device is gone";
    cudaError_t error = cudaSuccess;
    std::memcpy(&error, mailbox->room.data(), sizeof error);
    return error;
  }
  static std::string number(std::uint32_t of) { return {reinterpret_cast<const char*>(&of), sizeof of}; }
  void expect_tampering() {
    const auto cause = device->why_it_ended();
    ASSERT_TRUE(cause);
    EXPECT_EQ(cause->kind, CauseKind::tampering) << cause->message;
  }

  std::optional<judge::SimulatedDevice> device;
  std::optional<wire::Channel> channel;
  std::vector<UniqueFd> files;
  Mailbox* mailbox = nullptr;
};

TEST_F(Forger, whose_message_is_none_is_found_out) {
  EXPECT_FALSE(send(static_cast<Message>(77), 4));
  expect_tampering();
}

TEST_F(Forger, who_answers_what_was_not_asked_is_found_out) {
  EXPECT_FALSE(send(Message::answer, 4));
  expect_tampering();
}

TEST_F(Forger, whose_call_is_longer_than_the_room_is_found_out) {
  EXPECT_FALSE(send(Message::call, Mailbox::kRoom + 1));
  expect_tampering();
}

TEST_F(Forger, whose_attachment_is_longer_than_the_room_is_found_out) {
  EXPECT_FALSE(send(Message::call, 16, Mailbox::kRoom - 15));
  expect_tampering();
}

TEST_F(Forger, of_calls_that_cannot_be_read_gets_an_error) {
  EXPECT_EQ(call(""), cudaErrorInvalidValue) << "cudaMalloc without arguments";
  EXPECT_EQ(call(number(999)), cudaErrorInvalidValue);
  EXPECT_EQ(call(number(~0U)), cudaErrorInvalidValue);
  const auto add_kernel = static_cast<std::uint32_t>(simulator::Special::add_kernel);
  EXPECT_EQ(call(number(add_kernel) + std::string(16, 'x') + std::string(8, '\xff')), cudaErrorInvalidValue)
      << "a name without end, for a module that is none";
}

TEST_F(Forger, cannot_shorten_the_memory_under_the_device) {
  for (const UniqueFd& file : files) EXPECT_NE(ftruncate(file.get(), 0), 0);
}

TEST_F(Forger, who_is_gone_leaves_what_was_seen) {
  const auto mark = static_cast<std::uint32_t>(simulator::Special::mark);
  EXPECT_EQ(call(number(mark)), cudaSuccess);
  channel.reset();
  const auto seen = device->drain(false, std::chrono::steady_clock::now() + std::chrono::seconds(60));
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(seen->marks, 1U);
}

}  // namespace
}  // namespace warpmark
