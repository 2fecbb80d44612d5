// The student's template and the reference, as they are in this tree.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/stubs.h"
#include "harness/assignments/tokens.h"
#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kRoot = WARPMARK_ROOT;

std::string text_of(const fs::path& path) {
  auto text = read_file(path);
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

// Every .cu file of the reference, relative to reference/.
std::vector<fs::path> reference_sources() {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "reference")) {
    if (entry.path().extension() == ".cu")
      sources.push_back(entry.path().lexically_relative(kRoot / "reference"));
  }
  return sources;
}

TEST(Template, is_in_step_with_the_reference) {
  const auto report = write_stubs(kRoot / "reference", kRoot / "student_template", true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->differing, IsEmpty()) << "run `./warpmark stubs`";
  EXPECT_THAT(report->superfluous, IsEmpty());
}

// Otherwise a solution would be handed out; v01 is given on purpose, as the worked example.
TEST(Template, holds_no_solution_but_the_worked_example) {
  std::vector<std::string> complete;
  for (const fs::path& source : reference_sources()) {
    const std::string stub = text_of(kRoot / "student_template" / source);
    if (same_tokens(text_of(kRoot / "reference" / source), stub)) complete.push_back(source.generic_string());
  }
  EXPECT_THAT(complete, testing::ElementsAre("reduction/v01_atomic_per_element.cu"));
}

TEST(Template, tells_the_student_what_to_do_in_every_stub) {
  for (const fs::path& source : reference_sources()) {
    if (source.stem() == "v01_atomic_per_element") continue;
    EXPECT_THAT(text_of(kRoot / "student_template" / source), testing::HasSubstr("TODO")) << source;
  }
}

// The fixture stands for a student who changed comments and layout; it has to follow when the template
// changes.
TEST(Template, has_the_tokens_of_the_fixture_of_an_untouched_stub) {
  EXPECT_EQ(tokens_of(text_of(kRoot / "tests/submissions/untouched_stub/v07_tree_sequential.cu")),
            tokens_of(text_of(kRoot / "student_template/reduction/v07_tree_sequential.cu")));
}

TEST(Reference, opens_every_file_with_its_four_lines) {
  for (const fs::path& source : reference_sources()) {
    const bool version = source.stem() != "upload";
    EXPECT_THAT(text_of(kRoot / "reference" / source),
                testing::MatchesRegex(
                    std::string(version ? "// What changes: [^\n]+\n" : "// What it does: [^\n]+\n") +
                    "// What that cures: [^\n]+\n// What still hurts: [^\n]+\n"
                    "// What to expect: [^\n]+\n(.|\n)*"))
        << source;
  }
}

TEST(Reference, stays_short_enough_to_read) {
  for (const fs::path& source : reference_sources()) {
    const std::string text = text_of(kRoot / "reference" / source);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 110) << source;
  }
}

}  // namespace
}  // namespace warpmark
