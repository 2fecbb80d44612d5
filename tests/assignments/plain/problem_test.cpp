// Problems of the plain form, whose course functions are those of a test.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/plain.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using CourseFunction = std::function<void(std::span<const std::byte> in, std::span<std::byte> out)>;

// Answers with the test's function, and fills whatever data.cpp is asked for with one byte.
class Course final : public Oracle {
 public:
  explicit Course(CourseFunction answer, std::byte made = {}) : answer_(std::move(answer)), made_(made) {}
  bool defines(std::string_view /*function*/) override { return false; }
  void call(const OracleCall& call) override {
    std::vector<std::byte> in(call.buffers[0].contents.begin(), call.buffers[0].contents.end());
    for (const Patch& patch : call.patches) std::memcpy(in.data() + patch.offset, &patch.value, patch.bytes);
    answer_(in, call.buffers[1].contents);
  }
  void make(const std::string& /*buffer*/, const std::string& /*type*/, std::span<std::byte> target,
            std::uint64_t /*count*/, const std::vector<std::uint64_t>& /*sizes*/,
            std::string_view /*data_class*/, std::uint64_t /*seed*/) override {
    std::ranges::fill(target, made_);
  }

 private:
  CourseFunction answer_;
  std::byte made_;
};

// An assignment with an input of bools and an output of floats; `in` and `out` are further lines of these.
std::string bools_of(std::string_view in, std::string_view out) {
  return fmt::format(R"toml(contract = "sums.h"
call = "version(in, out, stream)"
sizes = ["n"]
[[buffer]]
name = "in"
role = "input"
type = "bool"
count = "n"
{}
[[buffer]]
name = "out"
role = "output"
type = "float"
count = "n"
{}
)toml",
                     in, out);
}

void write_all(std::span<std::byte> out, float value) {
  for (std::size_t at = 0; at < out.size(); at += sizeof value) std::memcpy(&out[at], &value, sizeof value);
}

struct FilledIn {
  std::vector<std::byte> in;
  std::unique_ptr<Problem> problem;
};

FilledIn filled_in(const std::string& toml, const std::shared_ptr<Course>& course, const std::string& data,
                   std::uint64_t seed = 7) {
  const auto assignment = make_assignment(std::make_shared<const Spec>(spec_of(toml)), course);
  FilledIn made{std::vector<std::byte>(1000), assignment->make(assignment->case_of("", data, 1000, seed))};
  made.problem->fill(0, made.in);
  return made;
}

std::string fault_of(const std::string& toml, const std::shared_ptr<Course>& course,
                     const std::string& data) {
  try {
    filled_in(toml, course, data);
  } catch (const AssignmentFault& fault) {
    return fault.what();
  }
  return "no fault";
}

const auto kNothing = std::make_shared<Course>([](auto, std::span<std::byte> out) { write_all(out, 0); });

TEST(Bools, are_0_or_1_in_every_class_and_after_every_change) {
  for (const char* data : {"uniform", "equal", "zero", "few", "ascending", "descending", "random_bits"}) {
    FilledIn made = filled_in(bools_of(fmt::format("data = [\"{}\"]", data), ""), kNothing, data);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      EXPECT_TRUE(std::ranges::all_of(made.in, [](std::byte b) { return b <= std::byte{1}; })) << data;
      made.problem->patch(seed, 100, made.in);
    }
  }
}

TEST(Bools, of_random_bits_take_both_values) {
  const FilledIn made = filled_in(bools_of("data = [\"random_bits\"]", ""), kNothing, "random_bits");
  EXPECT_GT(std::ranges::count(made.in, std::byte{1}), 400);
  EXPECT_GT(std::ranges::count(made.in, std::byte{0}), 400);
}

TEST(Bools, beyond_0_and_1_are_a_fault_of_the_assignment) {
  EXPECT_THAT(
      fault_of(bools_of("low = 0\nhigh = 5", ""), kNothing, "uniform"),
      AllOf(StartsWith(std::string(kSpecFile) + ":4: in: "), HasSubstr("bool cannot hold the bound 5")));
  EXPECT_THAT(fault_of(bools_of("low = -1", ""), kNothing, "uniform"), HasSubstr("cannot hold the bound -1"));
  EXPECT_EQ(fault_of(bools_of("low = 0\nhigh = 1", ""), kNothing, "uniform"), "no fault");
  EXPECT_EQ(fault_of(bools_of("low = 1", ""), kNothing, "uniform"), "no fault");
  const auto course =
      std::make_shared<Course>([](auto, std::span<std::byte> out) { write_all(out, 0); }, std::byte{2});
  EXPECT_THAT(fault_of(bools_of("data = [\"mine\"]", ""), course, "mine"),
              AllOf(StartsWith(std::string(kSpecFile) + ":4: make_in of data.cpp sets element 0"),
                    HasSubstr("to 2, which is not a value of bool")));
}

TEST(Bools, do_not_count) {
  for (const char* data : {"permutation", "offsets", "sparse_offsets"}) {
    const auto spec = read_spec_of(bools_of(fmt::format("data = [\"uniform\", \"{}\"]", data), ""));
    ASSERT_FALSE(spec) << data;
    EXPECT_THAT(spec.error().message,
                AllOf(StartsWith(std::string(kSpecFile) + ":9: in: a bool is 0 or 1"), HasSubstr(data)));
  }
}

TEST(ExpectedNan, is_a_fault_of_the_assignment_where_values_are_compared) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto course = std::make_shared<Course>([&](auto, std::span<std::byte> out) {
    write_all(out, 1);
    std::memcpy(&out[3 * sizeof nan], &nan, sizeof nan);
  });
  for (const char* tolerance : {"", "relative = 1e-5", "ulps = 4"})
    EXPECT_THAT(fault_of(bools_of("", tolerance), course, "uniform"),
                AllOf(StartsWith(std::string(kSpecFile) + ":10: `expected` gives NaN in out[3] at size 1000"),
                      HasSubstr("bits = true")));
  EXPECT_EQ(fault_of(bools_of("", "bits = true"), course, "uniform"), "no fault");
}

TEST(ExpectedNan, is_found_in_a_member_of_a_struct) {
  std::string toml = bools_of("", "");
  toml.replace(toml.find("type = \"float\""), std::string_view("type = \"float\"").size(), "type = \"Pair\"");
  toml +=
      "[[struct]]\nname = \"Pair\"\nmembers = [{name = \"at\", type = \"int\"}, {name = \"d\", type = "
      "\"double\"}]\n";
  const auto course = std::make_shared<Course>([](auto, std::span<std::byte> out) {
    std::ranges::fill(out, std::byte{0});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(&out[5 * 16 + 8], &nan, sizeof nan);
  });
  EXPECT_THAT(fault_of(toml, course, "uniform"), HasSubstr("gives NaN in out[5]"));
}

TEST(ExpectedNan, of_a_changed_input_is_one_too) {
  std::vector<std::byte> first;
  const auto course = std::make_shared<Course>([&](std::span<const std::byte> in, std::span<std::byte> out) {
    if (first.empty()) first.assign(in.begin(), in.end());
    write_all(out, std::ranges::equal(in, first) ? 1.0F : std::nanf(""));
  });
  FilledIn made = filled_in(bools_of("", ""), course, "uniform");
  EXPECT_THROW(made.problem->patch(1, 100, made.in), AssignmentFault);
}

}  // namespace
}  // namespace warpmark::plain
