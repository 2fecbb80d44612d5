// File names that break shells, make and compilers' options, with the real clang.

#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

class FileName : public BuildTest, public testing::WithParamInterface<const char*> {};

TEST_P(FileName, builds_includes_and_is_cached) {
  const std::string name = std::string(GetParam()) + ".cu";
  write(name, std::string("#include \"my helper.h\"\n") + kGood);
  write("my helper.h", "#define HELPER 1\n");
  Request wanted = request(name);
  wanted.exports = {"run"};
  const Built built = build(wanted);
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  EXPECT_TRUE(build(wanted).from_cache);
  write("my helper.h", "#define HELPER 2\n");
  EXPECT_FALSE(build(wanted).from_cache);
}

TEST_P(FileName, is_told_in_errors) {
  const std::string name = std::string(GetParam()) + ".cu";
  write(name, "int a;\nint b = nothing;\n");
  const Cause cause = only_cause(build(name));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_EQ(cause.file, name);
  EXPECT_EQ(cause.line, 2);
  EXPECT_EQ(cause.excerpt.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Names, FileName,
                         testing::Values("two words", "qu\"ote", "apo'strophe", "new\nline", "-o", "--help",
                                         "@file", "$(touch pwned)", "`touch pwned`", "a;b&c|d",
                                         "comma,equals=colon:", "back\\slash", "#hash",
                                         "\xc3\xbc"
                                         "ber",
                                         "not utf-8 \xff", ".hidden"));

TEST_F(FileName, of_the_submissions_folder_may_be_odd_too) {
  const fs::path folder = scratch.path() / "Anna's \"best\" work, $HOME";
  fs::create_directory(folder);
  ASSERT_TRUE(write_file(folder / "a.cu", "#include \"h.h\"\nint b = nothing;\n"));
  ASSERT_TRUE(write_file(folder / "h.h", "\n"));
  Request wanted = request("a.cu");
  wanted.source = folder / "a.cu";
  const Cause cause = only_cause(build(wanted));
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 2);
}

TEST_F(FileName, may_be_a_link_to_a_file_elsewhere) {
  write("real/a.cu", kGood);
  fs::create_symlink(submission() / "real/a.cu", submission() / "b.cu");
  EXPECT_TRUE(build("b.cu").causes.empty());
}

}  // namespace
}  // namespace warpmark::build
