// A session against the simulator's runtime, in this process, and what asks it.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/worker/session.h"

namespace warpmark {

class Asked : public testing::Test {
 protected:
  Asked() {
    hello = ask(wire::Hello{false});
    load("versions");
  }
  void load(const std::string& as) {
    EXPECT_EQ(ask(wire::Load{as, WARPMARK_SESSION_LIBRARY}), wire::LoadReply{});
  }
  // The reply; of a request that failed an empty one, and `why` says what failed.
  template <class Request>
  typename Request::Answer take(wire::Reply reply) {
    const auto* failed = std::get_if<wire::FailedReply>(&reply);
    why = failed == nullptr ? "" : failed->why;
    return failed == nullptr ? std::get<typename Request::Answer>(reply) : typename Request::Answer{};
  }
  template <class Request>
  typename Request::Answer ask(const Request& request) {
    return take<Request>(session.answer(request, {}));
  }
  template <class Request>
  typename Request::Answer ask_with(const Request& request, const SharedMemory& memory) {
    std::vector<UniqueFd> descriptors;
    descriptors.emplace_back(::dup(memory.fd()));
    return take<Request>(session.answer(request, descriptors));
  }
  void fill(const std::string& buffer, std::string_view contents) {
    SharedMemory memory(contents.size());
    if (!contents.empty()) std::memcpy(memory.bytes().data(), contents.data(), contents.size());
    ask_with(wire::Fill{buffer}, memory);
    EXPECT_EQ(why, "");
  }
  // What was read, or why it was not.
  std::string read(std::vector<wire::View> reads, std::size_t bytes) {
    SharedMemory memory(bytes);
    ask_with(wire::Read{std::move(reads)}, memory);
    return why.empty() ? text_of(memory) : why;
  }
  static std::string text_of(const SharedMemory& memory) {
    return {reinterpret_cast<const char*>(memory.bytes().data()), memory.size()};
  }
  // A call of `function` from buffer "in" to buffer "out".
  static wire::Call call_of(const std::string& function) {
    return {.library = "versions",
            .function = function,
            .adapter = "versions",
            .buffers = {{"in", 0, 4}, {"out", 0, 4}},
            .scalars = {0, 'z'},
            .mode = {},
            .patches = {},
            .reads = {{"out", 0, 4}}};
  }
  wire::UploadReply upload(const std::string& function, std::string_view contents) {
    SharedMemory memory(contents.size());
    std::memcpy(memory.bytes().data(), contents.data(), contents.size());
    return ask_with(wire::Upload{.library = "versions",
                                 .function = function,
                                 .adapter = "versions",
                                 .count = contents.size(),
                                 .as = "values"},
                    memory);
  }
  static std::uint64_t sent_to_the_device(const wire::Seen& reply) {
    std::uint64_t bytes = 0;
    for (const wire::Transfer& transfer : reply.observed.transfers) {
      if (transfer.direction == wire::Direction::host_to_device) bytes += transfer.bytes;
    }
    return bytes;
  }
  // That the request before failed so, and the session goes on.
  void expect_failed(const std::string& because) {
    EXPECT_NE(why, "");
    EXPECT_THAT(why, testing::HasSubstr(because));
    fill("still alive", "yes");
  }

  SharedMemory last_words{0};
  Session session{make_observer(-1), last_words.fd()};
  wire::HelloReply hello;
  std::string why;
};

}  // namespace warpmark
