#include "harness/build/exports.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::build {
namespace {

using testing::Contains;
using testing::Not;

TEST(Exports, are_the_functions_that_a_library_defines) {
  const Result<Symbols> symbols = symbols_of(WARPMARK_STUB_RUNTIME);
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_THAT(symbols->exported, Contains("cudaLaunchKernel"));
  EXPECT_THAT(symbols->exported, Not(Contains("puts")));
  EXPECT_THAT(symbols->undefined, Contains("puts"));
  EXPECT_TRUE(std::ranges::is_sorted(symbols->exported));
}

TEST(Exports, of_anything_else_are_an_error) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "text", "no library"));
  EXPECT_FALSE(symbols_of(folder.path() / "text"));
  EXPECT_FALSE(symbols_of(folder.path() / "missing"));
}

TEST(Exports, of_a_damaged_library_are_read_within_its_bounds) {
  const TemporaryFolder folder;
  const std::string whole = read_file(WARPMARK_STUB_RUNTIME).value();
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    ASSERT_TRUE(write_file(folder.path() / "cut", whole.substr(0, size)));
    const Result<Symbols> symbols = symbols_of(folder.path() / "cut");
    EXPECT_TRUE(!symbols || symbols->exported.empty() || size * 2 > whole.size());
  }
  // Every offset of the header and the section table wrong in turn: nothing to expect but an end.
  for (std::size_t at = 16; at < 64; ++at) {
    std::string damaged = whole;
    damaged[at] = '\xff';
    ASSERT_TRUE(write_file(folder.path() / "damaged", damaged));
    (void)symbols_of(folder.path() / "damaged");
  }
}

}  // namespace
}  // namespace warpmark::build
