// assignment.toml of programs: what it means, and how each mistake is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/program/spec.h"

namespace warpmark::program {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Result<Spec> read(const std::string& text) {
  return parse_toml<Spec>(text, "assignment.toml", [](TomlTable top) {
    if (!is_program(top)) top.refuse("no program");
    return read_spec(top);
  });
}

const std::string kTop = "kind = \"program\"\n";

TEST(ProgramSpec, fills_placeholders_and_prefers_what_a_case_gives) {
  const auto spec = read(kTop +
                         "[run]\narguments = [\"{n}\", \"{case}\", \"{{x}}\"]\nstdin = \"in/{case}.txt\"\n"
                         "files = [\"data/a.txt\"]\noutputs = [\"stdout\"]\n[require]\nkernels = 2\n"
                         "[[case]]\nname = \"one\"\nvalues = {n = 5}\n"
                         "[[case]]\nname = \"two\"\narguments = []\nstdin = \"other.txt\"\nkernels = 0\n"
                         "status = 3\nsecret = true\nexpected = {\"r/out.txt\" = \"two.out\"}\n");
  ASSERT_TRUE(spec) << spec.error().message;
  ASSERT_EQ(spec->cases.size(), 2U);
  const Case& one = spec->cases[0];
  EXPECT_THAT(one.arguments, ElementsAre("5", "one", "{x}"));
  EXPECT_EQ(one.input, "in/one.txt");
  EXPECT_EQ(one.kernels, 2U);
  ASSERT_EQ(one.outputs.size(), 1U);
  EXPECT_TRUE(one.outputs[0].name.empty() && one.outputs[0].expected.empty());
  const Case& two = spec->cases[1];
  EXPECT_TRUE(two.arguments.empty());
  EXPECT_EQ(two.input, "other.txt");
  EXPECT_EQ(two.kernels, 0U);
  EXPECT_EQ(two.status, 3);
  EXPECT_TRUE(two.secret);
  ASSERT_EQ(two.outputs.size(), 2U);
  EXPECT_EQ(two.outputs[1].name, "r/out.txt");
  EXPECT_EQ(two.outputs[1].expected, "two.out");
  EXPECT_THAT(spec->files(), ElementsAre("data/a.txt", "in/one.txt", "other.txt", "two.out"));
}

TEST(ProgramSpec, has_one_run_with_standard_output_by_default) {
  const auto spec = read(kTop + "[[case]]\nname = \"only\"\n");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->comparison.kind, ComparisonKind::exact);
  EXPECT_EQ(spec->cases[0].kernels, 1U) << "a program of a CUDA course launches something";
  EXPECT_EQ(spec->cases[0].outputs.size(), 1U);
}

TEST(ProgramSpec, names_each_mistake_with_its_line) {
  const std::string one = "[[case]]\nname = \"a\"\n";
  for (const auto& [text, line, why] : std::vector<std::tuple<std::string, int, std::string>>{
           {"kind = \"prog\"\n", 1, "must be \"program\""},
           {kTop, 1, "at least one [[case]]"},
           {kTop + "[[case]]\n", 2, "case.name is missing"},
           {kTop + "[[case]]\nname = \"a b\"\n", 3, "use letters"},
           {kTop + one + one, 5, "listed twice"},
           {kTop + one + "argument = [\"1\"]\n", 4, "is not known here"},
           {kTop + one + "arguments = [\"{n}\"]\n", 4, "values = {n = ...}"},
           {kTop + one + "arguments = [1]\n", 4, "write numbers in quotes"},
           {kTop + one + "values = {case = 1}\n", 4, "{case} is the case's name"},
           {kTop + one + "values = {n = 1.5}\n", 4, "a whole number or a text"},
           {kTop + one + "stdin = \"../secret\"\n", 4, "without .."},
           {kTop + one + "stdin = \"/etc/passwd\"\n", 4, "without .."},
           {kTop + one + "files = [\"a/x\", \"b/x\"]\n", 4, "two files"},
           {kTop + one + "outputs = [\"../x\"]\n", 4, "is no output"},
           {kTop + one + "expected = \"x\"\n", 4, "must be a table"},
           {kTop + one + "status = 300\n", 4, "from 0 to 125"},
           {kTop + one + "[run]\nargument = []\n", 5, "run.argument is not known here"},
           {kTop + one + "[compare]\nkind = \"same\"\n", 5, "exact, words or numbers"},
           {kTop + one + "[compare]\nrelative = 1e-3\n", 5, "for kind = \"numbers\""},
           {kTop + one + "[compare]\nchecker = \"c.py\"\n", 5, "C++ file"},
           {kTop + one + "[compare]\nchecker = \"c.cpp\"\nkind = \"exact\"\n", 6, "remove kind"},
           {kTop + one + "[limits]\nrun_seconds = 0\n", 5, "from 1 to 600"},
           {kTop + one + "[limits]\noutput_bytes = 0\n", 5, "from 1 to"},
           {kTop + one + "gpu_only = true\n", 4, "give the right one: expected = {stdout = \"FILE\"}"},
           {kTop + one + "gpu_only = true\nexpected = {stdout = \"a.out\"}\n", 1,
            "for machines that have none"},
           {kTop + one + "[require]\nkernel = 1\n", 5, "is not known here"}}) {
    const auto spec = read(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_THAT(spec.error().message,
                AllOf(StartsWith("assignment.toml:" + std::to_string(line) + ": "), HasSubstr(why)))
        << text;
  }
}

TEST(ProgramSpec, reports_the_mistakes_of_several_cases_at_once) {
  const auto spec =
      read(kTop + "[[case]]\nname = \"a\"\nstatus = 300\n[[case]]\nname = \"b\"\nstdin = \"..\"\n");
  ASSERT_FALSE(spec);
  EXPECT_THAT(spec.error().message,
              AllOf(HasSubstr("assignment.toml:4: "), HasSubstr("assignment.toml:7: ")));
}

TEST(ProgramSpec, leaves_secret_cases_out_of_handouts) {
  const std::string open = "[[case]]\nname = \"a\"\n";
  const std::string secret = "[[case]]\nname = \"b\"\nsecret = true\nstdin = \"b.in\"\n";
  EXPECT_EQ(without_secret_cases(kTop + open + secret + "[run]\nfiles = []\n", "f").value_or(""),
            kTop + open + "[run]\nfiles = []\n");
  const std::string values = "[case.values]\nn = 7\n[ case.expected ]\nstdout = \"b.out\"\n";
  EXPECT_EQ(without_secret_cases(kTop + open + secret + values + "[run]\nfiles = []\n", "f").value_or(""),
            kTop + open + "[run]\nfiles = []\n");
  EXPECT_EQ(without_secret_cases("title = \"t\"\n", "f").value_or(""), "title = \"t\"\n");
  const auto inline_case = without_secret_cases("case = [{name = \"b\", secret = true}]\n", "f");
  ASSERT_FALSE(inline_case);
  EXPECT_THAT(inline_case.error().message, HasSubstr("[[case]]"));
}

}  // namespace
}  // namespace warpmark::program
