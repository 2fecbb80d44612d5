// An installation of its own: it can be moved, nothing is written to it, and what it makes goes to the user's
// folders.
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST_F(Installation, holds_the_naive_kernel_and_no_solution) {
  const fs::path prefix = folder.path() / "prefix";
  const std::vector<std::string> install{WARPMARK_CMAKE, "--install", WARPMARK_BUILD, "--prefix",
                                         prefix.string()};
  ASSERT_EQ(run_child(install, {{"PATH", "/usr/bin:/bin"}}, folder.path()).status, 0);
  std::vector<std::string> marked;
  fs::path naive;
  for (const auto& entry : fs::recursive_directory_iterator(prefix)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".cu") continue;
    // worked examples of `assignment new`, which solve no assignment
    if (entry.path().string().find("/assignment_check/shapes/") != std::string::npos) continue;
    const std::string text = read_file(entry.path()).value_or("");
    if (text.find("<solution>") != std::string::npos || text.find("<reference only>") != std::string::npos)
      marked.push_back(entry.path().string());
    if (entry.path().filename() == "v01_atomic_per_element.cu" &&
        entry.path().string().find("/reference/") != std::string::npos)
      naive = entry.path();
  }
  EXPECT_THAT(marked, testing::IsEmpty());
  ASSERT_FALSE(naive.empty());

  auto solutions = install;
  solutions.insert(solutions.end(), {"--component", "solutions"});
  ASSERT_EQ(run_child(solutions, {{"PATH", "/usr/bin:/bin"}}, folder.path()).status, 0);
  const fs::path solution = naive.parent_path() / "v05_tree_modulo.cu";
  ASSERT_TRUE(fs::exists(solution));
  EXPECT_EQ(fs::status(solution).permissions() & fs::perms::others_all, fs::perms::none);
}

// Two people of a course on one machine, each with a home and no right to write anywhere else.
using InstallationLong = Installation;

TEST_F(InstallationLong, a_package_serves_two_users_at_once) {
  if (::geteuid() != 0) GTEST_SKIP() << "not run: only root can be two other users";
  for (const char* program : {"/usr/bin/dpkg", "/usr/bin/dpkg-shlibdeps", "/usr/bin/setpriv"}) {
    if (!fs::exists(program)) GTEST_SKIP() << "not run: " << program << " is missing";
  }
  const std::map<std::string, std::string> as_root{{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}};
  const fs::path root_folder = folder.path() / "root";
  fs::create_directories(root_folder / "var/lib/dpkg/info");
  write(root_folder / "var/lib/dpkg/status", "");
  const Child packed = run_child({WARPMARK_ROOT "/harness/package/make", "--this-processor", "--build",
                                  WARPMARK_BUILD, folder.path() / "deb"},
                                 as_root, folder.path());
  ASSERT_EQ(packed.status, 0) << packed.output;
  fs::path package;
  for (const auto& entry : fs::directory_iterator(folder.path() / "deb")) {
    if (entry.path().extension() == ".deb") package = entry.path();
  }
  const Child installed = run_child({"/usr/bin/dpkg", "--root=" + root_folder.string(), "--force-depends",
                                     "--log=/dev/null", "--install", package.string()},
                                    as_root, folder.path());
  ASSERT_EQ(installed.status, 0) << installed.output;
  const auto before = contents(root_folder / "usr");

  add_student("anna");
  fs::copy_file(root / "reference/warmup/w01_thread_per_element.cu", input / "anna/w01_thread_per_element.cu",
                fs::copy_options::overwrite_existing);
  fs::permissions(folder.path(), fs::perms(0755));
  const auto grade_as = [&](int user) {
    const fs::path home = folder.path() / std::to_string(user);
    fs::create_directories(home);
    EXPECT_EQ(::chown(home.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)), 0);
    const std::string number = std::to_string(user);
    return run_child({"/usr/bin/setpriv", "--reuid=" + number, "--regid=" + number, "--clear-groups",
                      (root_folder / "usr/bin/warpmark").string(), "class", input.string(), "--engine",
                      "simulator", "--trust-submissions"},
                     {{"PATH", "/usr/bin:/bin"}, {"HOME", home.string()}}, home);
  };
  auto other = std::async(std::launch::async, grade_as, 65533);
  const Child one = grade_as(65534);
  const Child two = other.get();
  for (const auto& [user, child] : {std::pair{"65534", one}, {"65533", two}}) {
    EXPECT_EQ(child.status, 1) << child.output;
    EXPECT_THAT(child.output, HasSubstr("10 of 20 points"));
    EXPECT_TRUE(fs::exists(folder.path() / user / "warpmark-out/class/students/anna/grade.json"));
    EXPECT_TRUE(fs::exists(folder.path() / user / ".cache/warpmark"));
  }
  EXPECT_EQ(contents(root_folder / "usr"), before);
}

}  // namespace
}  // namespace warpmark
