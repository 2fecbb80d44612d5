#include "harness/build/quoted_includes.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "harness/base/file.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

TEST(QuotedIncludes, are_those_of_directives) {
  EXPECT_THAT(quoted_includes("#include \"a.h\"\n  # include \"../b.h\"\n#include <c.h>\n\"d.h\"\n"),
              ElementsAre("a.h", "../b.h"));
}

class FoldersIncludedFrom : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, text));
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

TEST_F(FoldersIncludedFrom, a_source_are_those_beside_its_own) {
  add("lab/a.cu", "#include \"../common/book.h\"\n#include \"own.h\"\n#include \"missing.h\"\n");
  add("lab/own.h", "");
  add("common/book.h", "#include \"../more/deep.h\"\n#include \"beside.h\"\n");
  add("common/beside.h", "");
  add("more/deep.h", "");
  EXPECT_THAT(folders_included_from(path("lab/a.cu"), {}), ElementsAre(path("common"), path("more")));
}

TEST_F(FoldersIncludedFrom, a_source_are_none_where_they_are_searched_anyway) {
  add("lab/a.cu", "#include \"../common/book.h\"\n");
  add("common/book.h", "");
  EXPECT_THAT(folders_included_from(path("lab/a.cu"), {path("common")}), IsEmpty());
}

}  // namespace
}  // namespace warpmark::build
