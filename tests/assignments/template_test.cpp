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
#include "tests/edits/edits.h"
#include "tests/home.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

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

std::vector<fs::path> handed_out_sources() {
  std::vector<fs::path> sources;
  for (const fs::path& source : reference_sources()) {
    if (!is_reference_only(text_of(kRoot / "reference" / source))) sources.push_back(source);
  }
  return sources;
}

// Without the marker, which is not for the reader.
std::string text_to_read(const fs::path& source) {
  const std::string text = text_of(kRoot / "reference" / source);
  return is_reference_only(text) ? text.substr(text.find('\n') + 1) : text;
}

TEST(Template, is_in_step_with_the_reference) {
  const auto report = write_stubs(kRoot / "reference", kRoot / "student_template", true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->differing, IsEmpty()) << "run `./warpmark stubs`";
  EXPECT_THAT(report->superfluous, IsEmpty());
}

// Whether the rubric says that students get the version complete, as the worked example.
bool is_given(const fs::path& source) {
  const std::string rubric = text_of(home_of(source.begin()->string()).rules());
  return rubric.find("name = \"" + source.stem().string() + "\"\ngiven = true") != std::string::npos;
}

// Otherwise a solution would be handed out; worked examples are given on purpose.
TEST(Template, holds_no_solution_but_the_worked_examples) {
  for (const fs::path& source : handed_out_sources()) {
    const std::string stub = text_of(kRoot / "student_template" / source);
    EXPECT_EQ(same_tokens(text_of(kRoot / "reference" / source), stub), is_given(source)) << source;
  }
  EXPECT_TRUE(is_given("reduction/v01_atomic_per_element.cu"));
}

TEST(Template, lacks_what_is_reference_only) {
  std::vector<std::string> kept;
  for (const fs::path& source : reference_sources()) {
    if (!is_reference_only(text_of(kRoot / "reference" / source))) continue;
    kept.push_back(source.stem().string());
    EXPECT_FALSE(fs::exists(kRoot / "student_template" / source)) << source;
  }
  EXPECT_THAT(kept, IsSupersetOf({"v20_cub", "v21_peak"}));
}

TEST(Template, tells_the_student_what_to_do_in_every_stub) {
  for (const fs::path& source : handed_out_sources()) {
    if (is_given(source)) continue;
    EXPECT_THAT(text_of(kRoot / "student_template" / source), HasSubstr("TODO")) << source;
  }
}

// What a later version repeats of an earlier one must be cut there, too.
TEST(Template, gives_away_none_of_the_steps_that_students_have_to_find) {
  for (const fs::path& source : handed_out_sources()) {
    const auto tokens = tokens_of(text_of(kRoot / "student_template" / source));
    if (is_given(source)) continue;
    for (const char* step : {"__syncthreads", "__syncwarp", "__shfl_down_sync", "__threadfence", "atomic_add",
                             "atomicInc", "reduce", "transform_reduce", "<<<", "__shared__",
                             "cudaMemsetAsync", "cudaMemcpy", "cudaMemcpyAsync"}) {
      EXPECT_THAT(tokens, Not(Contains(std::string(step)))) << source;
    }
  }
}

TEST(Template, names_every_version_in_the_students_readme) {
  for (const fs::path& source : handed_out_sources()) {
    const std::string readme = text_of(kRoot / "student_template" / source.begin()->string() / "README.md");
    EXPECT_THAT(readme, HasSubstr("`" + source.stem().string())) << source;
  }
}

// The case stands for a student who changed comments and layout; it has to follow when the template changes.
TEST(Template, has_the_tokens_of_the_case_of_an_untouched_stub) {
  const auto entries = edits::read_table(kRoot / "tests/submissions/reduction.toml");
  ASSERT_TRUE(entries) << entries.error().message;
  const auto stub = std::ranges::find(*entries, "untouched_stub", &edits::Entry::name);
  ASSERT_NE(stub, entries->end());
  const auto* text = stub->table.at_path("files").as_table()->get_as<std::string>("v07_tree_sequential.cu");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(tokens_of(text->get()),
            tokens_of(text_of(kRoot / "student_template/reduction/v07_tree_sequential.cu")));
}

TEST(Reference, opens_every_file_with_its_four_lines) {
  for (const fs::path& source : reference_sources()) {
    const bool version = source.stem() != "upload";
    EXPECT_THAT(text_to_read(source),
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
