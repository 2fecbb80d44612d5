#include "harness/class/alike/alike.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::classroom {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string reference(const std::string& version) {
  return read_file(std::string(WARPMARK_ROOT "/reference/reduction/") + version + ".cu").value();
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size())
    text.replace(at, old.size(), with);
  return text;
}

const std::string kOne = R"(
__global__ void mine(const int* in, long n, int* out) {
  __shared__ int part[256];
  int t = threadIdx.x, total = 0;
  for (long i = blockIdx.x * 256L + t; i < n; i += gridDim.x * 256L) { total += in[i]; if (total < 0 && t > 300) total -= 1; }
  part[t] = total;
  __syncthreads();
  for (int step = 128; step > 0; step = step / 2) {
    if (t < step) { part[t] = part[t] + part[t + step]; }
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
})";

TEST(Alike, names_comments_and_layout_do_not_hide_a_copy) {
  std::string copy = replaced(replaced(kOne, "part", "buffer"), "total", "s");
  copy = "// my own work\n" + replaced(copy, ";", ";\n   ");
  const auto found = alike_in("v13", {{"ada", kOne}, {"ben", copy}}, {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].one, "ada");
  EXPECT_EQ(found[0].other, "ben");
  EXPECT_EQ(found[0].shared, 1);
}

TEST(Alike, what_template_and_reference_hold_is_nobodys) {
  EXPECT_THAT(alike_in("v13", {{"ada", kOne}, {"ben", kOne}}, fingerprints_of(kOne)), IsEmpty());
}

TEST(Alike, two_versions_of_different_hands_are_not_alike) {
  const auto found = alike_in("v07", {{"ada", kOne}, {"ben", reference("v16_warp_shuffle")}}, {});
  EXPECT_THAT(found, IsEmpty());
}

TEST(Alike, what_most_of_a_class_wrote_is_how_the_exercise_goes) {
  std::vector<Authored> everybody;
  for (int i = 0; i < 20; ++i) everybody.push_back({"s" + std::to_string(i), kOne});
  EXPECT_THAT(alike_in("v13", everybody, {}), IsEmpty());
}

TEST(Alike, short_texts_say_nothing) {
  EXPECT_THAT(alike_in("v01", {{"ada", "int x;"}, {"ben", "int x;"}, {"zoe", ""}}, {}), IsEmpty());
}

}  // namespace
}  // namespace warpmark::classroom
