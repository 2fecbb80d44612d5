// An installation of its own: it can be moved, nothing is written to it, and what it makes goes to the user's
// folders.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/class/class_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Installation : public ClassCommand {
 protected:
  // As a user with a home and nothing else.
  Child use(const fs::path& prefix, std::vector<std::string> arguments, const std::string& cache = "") const {
    arguments.insert(arguments.begin(), (prefix / "bin/warpmark").string());
    std::map<std::string, std::string> environment{{"PATH", "/usr/bin:/bin"},
                                                   {"HOME", (folder.path() / "home").string()}};
    if (!cache.empty()) environment["XDG_CACHE_HOME"] = cache;
    return run_child(arguments, environment, folder.path());
  }
  static std::map<std::string, fs::file_time_type> contents(const fs::path& prefix) {
    std::map<std::string, fs::file_time_type> all;
    for (const auto& entry : fs::recursive_directory_iterator(prefix)) {
      if (!entry.is_symlink())
        all[entry.path().lexically_relative(prefix).string()] = entry.last_write_time();
    }
    return all;
  }
};

TEST_F(Installation, grades_from_where_it_was_moved_to_and_writes_to_the_users_folders) {
  const fs::path prefix = folder.path() / "prefix";
  const Child installed =
      run_child({WARPMARK_CMAKE, "--install", WARPMARK_BUILD, "--prefix", prefix.string()},
                {{"PATH", "/usr/bin:/bin"}}, folder.path());
  ASSERT_EQ(installed.status, 0) << installed.output;
  // Beyond what the template leaves open: one version is written, so that something is built.
  add_student("anna");
  fs::copy_file(root / "reference/warmup/w01_thread_per_element.cu", input / "anna/w01_thread_per_element.cu",
                fs::copy_options::overwrite_existing);
  const auto before = contents(prefix);
  const Child child = use(prefix, {"grade", (input / "anna").string(), "--engine", "simulator"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("10 of 20 points"));
  EXPECT_TRUE(fs::exists(folder.path() / "warpmark-out/anna/grade.json"));
  EXPECT_TRUE(fs::exists(folder.path() / "home/.cache/warpmark"));
  EXPECT_EQ(contents(prefix), before);

  const fs::path moved = folder.path() / "moved";
  fs::rename(prefix, moved);
  const fs::path cache = folder.path() / "own cache";
  const Child again =
      use(moved, {"class", input.string(), "--engine", "simulator", "--trust-submissions"}, cache.string());
  EXPECT_TRUE(fs::exists(cache / "warpmark"));
  EXPECT_EQ(again.status, 1) << again.output;
  EXPECT_TRUE(fs::exists(folder.path() / "warpmark-out/class/students/anna/grade.json"));
}

}  // namespace
}  // namespace warpmark
