// What the judge compares after a call, without a worker: the test plays the device.
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/plain.h"
#include "harness/assignments/toml_table.h"
#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Input "in" of 8 bytes at an offset, output "out" of 4, "both" of 4, scratch "tmp" of 16. The right output
// is "good", the right contents of "both" are "done".
class Small : public Problem {
 public:
  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{"in", Role::input, 8, 4},
            {"out", Role::output, 4, 0},
            {"both", Role::in_out, 4, 0},
            {"tmp", Role::scratch, 16, 0}};
  }
  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {}; }
  void fill(std::size_t buffer, std::span<std::byte> target) override {
    filled.push_back(buffer);
    std::memset(target.data(), buffer == 0 ? 'i' : 'b', target.size());
  }
  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    const char* right = buffer == 1 ? "good" : "done";
    if (std::memcmp(actual.data(), right, 4) == 0) return std::nullopt;
    return Mismatch{"wrong", right, "else"};
  }
  std::vector<Patch> patch(std::uint64_t /*seed*/, std::size_t /*count*/,
                           std::span<std::byte> /*contents*/) override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override { return std::make_unique<Small>(*this); }
  std::vector<std::size_t> filled;
};

class Compared : public testing::TestWithParam<Engine> {
 protected:
  Compared() : buffers(problem, GetParam(), 0x5eed) {
    for (const Buffers::Region& region : buffers.regions()) {
      device.emplace_back(region.image.bytes().begin(), region.image.bytes().end());
    }
    put(1, "good");
    put(2, "done");
  }
  // The byte at an offset from the beginning of a buffer's data.
  std::byte& at(std::size_t buffer, std::ptrdiff_t offset) {
    return device[buffer].at(
        static_cast<std::size_t>(static_cast<std::ptrdiff_t>(buffers.regions()[buffer].data_begin) + offset));
  }
  void put(std::size_t buffer, const char* text) { std::memcpy(&at(buffer, 0), text, 4); }

  Buffers::Comparison compare() {
    std::vector<std::byte> back;
    for (const auto& read : buffers.reads()) {
      for (std::size_t i = 0; i < buffers.regions().size(); ++i) {
        if (buffers.regions()[i].spec.name != read.buffer) continue;
        const auto from = device[i].begin() + static_cast<std::ptrdiff_t>(read.offset);
        back.insert(back.end(), from, from + static_cast<std::ptrdiff_t>(read.bytes));
      }
    }
    EXPECT_EQ(back.size(), buffers.read_bytes());
    return buffers.compare(problem, CauseKind::wrong_sum, back);
  }
  // The one cause of the comparison.
  Cause cause() {
    const auto causes = compare().causes;
    EXPECT_THAT(causes, SizeIs(1));
    return causes.empty() ? Cause{} : causes.front();
  }

  Small problem;
  Buffers buffers;
  std::vector<std::vector<std::byte>> device;  // what the device holds, a region each
};

INSTANTIATE_TEST_SUITE_P(Engines, Compared, testing::Values(Engine::gpu, Engine::simulator),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

class Guarded : public Compared {};
INSTANTIATE_TEST_SUITE_P(Engines, Guarded, testing::Values(Engine::gpu),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

TEST_P(Compared, right_answers_have_no_causes) {
  const auto comparison = compare();
  EXPECT_THAT(comparison.causes, IsEmpty());
  const std::string answer(reinterpret_cast<const char*>(comparison.answer.data()), comparison.answer.size());
  EXPECT_EQ(answer, "gooddone");
}

TEST_P(Compared, only_inputs_are_filled_and_everything_else_is_poisoned) {
  EXPECT_THAT(problem.filled, testing::ElementsAre(0, 2));
  for (const std::size_t buffer : {1, 3}) {
    const auto& region = buffers.regions()[buffer];
    std::uint32_t word = 0;
    std::memcpy(&word, region.image.bytes().data() + region.data_begin, sizeof word);
    EXPECT_EQ(word & 0x7fc00000U, 0x7fc00000U) << region.spec.name << " holds no NaN";
  }
}

TEST_P(Compared, the_data_lies_where_the_problem_wants_it) {
  for (const auto& region : buffers.regions())
    EXPECT_EQ(region.data_begin % 256, region.spec.offset) << region.spec.name;
  const auto views = buffers.views();
  ASSERT_EQ(views.size(), 4U);
  EXPECT_EQ(views.at(0), (wire::View{"in", buffers.regions()[0].data_begin, 8}));
}

TEST_P(Compared, a_wrong_answer_says_what_was_expected) {
  put(1, "evil");
  const Cause found = cause();
  EXPECT_EQ(found.kind, CauseKind::wrong_sum);
  EXPECT_EQ(found.expected, "good");
  EXPECT_EQ(found.actual, "else");
}

TEST_P(Compared, a_wrong_answer_is_still_the_answer) {
  put(1, "evil");
  EXPECT_THAT(compare().answer, SizeIs(8));
}

TEST_P(Compared, in_out_buffers_are_checked_too) {
  put(2, "evil");
  EXPECT_EQ(cause().kind, CauseKind::wrong_sum);
  put(2, "bbbb");
  EXPECT_EQ(cause().kind, CauseKind::wrong_sum) << "left as it was";
}

TEST_P(Compared, an_output_that_nobody_wrote_is_told_apart) {
  const auto& region = buffers.regions()[1];
  std::memcpy(&at(1, 0), region.image.bytes().data() + region.data_begin, 4);
  const Cause found = cause();
  EXPECT_EQ(found.kind, CauseKind::not_written);
  EXPECT_THAT(found.message, HasSubstr("`out`"));
}

TEST_P(Compared, an_input_that_changed_is_told_with_its_byte) {
  at(0, 5) ^= std::byte{1};
  const Cause found = cause();
  EXPECT_EQ(found.kind, CauseKind::input_changed);
  EXPECT_THAT(found.message, HasSubstr("byte 5"));
}

TEST_P(Compared, what_scratch_holds_is_nobodys_business) {
  for (int i = 0; i < 16; ++i) at(3, i) = std::byte{0};
  EXPECT_THAT(compare().causes, IsEmpty());
}

TEST_P(Compared, bytes_before_a_shifted_input_are_guarded) {
  at(0, -1) ^= std::byte{1};
  EXPECT_EQ(cause().kind, CauseKind::out_of_bounds_write);
}

TEST_P(Guarded, buffers_are_guarded_on_both_sides_up_to_the_far_end) {
  for (std::size_t buffer = 0; buffer < 4; ++buffer) {
    const auto bytes = static_cast<std::ptrdiff_t>(buffers.regions()[buffer].spec.bytes);
    for (const std::ptrdiff_t offset : {std::ptrdiff_t{-1}, std::ptrdiff_t{-4096}, bytes, bytes + 4095}) {
      at(buffer, offset) ^= std::byte{1};
      const Cause found = cause();
      EXPECT_EQ(found.kind, CauseKind::out_of_bounds_write) << buffer << " " << offset;
      EXPECT_THAT(found.message, HasSubstr("`" + buffers.regions()[buffer].spec.name + "`"));
      at(buffer, offset) ^= std::byte{1};
    }
  }
}

TEST_P(Guarded, the_distance_of_a_stray_write_is_told) {
  at(1, -3) ^= std::byte{1};
  EXPECT_THAT(cause().message, HasSubstr("3 bytes before `out`"));
  at(1, -3) ^= std::byte{1};
  at(1, 4) ^= std::byte{1};
  EXPECT_THAT(cause().message, HasSubstr("0 bytes past the end of `out`"));
}

TEST_P(Compared, several_faults_are_all_told) {
  put(1, "evil");
  at(0, 0) ^= std::byte{1};
  const auto causes = compare().causes;
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].kind, CauseKind::input_changed);
  EXPECT_EQ(causes[1].kind, CauseKind::wrong_sum);
}

// The output is one byte, and what was sent is right, as happens once in 256 images of one pixel.
TEST(Buffers, a_right_answer_that_equals_the_poison_is_right) {
  class Byte : public Small {
   public:
    [[nodiscard]] std::vector<BufferSpec> buffers() const override {
      return {{"in", Role::input, 8, 0}, {"out", Role::output, 1, 0}};
    }
    [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                                std::span<const std::byte> actual) const override {
      if (actual[0] == right) return std::nullopt;
      return Mismatch{"wrong", "1", "0"};
    }
    std::byte right{};
  };
  Byte problem;
  const Buffers buffers(problem, Engine::simulator, 0x5eed);
  std::vector<std::byte> back;
  for (const Buffers::Region& region : buffers.regions())
    back.insert(back.end(), region.image.bytes().begin(), region.image.bytes().end());
  problem.right = back.back();
  EXPECT_THAT(buffers.compare(problem, CauseKind::wrong_sum, back).causes, IsEmpty());
  problem.right ^= std::byte{1};
  const auto causes = buffers.compare(problem, CauseKind::wrong_sum, back).causes;
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes.front().kind, CauseKind::not_written);
}

// Assigns nothing but buffers: no function of it is called.
class NoFunctions final : public plain::Oracle {
 public:
  bool defines(std::string_view /*function*/) override { return false; }
  void call(const plain::OracleCall& /*call*/) override {}
  void make(const std::string& /*buffer*/, const std::string& /*type*/, std::span<std::byte> /*target*/,
            std::uint64_t /*count*/, const std::vector<std::uint64_t>& /*sizes*/,
            std::string_view /*data_class*/, std::uint64_t /*seed*/) override {}
};

// Else an output that nobody wrote would be right where the expected number is the poison's.
TEST(Buffers, poison_of_small_numbers_is_the_same_byte_nowhere) {
  for (const char* type : {"signed char", "uchar4", "bool", "short", "Pair"}) {
    const auto spec = parse_toml<plain::Spec>(
        fmt::format(
            "contract = \"c.h\"\ncall = \"version(out, stream)\"\nsizes = [\"n\"]\n[[struct]]\nname = "
            "\"Pair\"\nmembers = [{{name = \"a\", type = \"float\"}}, {{name = \"b\", type = "
            "\"int8_t\"}}]\n[[buffer]]\nname = \"out\"\nrole = \"output\"\ntype = \"{}\"\ncount = \"n\"\n",
            type),
        "assignment.toml", [](TomlTable top) { return plain::read_spec(top, "small"); });
    ASSERT_TRUE(spec) << spec.error().message;
    const auto assignment =
        plain::make_assignment(std::make_shared<const plain::Spec>(*spec), std::make_shared<NoFunctions>());
    const auto problem = assignment->make(assignment->case_of("", "uniform", 24, 1));
    std::vector<std::set<std::byte>> seen;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Buffers buffers(*problem, Engine::simulator, seed);
      const auto bytes = buffers.regions()[0].image.bytes();
      seen.resize(bytes.size());
      for (std::size_t i = 0; i < bytes.size(); ++i) seen[i].insert(bytes[i]);
    }
    for (const std::set<std::byte>& values : seen) EXPECT_GT(values.size(), 50U) << type;
  }
}

TEST(Buffers, poison_comes_from_the_seed) {
  Small problem;
  const auto bytes_of = [&](std::uint64_t seed) {
    const Buffers buffers(problem, Engine::gpu, seed);
    const auto bytes = buffers.regions()[1].image.bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(bytes_of(1), bytes_of(1));
  EXPECT_NE(bytes_of(1), bytes_of(2));
}

}  // namespace
}  // namespace warpmark::judge
