#include "harness/judge/oracle/generated_source.h"

#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

TEST(GeneratedSource, IsAloneInItsFolder) {
  const TemporaryFolder cache;
  const auto host = generated_source(cache.path(), "int x;", ".cpp");
  const auto device = generated_source(cache.path(), "int x;", ".cu");
  const auto other = generated_source(cache.path(), "int y;", ".cpp");
  EXPECT_EQ(read_file(host).value_or(""), "int x;");
  EXPECT_NE(host.parent_path(), device.parent_path()) << "names beside a source are part of its cache key";
  EXPECT_NE(host.parent_path(), other.parent_path());
  EXPECT_EQ(generated_source(cache.path(), "int x;", ".cpp"), host);
}

}  // namespace
}  // namespace warpmark::judge
