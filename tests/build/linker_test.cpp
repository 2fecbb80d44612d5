#include "harness/build/linker.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(LastCommandShown, takes_the_words_of_the_last_line) {
  EXPECT_THAT(last_command_shown("Debian clang version 14\n \"/usr/bin/clang\" \"-cc1\"\n"
                                 " \"/usr/bin/ld\" \"-o\" \"a b.so\"\n"),
              ElementsAre("/usr/bin/ld", "-o", "a b.so"));
}

TEST(LastCommandShown, undoes_the_quoting) {
  EXPECT_THAT(last_command_shown(R"( "/ld" "a\"b" "c\\d" "\$ORIGIN" "")"),
              ElementsAre("/ld", "a\"b", R"(c\d)", "$ORIGIN", ""));
}

TEST(LastCommandShown, is_empty_for_any_other_text) {
  EXPECT_THAT(last_command_shown("clang: error: invalid linker name in '-fuse-ld=gold'\n"), IsEmpty());
  EXPECT_THAT(last_command_shown(R"( "/ld" "not closed)"), IsEmpty());
  EXPECT_THAT(last_command_shown(""), IsEmpty());
}

TEST(Linker, is_none_where_the_driver_does_not_say_how_it_links) {
  EXPECT_FALSE(
      Linker::find("/bin/true", [](const auto&, const auto&) { return std::vector<std::string>{}; }));
}

TEST(Linker, links_what_the_driver_would) {
  const Result<Toolchain> clang = find_toolchain(Engine::simulator);
  if (!clang) GTEST_SKIP() << clang.error().message;
  const Linker linker = Linker::find(clang->compiler, [](const auto& object, const auto& library) {
    return std::vector<std::string>{object, "-shared", "-o", library};
  });
  if (!linker) GTEST_SKIP() << "neither gold nor lld is installed";
  const TemporaryFolder folder;
  const std::filesystem::path source = folder.path() / "a.c";
  ASSERT_TRUE(write_file(source, "int answer(void) { return 42; }\n"));
  const auto run = [&](std::vector<std::string> argv) {
    sandbox::Command command;
    command.argv = std::move(argv);
    command.environment = {{"PATH", "/usr/bin:/bin"}};
    const Result<sandbox::Finished> finished = sandbox::run(command, std::chrono::seconds(60));
    return finished ? finished->ending.code : -1;
  };
  const std::filesystem::path object = folder.path() / "a.o";
  const std::filesystem::path library = folder.path() / "a.so";
  ASSERT_EQ(run({clang->compiler, "-x", "c", "-fPIC", "-c", source, "-o", object}), 0);
  EXPECT_THAT(linker.command(object, library), Not(Contains("object.o")));
  ASSERT_EQ(run(linker.command(object, library)), 0);
  EXPECT_TRUE(std::filesystem::exists(library));
}

}  // namespace
}  // namespace warpmark::build
