// Every message there and back, and what of a worker's bytes is refused.
#include "harness/wire/codec.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::wire {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

WarpAccess warp_access() {
  return {.array = "shared",
          .block = "block (1,0,0)",
          .line = 3,
          .writes = true,
          .shared = true,
          .bytes = 4,
          .each = 2,
          .before = 1,
          .first = 1,
          .elements = 32,
          .phase = 64,
          .passes = 2,
          .number = 32,
          .threads = {"(0,0,0)", "(1,0,0)"},
          .positions = {0, 2}};
}

Finding finding() {
  return {.kind = CauseKind::race,
          .kernel = "k",
          .file = "a.cu",
          .line = 3,
          .other_line = 7,
          .message = "line\n\"quoted\" \xc3\xa9",
          .callers = ", called from a.cu:17",
          .frames = {18446744073709551615U, 2},
          .accesses = {{"thread (32,0,0)", "shared[32]", 3, true, 2, 5},
                       {"thread (0,0,0)", "shared[32]", 7, false, 2, 5}},
          .warp_access = warp_access(),
          .block_threads = {{0, 15, ThreadState::waits, 12}, {16, 31, ThreadState::returned, 0}}};
}

Launch launch() {
  Launch launch{.kernel = "k",
                .grid = {4096, 2, 1},
                .block = {32, 1, 1},
                .shared_bytes = 1024,
                .work = {},
                .when = Period{5, 9}};
  CountedWork& work = launch.work.emplace();
  for (std::size_t i = 0; i < kCounterNames.size(); ++i)
    work.counters.set(kCounterNames[i], 0.5 + static_cast<double>(i));
  work.lines = {{.file = "a.cu",
                 .line = 4,
                 .instructions = 1,
                 .active_lanes = 31.5,
                 .requests = 2,
                 .sectors = 3,
                 .shared_requests = 4,
                 .conflicts = 5,
                 .atomics = 6,
                 .barriers = 7,
                 .costly = warp_access()}};
  return launch;
}

Observation observation() {
  Observation seen;
  seen.findings = {finding(), {.kernel = {}, .file = {}, .message = {}, .frames = {}}};
  seen.launches = {launch(), {.kernel = "other", .work = {}, .when = {}}};
  seen.transfers = {{.direction = Direction::device_to_host,
                     .kind = TransferKind::managed,
                     .bytes = 12,
                     .launches_before = 1,
                     .when = Period{1, 2}}};
  seen.notes = {{"k", "noted"}};
  return seen;
}

Observation events() {
  Observation seen;
  seen.events = {{.launch = LaunchEvent{"k"}, .transfer = {}, .count = 3, .when = Period{1, 2}},
                 {.launch = {},
                  .transfer = TransferEvent{Direction::host_to_device, TransferKind::mapped, 77},
                  .when = {}}};
  return seen;
}

template <class T>
class Replies : public testing::Test {};

template <class T>
T filled() {
  T reply;
  reply.before = events();
  reply.observed = observation();
  if constexpr (std::is_same_v<T, HelloReply>) {
    reply.engine = "gpu";
    reply.observer = "no CUPTI";
    reply.devices = 2;
    reply.no_device = "none";
    reply.device = "H200";
    reply.l2_bytes = 1 << 20;
    reply.peak_bytes_per_s = 4.8e12;
    reply.uuid = "u";
    reply.cuda = "13.0";
    reply.multiprocessors = 132;
    reply.capability = 90;
    reply.clock_hz = 1.98e9;
    reply.free_bytes = std::uint64_t{1} << 37;
  } else if constexpr (std::is_same_v<T, LoadReply>) {
    reply.not_loaded = "undefined symbol";
  } else if constexpr (std::is_same_v<T, CallReply>) {
    reply.failure = {CudaError{"cudaErrorInvalidValue", "invalid", "launch"}, "thrown"};
    reply.event_ms = {0, 0.25, 3};
  } else if constexpr (std::is_same_v<T, UploadReply>) {
    reply.failure.threw = "thrown";
    reply.memory = Memory::managed;
  } else if constexpr (std::is_same_v<T, ConditionsReply>) {
    reply.driver = "580";
    reply.processes = 1;
    reply.sm_mhz = 2;
    reply.memory_mhz = 3;
    reply.celsius = 4;
    reply.throttled_by = {"power limit"};
  } else if constexpr (std::is_same_v<T, FailedReply>) {
    reply.why = "out of memory";
  }
  return reply;
}

using ReplyTypes = testing::Types<HelloReply, LoadReply, FillReply, ZerosReply, CopyReply, CallReply,
                                  UploadReply, CanaryReply, ReadReply, ConditionsReply, FailedReply>;
TYPED_TEST_SUITE(Replies, ReplyTypes);

TYPED_TEST(Replies, come_back_as_they_were) {
  for (const TypeParam& reply : {TypeParam{}, filled<TypeParam>()}) {
    const NumberedReply sent{41, reply};
    const auto decoded = decode_reply(encode(sent));
    ASSERT_TRUE(decoded) << decoded.error().why;
    EXPECT_EQ(*decoded, sent);
  }
}

TEST(DeviceMessages, come_back_as_they_were) {
  RunMode mode;
  mode.schedule = 7;
  mode.count_work = true;
  mode.keep_costly = true;
  for (const DeviceRequest& sent : {DeviceRequest{}, DeviceRequest{5, mode, true, true}}) {
    const auto decoded = decode_device_request(encode(sent));
    ASSERT_TRUE(decoded) << decoded.error().why;
    EXPECT_EQ(*decoded, sent);
  }
  for (const DeviceReply& sent : {DeviceReply{}, DeviceReply{6, events(), observation(), 2, 3, 1'000'000}}) {
    const auto decoded = decode_device_reply(encode(sent));
    ASSERT_TRUE(decoded) << decoded.error().why;
    EXPECT_EQ(*decoded, sent);
  }
  EXPECT_FALSE(decode_device_reply("{}"));
  EXPECT_FALSE(decode_device_request(R"({"audit":1,"drain":true,"number":1})"));
}

TEST(Requests, come_back_as_they_were) {
  const std::vector<Request> requests{Hello{true},
                                      Load{"v", "/lib.so"},
                                      Fill{"b", true},
                                      Zeros{"b", 9},
                                      Copy{"a", "b"},
                                      Call{.library = "v",
                                           .function = "f",
                                           .adapter = "v.adapter",
                                           .buffers = {{"b", 1, 2}},
                                           .scalars = {18446744073709551615U},
                                           .mode = {true, 2, true, true, true, true, true, 9},
                                           .patches = {{{"b", 0, 4}, 5}},
                                           .sweep = true,
                                           .reads = {{"b", 3, 4}},
                                           .turns = 5,
                                           .calls = 6},
                                      Upload{"v", "f", "v.adapter", 7, "values", 9},
                                      Canary{8},
                                      Read{{{"b", 0, 1}}},
                                      ReadConditions{}};
  ASSERT_EQ(requests.size(), std::variant_size_v<Request>);
  for (const Request& request : requests) {
    const NumberedRequest sent{7, request};
    const auto decoded = decode_request(encode(sent));
    ASSERT_TRUE(decoded) << name_of(request) << ": " << decoded.error().why;
    EXPECT_EQ(*decoded, sent) << name_of(request);
  }
}

TEST(JournalLines, come_back_as_they_were) {
  for (const JournalLine& line : std::vector<JournalLine>{
           observation(), Observation{}, Running{launch()}, finding(), Frames{{1, 2}},
           RanksFailure{RanksEnd::deadlock, 2, {{1, "waits in MPI_Recv for rank 0", 77}}, "look"}}) {
    const auto decoded = decode_journal_line(encode(line));
    ASSERT_TRUE(decoded) << decoded.error().why;
    EXPECT_EQ(*decoded, line);
  }
}

TEST(Startups, come_back_as_they_were) {
  const Startup startup{3, true, true, true, 18446744073709551615U, 2, 9, true};
  const auto decoded = decode_startup(encode(startup));
  ASSERT_TRUE(decoded) << decoded.error().why;
  EXPECT_EQ(*decoded, startup);
}

TEST(Counters, are_whole_numbers_where_they_can_be) {
  CountedWork work;
  work.counters.set(counter::kBarriers, 7);
  EXPECT_THAT(encode(Observation{.findings = {},
                                 .launches = {{.kernel = "k", .work = work, .when = {}}},
                                 .transfers = {},
                                 .notes = {},
                                 .events = {}}),
              HasSubstr("\"barriers\":7,"));
}

// A block that does all the work of a large launch has more than 2^53 as the square of its instructions.
TEST(Counters, of_squares_may_be_larger_than_a_count) {
  CallReply call;
  Launch& launch = call.observed.launches.emplace_back();
  launch.kernel = "k";
  launch.work.emplace().of_blocks = {1e20, 1e24};
  const auto decoded = decode_reply(encode(NumberedReply{41, call}));
  ASSERT_TRUE(decoded) << decoded.error().why;
  EXPECT_EQ(std::get<CallReply>(decoded->reply).observed.launches.front().work->of_blocks.instructions, 1e24);
}

// The bytes of a reply to a call with one finding, one launch and one time, in which `part` is `by`.
tl::expected<NumberedReply, Malformed> with(const std::string& part, const std::string& by) {
  CallReply reply;
  reply.observed.findings = {finding()};
  reply.observed.launches = {launch()};
  reply.observed.transfers = {{.direction = Direction::other, .bytes = 12, .when = {}}};
  reply.event_ms = {1.25};
  std::string bytes = encode({41, reply});
  const std::size_t at = bytes.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return decode_reply(bytes.replace(at, part.size(), by));
}

TEST(ForgedReplies, are_malformed) {
  ASSERT_TRUE(with("1.25", "2.5"));
  const std::pair<const char*, const char*> forged[]{
      {"\"reply\":41", "\"reply\":\"41\""},
      {"\"reply\":41", "\"reply\":-1"},
      {"\"reply\":41", "\"no\":41"},
      {"\"to\":\"call\"", "\"to\":\"dance\""},
      {"\"to\":\"call\"", "\"to\":7"},
      {"\"to\":\"call\"", "\"to\":\"call\",\"points\":100"},
      {"\"to\":\"call\"", "\"to\":\"call\",\"to\":\"call\""},
      {"1.25", "-1.25"},
      {"1.25", "null"},
      {"1.25", "1e300"},
      {"1.25", "1e999"},
      {"1.25", "NaN"},
      {"1.25", "\"1.25\""},
      {"\"race\"", "\"gremlins\""},
      {"\"race\"", "\"no_gpu\""},
      {"\"race\"", "\"internal\""},
      {"\"race\"", "7"},
      {"\"line\":3", "\"line\":-3"},
      {"\"line\":3", "\"line\":1000000001"},
      {"\"line\":3", "\"line\":3.5"},
      {"\"launches\":[", "\"no\":["},
      {"\"grid\":[4096,2,1]", "\"grid\":[4096,2]"},
      {"\"grid\":[4096,2,1]", "\"grid\":[4096,2,4294967296]"},
      {"\"barriers\":10.5", "\"points\":10.5"},
      {"\"barriers\":10.5", "\"barriers\":-1"},
      {"\"direction\":\"other\"", "\"direction\":\"sideways\""},
      {"\"bytes\":12", "\"bytes\":17592186044417"},
      {"\"failure\":{}", "\"failure\":[]"},
      {"\"message\":\"", "\"message\":\"\xff"},
  };
  for (const auto& [part, by] : forged) {
    EXPECT_FALSE(with(part, by)) << part << " -> " << by;
  }
}

TEST(ForgedReplies, say_what_is_wrong) {
  EXPECT_EQ(with("\"race\"", "\"no_gpu\"").error().why, "`kind` is a kind that no engine reports");
  EXPECT_EQ(with("\"launches\":[", "\"no\":[").error().why, "`launches` is missing");
}

TEST(ForgedReplies, that_are_no_object_are_malformed) {
  for (const std::string_view text : {"", "{", "nonsense", "[1]", "1", "null", "\"text\"", "{} {}"})
    EXPECT_FALSE(decode_reply(text)) << text;
}

TEST(ForgedReplies, nested_without_end_are_malformed) {
  const auto nested = decode_reply("{\"failed\": " + std::string(1'000'000, '['));
  ASSERT_FALSE(nested);
  EXPECT_THAT(nested.error().why, HasSubstr("nested deeper"));
}

// What is looked through once takes under a second; looking through the list again for each entry, minutes.
TEST(ForgedReplies, of_millions_of_values_are_refused_in_time) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string entry : {"{},", "[],", "1,", "\"\","}) {
    std::string bytes = "{\"a\": [";
    while (bytes.size() < kFrameLimit - 16) bytes += entry;
    EXPECT_FALSE(decode_reply(bytes + "0]}"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ForgedReplies, longer_than_a_frame_are_malformed) {
  EXPECT_THAT(decode_reply(std::string(kFrameLimit + 1, ' ')).error().why, HasSubstr("longer than"));
}

// An engine that has much to say is not taken for one that forges.
TEST(LongReplies, are_cut_by_the_writer_and_taken_by_the_reader) {
  CallReply reply;
  Finding loud = finding();
  loud.message = std::string(100'000, '\xff');
  reply.observed.findings.assign(kMostFindings + 1, loud);
  reply.observed.notes.assign(kMostNotes + 1, {"k", "n"});
  reply.observed.findings[0].message = std::string(100'000, 'x');
  const auto decoded = decode_reply(encode({1, reply}));
  ASSERT_TRUE(decoded) << decoded.error().why;
  const Observation& seen = std::get<CallReply>(decoded->reply).observed;
  EXPECT_EQ(seen.findings.size(), kMostFindings);
  EXPECT_EQ(seen.notes.size(), kMostNotes);
  EXPECT_EQ(seen.findings[0].message.size(), kLongestText);
  EXPECT_THAT(seen.findings[0].message, EndsWith("(cut)"));
}

TEST(LongReplies, with_more_than_the_writer_writes_are_malformed) {
  EXPECT_FALSE(with("\"message\":\"", "\"message\":\"" + std::string(3 * kLongestText, 'x')));
  std::string many = "\"findings\":[";
  for (std::size_t i = 0; i < kMostFindings; ++i)
    many += R"({"kind":"race","kernel":"","file":"","line":0,"message":""},)";
  EXPECT_THAT(with("\"findings\":[", many).error().why, HasSubstr("too many"));
}

}  // namespace
}  // namespace warpmark::wire
