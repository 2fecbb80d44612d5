// A session against the simulator's runtime, in this process: every request, and what it refuses.
#include "harness/worker/session.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Asked : public testing::Test {
 protected:
  Asked() {
    hello = session.answer({{"do", "hello"}, {"observe", false}}, {});
    load("versions");
  }
  void load(const std::string& as) {
    const json reply =
        session.answer({{"do", "load"}, {"library", as}, {"path", WARPMARK_SESSION_LIBRARY}}, {});
    EXPECT_EQ(reply, json::object());
  }
  json ask(const json& request) { return session.answer(request, {}); }
  json ask_with(const json& request, const SharedMemory& memory) {
    std::vector<UniqueFd> descriptors;
    descriptors.emplace_back(::dup(memory.fd()));
    return session.answer(request, descriptors);
  }
  json fill(const std::string& buffer, std::string_view contents) {
    SharedMemory memory(contents.size());
    if (!contents.empty()) std::memcpy(memory.bytes().data(), contents.data(), contents.size());
    return ask_with({{"do", "fill"}, {"buffer", buffer}}, memory);
  }
  std::string read(const json& reads, std::size_t bytes) {
    SharedMemory memory(bytes);
    const json reply = ask_with({{"do", "read"}, {"reads", reads}}, memory);
    return reply == json::object() ? text_of(memory) : reply.dump();
  }
  static std::string text_of(const SharedMemory& memory) {
    return {reinterpret_cast<const char*>(memory.bytes().data()), memory.size()};
  }
  // A call of `function` from buffer "in" to buffer "out".
  static json call_of(const std::string& function) {
    return {{"do", "call"},
            {"library", "versions"},
            {"function", function},
            {"adapter", "versions"},
            {"buffers", {{"in", 0, 4}, {"out", 0, 4}}},
            {"scalars", {0, 'z'}},
            {"checking", false},
            {"schedule", 0},
            {"host_readable", false},
            {"patches", json::array()},
            {"sweep", false},
            {"reads", {{"out", 0, 4}}}};
  }
  json upload(const std::string& function, std::string_view contents) {
    SharedMemory memory(contents.size());
    std::memcpy(memory.bytes().data(), contents.data(), contents.size());
    return ask_with({{"do", "upload"},
                     {"library", "versions"},
                     {"function", function},
                     {"adapter", "versions"},
                     {"count", contents.size()},
                     {"as", "values"},
                     {"host_readable", false}},
                    memory);
  }
  static std::uint64_t sent_to_the_device(const json& reply) {
    std::uint64_t bytes = 0;
    for (const json& transfer : reply.at("observed").at("transfers")) {
      if (transfer.at("direction") == "host_to_device") bytes += transfer.at("bytes").get<std::uint64_t>();
    }
    return bytes;
  }
  void expect_failed(const json& reply, const std::string& why) {
    ASSERT_TRUE(reply.contains("failed")) << reply;
    EXPECT_THAT(reply["failed"].get<std::string>(), HasSubstr(why));
    EXPECT_EQ(fill("still alive", "yes"), json::object());
  }

  Session session{make_observer(-1)};
  json hello;
};

TEST_F(Asked, says_hello_with_its_device) {
  EXPECT_EQ(hello.at("engine"), "simulator");
  EXPECT_EQ(hello.at("observer"), "");
  EXPECT_GE(hello.at("devices"), 1);
  EXPECT_FALSE(hello.at("device").get<std::string>().empty());
}

TEST_F(Asked, something_unknown_or_incomplete_fails_and_goes_on) {
  expect_failed(ask({{"do", "dance"}}), "no request is called dance");
  expect_failed(ask(json::object()), "do");
  expect_failed(ask({{"do", 7}}), "");
  expect_failed(ask({{"do", "fill"}}), "");
  expect_failed(ask({{"do", "fill"}, {"buffer", "x"}}), "exactly one descriptor");
  fill("in", "data");
  fill("out", "____");
  json call = call_of("copies");
  call.erase("scalars");
  expect_failed(ask(call), "scalars");
}

TEST_F(Asked, gives_back_what_it_was_given) {
  ASSERT_EQ(fill("a", "hello"), json::object());
  ASSERT_EQ(fill("b", ""), json::object());
  EXPECT_EQ(read({{"a", 0, 5}, {"b", 0, 0}, {"a", 1, 3}}, 8), "helloell");
}

TEST_F(Asked, makes_a_buffer_anew_in_another_size) {
  fill("a", "hello");
  fill("a", "hi");
  EXPECT_EQ(read({{"a", 0, 2}}, 2), "hi");
  EXPECT_THAT(read({{"a", 0, 5}}, 5), HasSubstr("outside"));
}

TEST_F(Asked, for_bytes_outside_of_a_buffer_refuses) {
  fill("a", "hello");
  const std::uint64_t huge = ~std::uint64_t{0};
  for (const json& view :
       {json{"a", 0, 6}, json{"a", 6, 0}, json{"a", 5, 1}, json{"a", 3, huge}, json{"a", huge, 6}}) {
    EXPECT_THAT(read(json::array({view}), 16), HasSubstr("is outside")) << view;
  }
  EXPECT_THAT(read({{"b", 0, 1}}, 16), HasSubstr("no buffer b"));
  EXPECT_EQ(read({{"a", 5, 0}}, 1), std::string(1, '\0')) << "nothing, right at the end";
}

TEST_F(Asked, for_more_than_the_target_holds_refuses) {
  fill("a", "hello");
  EXPECT_THAT(read({{"a", 0, 4}, {"a", 0, 1}}, 4), HasSubstr("larger than their target"));
}

TEST_F(Asked, to_load_what_is_not_there_says_why) {
  const json reply = ask({{"do", "load"}, {"library", "x"}, {"path", "/nowhere/lib.so"}});
  EXPECT_THAT(reply.at("not_loaded").get<std::string>(), HasSubstr("/nowhere/lib.so"));
}

TEST_F(Asked, to_call_what_was_not_loaded_or_exported_fails) {
  fill("in", "data");
  fill("out", "____");
  expect_failed(ask(call_of("nobody")), "no function nobody");
  json call = call_of("copies");
  call["library"] = "unknown";
  expect_failed(ask(call), "no library unknown");
}

TEST_F(Asked, to_call_runs_the_function_on_its_views_and_reads_back) {
  fill("in", "__data__");
  fill("out", "________");
  SharedMemory back(8);
  json call = call_of("copies");
  call["buffers"] = {{"in", 2, 4}, {"out", 4, 4}};
  call["reads"] = {{"out", 0, 8}};
  const json reply = ask_with(call, back);
  EXPECT_EQ(text_of(back), "____data");
  ASSERT_EQ(reply.at("event_ms").size(), 1U);
  EXPECT_GE(reply.at("event_ms").front().get<double>(), 0);
  EXPECT_TRUE(reply.at("observed").contains("findings"));
}

TEST_F(Asked, to_call_hands_over_the_scalars) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  ask_with(call_of("fills"), back);
  EXPECT_EQ(text_of(back), "zzzz");
}

TEST_F(Asked, to_patch_changes_single_values_before_the_call) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  json call = call_of("copies");
  call["patches"] = {{"in", 0, 1, 'D'}, {"in", 2, 2, 'X' + 256 * 'Y'}};
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "DaXY");
}

TEST_F(Asked, to_patch_outside_or_too_much_refuses) {
  fill("in", "data data data");
  fill("out", "____");
  for (const auto& [patch, why] :
       {std::pair{json{"in", 12, 4, 1}, "outside"}, {json{"in", 0, 9, 1}, "at most 8 bytes"}}) {
    json call = call_of("copies");
    call["patches"] = {patch};
    SharedMemory back(4);
    expect_failed(ask_with(call, back), why);
  }
}

TEST_F(Asked, to_take_turns_patches_and_reads_in_each_and_calls_in_the_last_ones) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(12);
  json call = call_of("copies");
  call["patches"] = {{"out", 0, 1, '.'}};
  call["turns"] = 3;
  call["calls"] = 1;
  EXPECT_EQ(ask_with(call, back).at("event_ms").size(), 1U);
  EXPECT_EQ(text_of(back), ".___.___data");
  call["calls"] = 3;
  EXPECT_EQ(ask_with(call, back).at("event_ms").size(), 3U);
  EXPECT_EQ(text_of(back), "datadatadata");
}

TEST_F(Asked, to_copy_a_buffer_makes_another_at_its_own_address) {
  fill("a", "data");
  ASSERT_EQ(ask({{"do", "copy"}, {"from", "a"}, {"to", "b"}}), json::object());
  fill("a", "else");
  EXPECT_EQ(read({{"a", 0, 4}, {"b", 0, 4}}, 8), "elsedata");
  expect_failed(ask({{"do", "copy"}, {"from", "nobody"}, {"to", "b"}}), "");
}

TEST_F(Asked, to_make_zeros_makes_them) {
  fill("a", "data");
  ASSERT_EQ(ask({{"do", "zeros"}, {"buffer", "a"}, {"bytes", 6}}), json::object());
  EXPECT_EQ(read({{"a", 0, 6}}, 6), std::string(6, '\0'));
}

TEST_F(Asked, for_conditions_answers_what_the_engine_knows_which_is_nothing_here) {
  EXPECT_EQ(ask({{"do", "conditions"}}), json::object());
}

TEST_F(Asked, to_sweep_does_so_before_the_call) {
  load("sweep");
  fill("sweep", "----");
  fill("out", "____");
  json call = call_of("copies");
  call["buffers"] = {{"sweep", 0, 4}, {"out", 0, 4}};
  SharedMemory back(4);
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "----");
  call["sweep"] = true;
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "ssss");
}

TEST_F(Asked, to_sweep_without_a_sweep_fails) {
  fill("in", "data");
  fill("out", "____");
  json call = call_of("copies");
  call["sweep"] = true;
  SharedMemory back(4);
  expect_failed(ask_with(call, back), "no library sweep");
}

TEST_F(Asked, to_call_tells_a_cuda_error_and_reads_nothing) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  const json reply = ask_with(call_of("fails"), back);
  EXPECT_THAT(reply.at("cuda_error").at("error").get<std::string>(), HasSubstr("cudaError"));
  EXPECT_FALSE(reply.contains("event_ms"));
  EXPECT_EQ(text_of(back), std::string(4, '\0'));
  EXPECT_FALSE(ask_with(call_of("copies"), back).contains("cuda_error")) << "yesterday's error is no news";
}

TEST_F(Asked, to_call_or_upload_lets_no_exception_pass) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  EXPECT_EQ(ask_with(call_of("throws"), back).at("threw"), "own goal");
  EXPECT_TRUE(ask_with(call_of("throws_oddly"), back).contains("threw"));
  EXPECT_EQ(upload("to_an_exception", "values!").at("threw"), "own goal");
  EXPECT_FALSE(ask_with(call_of("copies"), back).contains("threw"));
}

TEST_F(Asked, to_call_observes_that_call_alone) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  json call = call_of("uploads");
  call["patches"] = {{"in", 0, 1, 'D'}};
  EXPECT_EQ(sent_to_the_device(ask_with(call, back)), 4U);
  EXPECT_EQ(sent_to_the_device(ask_with(call_of("copies"), back)), 0U);
}

TEST_F(Asked, to_upload_takes_the_memory_over_and_tells_its_kind) {
  const json reply = upload("to_device", "values!");
  EXPECT_EQ(reply.at("memory"), "device");
  EXPECT_EQ(sent_to_the_device(reply), 7U);
  EXPECT_EQ(read({{"values", 0, 7}}, 7), "values!");
}

TEST_F(Asked, to_upload_tells_memory_that_is_not_on_the_device) {
  for (const auto& [function, memory] :
       {std::pair{"to_nowhere", "null"}, {"to_the_heap", "unregistered"}, {"to_pinned", "host"}}) {
    EXPECT_EQ(upload(function, "values!").at("memory"), memory) << function;
    EXPECT_THAT(read({{"values", 0, 7}}, 7), HasSubstr("no buffer values")) << function;
  }
  EXPECT_EQ(upload("to_managed", "values!").at("memory"), "managed");
}

TEST_F(Asked, to_upload_tells_a_cuda_error) {
  EXPECT_TRUE(upload("to_an_error", "values!").contains("cuda_error"));
}

TEST_F(Asked, for_a_canary_shows_one_copy_of_its_size) {
  const json reply = ask({{"do", "canary"}, {"bytes", 12345}});
  EXPECT_EQ(sent_to_the_device(reply), 12345U);
  EXPECT_EQ(reply.at("observed").at("transfers").size(), 1U);
}

}  // namespace
}  // namespace warpmark
