#include "harness/build/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::build {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Workspace workspace_of(const std::string& source, const std::string& display_name,
                       std::vector<std::filesystem::path> folders = {}) {
  Request request;
  request.source = source;
  request.display_name = display_name;
  request.include_folders = std::move(folders);
  Settings settings;
  settings.simulator_include = "/ours";
  return {request, settings, Engine::simulator};
}

TEST(PlainNames, are_shown_to_the_compiler_as_they_are) {
  const Workspace workspace = workspace_of("/sub/part/v01.cu", "part/v01.cu", {"/contract"});
  EXPECT_EQ(workspace.source(), "/sub/part/v01.cu");
  EXPECT_THAT(workspace.include_flags(), ElementsAre("-I", "/ours", "-I", "/contract"));
  EXPECT_THAT(workspace.prefix_map_flags(), ElementsAre("-ffile-prefix-map=/sub/="));
}

TEST(PlainNames, are_relative_to_the_submission) {
  const Workspace workspace = workspace_of("/sub/part/v01.cu", "part/v01.cu", {"/contract"});
  EXPECT_EQ(workspace.shown_name("/sub/part/v01.cu"), "part/v01.cu");
  EXPECT_EQ(workspace.shown_name("/sub/part/h.h"), "part/h.h");
  EXPECT_EQ(workspace.shown_name("/sub/part/../common.h"), "common.h");
  EXPECT_EQ(workspace.shown_name("./part/v01.cu"), "part/v01.cu");
  EXPECT_EQ(workspace.shown_name("/sub/part/../../etc/passwd"), std::nullopt);
  EXPECT_EQ(workspace.shown_name("/contract/reduction.h"), std::nullopt);
  EXPECT_EQ(workspace.shown_name("<command line>"), std::nullopt);
  EXPECT_EQ(workspace.shown_name(workspace.folder().string() + "/part/v01.cu"), "part/v01.cu");
  EXPECT_EQ(workspace.shown_name(workspace.folder().string() + "/tmpxft_1.cpp"), std::nullopt);
  EXPECT_EQ(workspace.real_path("part/v01.cu"), "/sub/part/v01.cu");
  EXPECT_EQ(workspace.real_path("part/h.h"), "/sub/part/h.h");
  EXPECT_EQ(workspace.real_path("common.h"), "/sub/common.h");
}

TEST(PlainNames, are_replaced_in_texts) {
  const Workspace workspace = workspace_of("/sub/part/v01.cu", "part/v01.cu");
  EXPECT_EQ(workspace.shown_text("/sub/part/v01.cu:3: see /sub/part/h.h and /sub/x"),
            "part/v01.cu:3: see part/h.h and x");
}

class OddNames : public testing::TestWithParam<const char*> {};

TEST_P(OddNames, are_hidden_from_the_compiler) {
  const std::string name = std::string(GetParam()) + ".cu";
  const Workspace workspace = workspace_of("/my sub/" + name, name);
  for (const std::string& seen : {workspace.source(), workspace.folders().front().seen}) {
    EXPECT_EQ(seen.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./"),
              std::string::npos)
        << seen;
  }
  auto flags = workspace.include_flags();
  ASSERT_GE(flags.size(), 4U);
  flags.resize(4);  // behind them stands the toolkit's Thrust, if there is one
  EXPECT_THAT(flags, ElementsAre("-iquote", workspace.folders().front().seen, "-I", "/ours"));
  EXPECT_EQ(workspace.shown_name(workspace.source()), name);
  EXPECT_EQ(workspace.shown_name(workspace.folders().front().seen + "/h.h"), "h.h");
  EXPECT_EQ(workspace.real_path(name), "/my sub/" + name);
  EXPECT_EQ(workspace.real_path("h.h"), "/my sub/h.h");
  const std::string text = workspace.shown_text(workspace.source() + ":3: error");
  EXPECT_EQ(text, name + ":3: error");
}
INSTANTIATE_TEST_SUITE_P(Names, OddNames,
                         testing::Values("two words", "qu\"ote", "apo'strophe", "new\nline", "$(touch x)",
                                         "a,b=c", "v\xc3\xa4"));

TEST(OddNames, of_a_source_that_is_no_cu_file_or_is_shown_under_another_name_are_hidden) {
  EXPECT_THAT(workspace_of("/sub/v01.txt", "v01.txt").source(), Not(HasSubstr("v01.txt")));
  EXPECT_THAT(workspace_of("/sub/123.cu", "v01.cu").source(), Not(HasSubstr("123")));
}

}  // namespace
}  // namespace warpmark::build
