// Every request to a session, and what it refuses.
#include "harness/base/file.h"
#include "harness/wire/codec.h"
#include "tests/worker/asked.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

TEST_F(Asked, says_hello_with_its_device) {
  EXPECT_EQ(hello.engine, "simulator");
  EXPECT_EQ(hello.observer, "");
  EXPECT_GE(hello.devices, 1);
  EXPECT_FALSE(hello.device.empty());
}

TEST_F(Asked, without_the_descriptor_that_it_needs_fails_and_goes_on) {
  ask(wire::Fill{"x"});
  expect_failed("exactly one descriptor");
}

TEST_F(Asked, gives_back_what_it_was_given) {
  fill("a", "hello");
  fill("b", "");
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
  for (const wire::View& view :
       std::vector<wire::View>{{"a", 0, 6}, {"a", 6, 0}, {"a", 5, 1}, {"a", 3, huge}, {"a", huge, 6}}) {
    EXPECT_THAT(read({view}, 16), HasSubstr("is outside")) << view.offset << ", " << view.bytes;
  }
  EXPECT_THAT(read({{"b", 0, 1}}, 16), HasSubstr("no buffer b"));
  EXPECT_EQ(read({{"a", 5, 0}}, 1), std::string(1, '\0')) << "nothing, right at the end";
}

TEST_F(Asked, for_more_than_the_target_holds_refuses) {
  fill("a", "hello");
  EXPECT_THAT(read({{"a", 0, 4}, {"a", 0, 1}}, 4), HasSubstr("larger than their target"));
}

TEST_F(Asked, to_load_what_is_not_there_says_why) {
  EXPECT_THAT(ask(wire::Load{"x", "/nowhere/lib.so"}).not_loaded.value(), HasSubstr("/nowhere/lib.so"));
}

TEST_F(Asked, to_call_what_was_not_loaded_or_exported_fails) {
  fill("in", "data");
  fill("out", "____");
  ask(call_of("nobody"));
  expect_failed("no function nobody");
  wire::Call call = call_of("copies");
  call.library = "unknown";
  ask(call);
  expect_failed("no library unknown");
}

TEST_F(Asked, to_call_runs_the_function_on_its_views_and_reads_back) {
  fill("in", "__data__");
  fill("out", "________");
  SharedMemory back(8);
  wire::Call call = call_of("copies");
  call.buffers = {{"in", 2, 4}, {"out", 4, 4}};
  call.reads = {{"out", 0, 8}};
  const wire::CallReply reply = ask_with(call, back);
  EXPECT_EQ(text_of(back), "____data");
  ASSERT_EQ(reply.event_ms.size(), 1U);
  EXPECT_GE(reply.event_ms.front(), 0);
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
  wire::Call call = call_of("copies");
  call.patches = {{{"in", 0, 1}, 'D'}, {{"in", 2, 2}, 'X' + 256 * 'Y'}};
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "DaXY");
}

TEST_F(Asked, to_patch_values_that_lie_side_by_side_changes_all_of_them) {
  const auto value = [](const char* eight_letters) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, eight_letters, sizeof bits);
    return bits;
  };
  fill("in", "____________________");
  fill("out", "____________________");
  SharedMemory back(20);
  wire::Call call = call_of("copies");
  call.buffers = {{"in", 0, 20}, {"out", 0, 20}};
  call.reads = {{"out", 0, 20}};
  call.patches = {
      {{"in", 1, 8}, value("abcdefgh")}, {{"in", 9, 8}, value("ijklmnop")}, {{"in", 17, 2}, 'q' + 256 * 'r'}};
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "_abcdefghijklmnopqr_");
}

TEST_F(Asked, to_patch_outside_or_too_much_refuses) {
  fill("in", "data data data");
  fill("out", "____");
  for (const auto& [patch, because] : {std::pair{wire::Patch{{"in", 12, 4}, 1}, "outside"},
                                       {wire::Patch{{"in", 0, 9}, 1}, "at most 8 bytes"}}) {
    wire::Call call = call_of("copies");
    call.patches = {patch};
    SharedMemory back(4);
    ask_with(call, back);
    expect_failed(because);
  }
}

TEST_F(Asked, to_take_turns_patches_and_reads_in_each_and_calls_in_the_last_ones) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(12);
  wire::Call call = call_of("copies");
  call.patches = {{{"out", 0, 1}, '.'}};
  call.turns = 3;
  call.calls = 1;
  EXPECT_EQ(ask_with(call, back).event_ms.size(), 1U);
  EXPECT_EQ(text_of(back), ".___.___data");
  call.calls = 3;
  EXPECT_EQ(ask_with(call, back).event_ms.size(), 3U);
  EXPECT_EQ(text_of(back), "datadatadata");
}

TEST_F(Asked, to_copy_a_buffer_makes_another_at_its_own_address) {
  fill("a", "data");
  ask(wire::Copy{"a", "b"});
  EXPECT_EQ(why, "");
  fill("a", "else");
  EXPECT_EQ(read({{"a", 0, 4}, {"b", 0, 4}}, 8), "elsedata");
  ask(wire::Copy{"nobody", "b"});
  expect_failed("no buffer nobody");
}

TEST_F(Asked, to_make_zeros_makes_them) {
  fill("a", "data");
  ask(wire::Zeros{"a", 6});
  EXPECT_EQ(read({{"a", 0, 6}}, 6), std::string(6, '\0'));
}

TEST_F(Asked, for_conditions_answers_what_the_engine_knows_which_is_nothing_here) {
  EXPECT_EQ(ask(wire::ReadConditions{}), wire::ConditionsReply{});
}

TEST_F(Asked, to_sweep_does_so_before_the_call) {
  load("sweep");
  fill("sweep", "----");
  fill("out", "____");
  wire::Call call = call_of("copies");
  call.buffers = {{"sweep", 0, 4}, {"out", 0, 4}};
  SharedMemory back(4);
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "----");
  call.sweep = true;
  ask_with(call, back);
  EXPECT_EQ(text_of(back), "ssss");
}

TEST_F(Asked, for_a_timed_call_meets_the_other_ranks_once_all_but_the_call_is_done) {
  fill("in", "data");
  fill("out", "____");
  load("sweep");
  fill("sweep", "----");
  int met = 0;
  session.set_meeting([&] {
    ++met;
    EXPECT_EQ(read({{"sweep", 0, 4}, {"out", 0, 4}}, 8), "ssss____");
  });
  wire::Call call = call_of("copies");
  SharedMemory back(4);
  ask_with(call, back);
  EXPECT_EQ(met, 0) << "no timed call";
  fill("out", "____");
  call.sweep = true;
  call.turns = call.calls = 2;
  SharedMemory twice(8);
  ask_with(call, twice);
  EXPECT_EQ(why, "");
  EXPECT_EQ(met, 1);
}

TEST_F(Asked, to_sweep_without_a_sweep_fails) {
  fill("in", "data");
  fill("out", "____");
  wire::Call call = call_of("copies");
  call.sweep = true;
  SharedMemory back(4);
  ask_with(call, back);
  expect_failed("no library sweep");
}

TEST_F(Asked, to_call_tells_a_cuda_error_and_reads_nothing) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  const wire::CallReply reply = ask_with(call_of("fails"), back);
  EXPECT_THAT(reply.failure.cuda_error.value().error, HasSubstr("cudaError"));
  EXPECT_TRUE(reply.event_ms.empty());
  EXPECT_EQ(text_of(back), std::string(4, '\0'));
  EXPECT_FALSE(ask_with(call_of("copies"), back).failure.cuda_error.has_value())
      << "yesterday's error is no news";
}

TEST_F(Asked, to_call_or_upload_lets_no_exception_pass) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  EXPECT_EQ(ask_with(call_of("throws"), back).failure.threw, "own goal");
  EXPECT_TRUE(ask_with(call_of("throws_oddly"), back).failure.threw.has_value());
  EXPECT_EQ(upload("to_an_exception", "values!").failure.threw, "own goal");
  EXPECT_FALSE(ask_with(call_of("copies"), back).failure.threw.has_value());
}

TEST_F(Asked, to_call_observes_that_call_alone) {
  fill("in", "data");
  fill("out", "____");
  SharedMemory back(4);
  wire::Call call = call_of("uploads");
  call.patches = {{{"in", 0, 1}, 'D'}};
  EXPECT_EQ(sent_to_the_device(ask_with(call, back)), 4U);
  EXPECT_EQ(sent_to_the_device(ask_with(call_of("copies"), back)), 0U);
}

TEST_F(Asked, finds_the_call_that_frees_what_it_was_given) {
  fill("in", "data");
  fill("out", "____");
  wire::Call call = call_of("frees");
  call.reads = {};
  const auto reply = ask(call);
  ASSERT_EQ(reply.observed.findings.size(), 1U);
  EXPECT_EQ(reply.observed.findings[0].kind, CauseKind::use_after_free);
  EXPECT_THAT(reply.observed.findings[0].message, HasSubstr("the caller's"));
}

TEST_F(Asked, writes_where_a_call_is_that_does_not_come_back) {
  fill("in", "data");
  fill("out", "____");
  wire::Call call = call_of("waits");
  call.reads = {};
  call.scalars = {static_cast<std::uint64_t>(last_words.fd())};
  call.look_after_ms = 1;
  ask(call);
  EXPECT_EQ(why, "");
  std::string said(1024, '\0');
  said.resize(static_cast<std::size_t>(::pread(last_words.fd(), said.data(), said.size(), 0)));
  ASSERT_THAT(said, testing::EndsWith("\n"));
  const auto line = wire::decode_journal_line(std::string_view(said).substr(0, said.size() - 1));
  ASSERT_TRUE(line) << line.error().why;
  EXPECT_FALSE(std::get<wire::Frames>(*line).frames.empty());
  EXPECT_FALSE(std::get<wire::Frames>(*line).in_launch);
}

TEST_F(Asked, for_a_canary_shows_one_copy_of_its_size) {
  const wire::CanaryReply reply = ask(wire::Canary{12345});
  EXPECT_EQ(sent_to_the_device(reply), 12345U);
  EXPECT_EQ(reply.observed.transfers.size(), 1U);
}

}  // namespace
}  // namespace warpmark
