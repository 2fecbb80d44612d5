// The class of distinct students is what its description says, without grading it.
#include "tests/class/generator.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDistinct = 100;

std::map<std::string, std::string> sources_below(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") all[entry.path()] = read_file(entry.path()).value_or("");
  }
  return all;
}

std::string text_of_reference(const std::string& file) {
  return read_file(fs::path(WARPMARK_ROOT) / "reference/reduction" / file).value_or("");
}

TEST(DistinctStudents, hand_in_two_versions_each_and_no_code_twice) {
  const TemporaryFolder folder, again;
  ASSERT_TRUE(generate_students(folder.path(), kDistinct, 7));
  ASSERT_TRUE(generate_students(again.path(), kDistinct, 7));
  const auto sources = sources_below(folder.path() / "students");
  EXPECT_EQ(sources.size(), 2 * kDistinct);
  std::set<std::string> texts, texts_again;
  for (const auto& [file, text] : sources) texts.insert(text);
  for (const auto& [file, text] : sources_below(again.path() / "students")) texts_again.insert(text);
  EXPECT_EQ(texts.size(), sources.size());
  EXPECT_EQ(texts, texts_again);
}

TEST(DistinctStudents, are_right_in_about_a_third_of_their_versions) {
  const TemporaryFolder folder;
  ASSERT_TRUE(generate_students(folder.path(), kDistinct, 7));
  std::size_t right = 0;
  const auto sources = sources_below(folder.path() / "students");
  for (const auto& [file, text] : sources) {
    const fs::path path = file;
    const std::string name = path.parent_path().filename();
    const std::size_t student = std::stoul(name.substr(name.rfind(' ') + 1));
    right += text == with_own_kernels(text_of_reference(path.filename()), student) ? 1 : 0;
  }
  EXPECT_GT(right, sources.size() / 5);
  EXPECT_LT(right, sources.size() / 2);
}

TEST(DistinctStudents, have_kernels_of_their_own_name) {
  EXPECT_EQ(
      with_own_kernels(
          "template <int k>\n__global__ void sum(int* a) {}\nvoid sums() { sum<1><<<1, 1>>>(a); }", 7),
      "template <int k>\n__global__ void sum_of_7(int* a) {}\nvoid sums() { sum_of_7<1><<<1, 1>>>(a); }");
}

}  // namespace
}  // namespace warpmark
