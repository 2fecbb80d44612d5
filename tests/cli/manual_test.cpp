// --help and the man pages: made from the command line, readable for people and for man(1).
#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Manual : public CommandTest {
 protected:
  // Every command that --help lists.
  [[nodiscard]] std::vector<std::string> commands() const {
    std::vector<std::string> names;
    bool inside = false;
    for (const std::string& line : lines_of(run({"--help"}).output)) {
      const bool head = !line.starts_with(' ');
      if (head) inside = line == "Commands:";
      if (inside && line.starts_with("  ") && line[2] != ' ') names.push_back(line.substr(2));
    }
    return names;
  }
};

TEST_F(Manual, help_of_every_command_has_usage_options_and_exit_status) {
  const auto names = commands();
  EXPECT_GE(names.size(), 11U);
  EXPECT_THAT(names, Not(testing::Contains("manual")));
  for (const std::string& name : names) {
    const Child child = run({name, "--help"});
    EXPECT_EQ(child.status, 0);
    EXPECT_THAT(child.output,
                AllOf(StartsWith("warpmark " + name + ": "), HasSubstr("\n\nUsage:\n  warpmark " + name),
                      HasSubstr("\nDescription:\n"), HasSubstr("Exit status: ")))
        << name;
    for (const std::string& line : lines_of(child.output))
      EXPECT_LE(line.size(), 100U) << name << ": " << line;
  }
}

TEST_F(Manual, help_names_choices_defaults_and_examples) {
  EXPECT_THAT(
      run({"grade", "--help"}).output,
      AllOf(HasSubstr("--engine auto|gpu|simulator"), HasSubstr("Default: auto."), HasSubstr("Examples:"),
            HasSubstr("--rubric FILE"), HasSubstr("warpmark grade [OPTIONS] DIR")));
}

TEST_F(Manual, pages_say_what_help_says_and_man_reads_them) {
  ASSERT_EQ(run({"manual", out.string()}).status, 0);
  EXPECT_TRUE(fs::exists(out / "warpmark.1"));
  for (const std::string& name : commands()) {
    const fs::path page = out / ("warpmark-" + name + ".1");
    const std::string text = read_file(page).value_or("");
    EXPECT_THAT(text, AllOf(HasSubstr(".SH NAME\n"), HasSubstr(".SH SYNOPSIS\n"), HasSubstr(".SH OPTIONS\n")))
        << name;
    // No line but a macro's begins with a control character.
    for (const std::string& line : lines_of(text)) {
      EXPECT_THAT(line, Not(StartsWith("'")));
      if (!line.starts_with('.')) continue;
      EXPECT_THAT(line, testing::AnyOf(StartsWith(".TH "), StartsWith(".SH "), StartsWith(".TP"),
                                       StartsWith(".B "), StartsWith(".PP")));
    }
    if (std::system("command -v groff >/dev/null 2>&1") == 0) {
      const Child child = run_child({"/usr/bin/env", "groff", "-man", "-Tascii", "-ww", "-z", page.string()},
                                    {{"PATH", "/usr/local/bin:/usr/bin:/bin"}}, folder.path());
      EXPECT_EQ(child.status, 0);
      EXPECT_EQ(child.output, "") << name;
    }
  }
}

}  // namespace
}  // namespace warpmark
