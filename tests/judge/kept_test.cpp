// Which changes of an assignment's rules make an earlier grade useless.
#include "harness/judge/kept.h"

#include <string>

#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

class RulesDigest : public testing::Test {
 protected:
  // Returns the digest of rules that list the given entries of `equivalent`.
  std::string digest(const std::string& entries, const std::string& sizes = "[0, 1]") {
    const std::string text = "title = \"Sums\"\ncontract = \"sums.h\"\ntypes = [\"int\"]\nequivalent = [\n" +
                             entries + "]\n[points]\nbuilds = 1\ncorrect = 1\n[correct]\nsizes = " + sizes +
                             "\n[[version]]\nname = \"v01\"\nchecks = [\"builds\", \"correct\"]\n";
    const fs::path file = folder_.path() / kAssignmentFile;
    EXPECT_TRUE(write_file(file, text));
    auto rubric = parse_rubric(text, file.string(), "sums");
    if (!rubric) throw std::runtime_error(rubric.error().message);
    rubric->home = {"sums", folder_.path(), folder_.path() / "reference", folder_.path() / "stubs"};
    const Opened opened{"sums", nullptr, *rubric, {folder_.path() / "reference", "", "", {}, {}}};
    return digests_of({folder_.path(), folder_.path(), folder_.path()}, {}, opened).rules;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(RulesDigest, does_not_depend_on_the_mutants_that_are_listed_as_equivalent) {
  const std::string none = digest("");
  EXPECT_EQ(digest("  {line = \"if (i < n)\", edit = \"< to <=\"},\n"), none);
  EXPECT_EQ(digest("  {line = \"a\", edit = \"b\"},\n  {line = \"c\", edit = \"d\", nth = 2},\n"), none);
}

TEST_F(RulesDigest, depends_on_the_sizes) {
  EXPECT_NE(digest("", "[0, 1, 33]"), digest(""));
}

}  // namespace
}  // namespace warpmark::judge
