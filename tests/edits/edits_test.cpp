#include "tests/edits/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::edits {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

const std::map<std::string, std::string> kFiles{{"a.cu", "first\nload();\nstore();\n"}, {"b.h", "add();\n"}};

Result<std::vector<Entry>> entries_of(const std::string& table) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / "bounds.toml", table));
  return read_table(folder.path() / "bounds.toml");
}

Result<Edits> edits_of(const std::string& members) {
  const toml::table table = toml::parse(members);
  Members reading(table, "bounds_less");
  auto edits = read_edits(reading);
  if (auto done = reading.finish(); edits && !done) return tl::unexpected(done.error());
  return edits;
}

Result<Submission> made_of(const std::string& members, bool with_upload = false) {
  const auto edits = edits_of(members);
  if (!edits) return tl::unexpected(edits.error());
  return submission_of(*edits, with_upload);
}

TEST(Edit, replaces_the_text) {
  EXPECT_EQ(*edited("i < n;", {"", "<", "<="}), "i <= n;");
}

TEST(Edit, fails_unless_the_text_occurs_once) {
  EXPECT_THAT(edited("i < n;", {"", ">", "<"}).error().message, HasSubstr("no `>`"));
  EXPECT_THAT(edited("i < n < m", {"", "<", ">"}).error().message, HasSubstr("more than once"));
}

TEST(Place, is_the_only_line_of_all_files_with_the_text) {
  EXPECT_EQ(*place_of(kFiles, "store"), (Place{"a.cu", 3}));
  EXPECT_EQ(*place_of(kFiles, "add()"), (Place{"b.h", 1}));
  EXPECT_THAT(place_of(kFiles, "()").error().message, HasSubstr("3 times"));
  EXPECT_THAT(place_of(kFiles, "launch").error().message, HasSubstr("0 times"));
}

TEST(Table, has_cases_and_what_is_right) {
  const auto entries = entries_of("[[case]]\nname = \"less\"\n[[right]]\nname = \"more\"\n");
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ(entries->front().group, "bounds");
  EXPECT_EQ(entries->front().name, "less");
  EXPECT_FALSE(entries->front().right);
  EXPECT_TRUE(entries->back().right);
}

TEST(Table, refuses_what_it_does_not_know) {
  EXPECT_THAT(entries_of("[[wrong]]\nname = \"x\"\n").error().message,
              HasSubstr("[[case]] and [[right]]: wrong"));
  EXPECT_THAT(entries_of("[[case]]\n").error().message, HasSubstr("no name"));
  EXPECT_THAT(entries_of("\n[[case\n").error().message, HasSubstr("bounds.toml:2"));
  EXPECT_THAT(edits_of("lines = 1").error().message, HasSubstr("unknown member lines"));
}

TEST(Edits, need_something_to_edit) {
  EXPECT_THAT(edits_of("source = \"sort/packed.h\"").error().message, HasSubstr("needs an edit"));
  EXPECT_THAT(edits_of("old = \"\"").error().message, HasSubstr("needs an old text"));
  EXPECT_THAT(edits_of("source = \"a/b.cu\"\nold = \"a\"\nbody = \"b\"").error().message,
              HasSubstr("body is for"));
  EXPECT_THAT(edits_of("body = \"b\"\nfiles = {\"v07_tree_sequential.cu\" = \"\"}").error().message,
              HasSubstr("do not count"));
}

TEST(Submission, is_the_reference_with_its_headers_and_the_edits) {
  const auto made = made_of(
      "source = \"sort/packed.h\"\nversion = \"q05_radix\"\nbefore = \"#include <vector>\"\n"
      "edit = [{old = \"#pragma once\\n\", new = \"#pragma twice\\n\"}, {file = \"q05_radix.cu\", old = "
      "\"shift += 4\", "
      "new = \"shift += 5\"}]");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->files, Contains(Key("packed_host.h")));
  EXPECT_THAT(made->files, Not(Contains(Key("q04_merge.cu"))));
  EXPECT_THAT(made->files.at("packed.h"), HasSubstr("#pragma twice\n"));
  EXPECT_THAT(made->files.at("packed.h"), HasSubstr("\n#include <vector>\n"));
  EXPECT_THAT(made->files.at("q05_radix.cu"), HasSubstr("shift += 5"));
}

TEST(Submission, without_a_source_is_a_right_version_with_the_cases_body) {
  const auto made = made_of("before = \"int one;\"\nbody = \"  two();\"");
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_THAT(made->files, ElementsAre(Key("v07_tree_sequential.cu")));
  EXPECT_THAT(made->files.begin()->second, StartsWith("#include \"reduction.h\"\nint one;\n__global__"));
  EXPECT_THAT(made->files.begin()->second, HasSubstr("extern \"C\" void v07_tree_sequential("));
  EXPECT_THAT(made->files.begin()->second, HasSubstr("\n  two();\n}"));
}

TEST(Submission, has_an_upload_where_one_is_asked) {
  const auto reference = made_of("", true);
  ASSERT_TRUE(reference) << reference.error().message;
  EXPECT_THAT(reference->files, UnorderedElementsAre(Key("v07_tree_sequential.cu"), Key("upload.cu")));
  const auto own = made_of("upload = \"  return nullptr;\"\nbefore_upload = \"int three;\"", true);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_THAT(own->files.at("upload.cu"), HasSubstr("int three;\nextern \"C\" value_t* upload("));
  EXPECT_THAT(own->files.at("upload.cu"), HasSubstr("return nullptr;"));
}

TEST(Submission, has_the_cases_own_files_and_links) {
  const auto made = made_of("files = {\"a.h\" = \"x\"}\nlinks = {\"v07_tree_sequential.cu\" = \"b\"}");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->files, ElementsAre(Key("a.h")));
  EXPECT_THAT(made->links, ElementsAre(Key("v07_tree_sequential.cu")));
}

// Finds without a compiler what a change of the reference breaks.
TEST(Tables, have_edits_and_lines_that_fit_the_reference) {
  for (const char* folder : {"submissions", "mistakes", "pictures", "hostile"}) {
    const auto entries = read_tables(fs::path(WARPMARK_ROOT) / "tests" / folder);
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_FALSE(entries->empty()) << folder;
    for (const Entry& entry : *entries) {
      SCOPED_TRACE(entry.group + ": " + entry.name);
      // Worked examples of new assignments: the test of the mistakes writes them, and fails where an edit
      // does not fit.
      const std::string source = entry.table["source"].value_or(std::string());
      const std::string assignment = source.substr(0, source.find('/'));
      if (fs::exists(fs::path(WARPMARK_ROOT) / "harness/assignment_check/shapes" / assignment) &&
          !assignment.empty())
        continue;
      Members members(entry.table, entry.name);
      const auto edits = read_edits(members);
      ASSERT_TRUE(edits) << edits.error().message;
      const auto made = submission_of(*edits, true);
      ASSERT_TRUE(made) << made.error().message;
      std::vector<std::string> lines = members.texts("line");
      for (const toml::table* each : members.list("expect"))
        if (each->contains("line")) lines.push_back((*each)["line"].value_or(std::string()));
      for (const std::string& line : lines) {
        const auto place = place_of(made->files, line);
        EXPECT_TRUE(place) << place.error().message;
      }
    }
  }
}

TEST(Check, is_one_of_the_cases_version_unless_it_is_named_whole) {
  const Edits edits = *edits_of("source = \"sort/q05_radix.cu\"\nold = \"a\"");
  EXPECT_EQ(check_id(edits, "clean"), "sort.q05_radix.clean");
  EXPECT_EQ(check_id(edits, "q04_merge.builds"), "sort.q04_merge.builds");
  EXPECT_EQ(check_id(edits, "upload_once"), "sort.upload_once");
}

TEST(Allows, compares_whole_kinds) {
  EXPECT_TRUE(allows("race|wrong_sum", "race"));
  EXPECT_FALSE(allows("race|wrong_sum", "wrong"));
  EXPECT_TRUE(allows("", ""));
}

}  // namespace
}  // namespace warpmark::edits
