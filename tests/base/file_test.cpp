#include "harness/base/file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/leftovers.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool is_open(int fd) {
  return fcntl(fd, F_GETFD) != -1;
}

TEST(Sha256, equals_the_standards_examples) {
  // FIPS 180-4, examples of SHA-256: "abc" and the 448-bit message; and the empty one.
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Files, come_back_as_they_were_written) {
  const TemporaryFolder folder;
  const std::string contents("one\0two\r\n\xff", 10);
  ASSERT_TRUE(write_file(folder.path() / "a b\"c", contents));
  const Result<std::string> read = read_file(folder.path() / "a b\"c");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, contents);
}

TEST(Files, are_replaced_and_leave_nothing_beside) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "f", "a long first text"));
  ASSERT_TRUE(write_file(folder.path() / "f", "second"));
  EXPECT_EQ(read_file(folder.path() / "f").value(), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Files, keep_the_old_text_for_a_reader_that_has_it_open) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "f", "old"));
  std::ifstream reader(folder.path() / "f");
  ASSERT_TRUE(write_file(folder.path() / "f", "new"));
  std::string text;
  reader >> text;
  EXPECT_EQ(text, "old");
}

TEST(Files, that_cannot_be_written_say_why_and_leave_nothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "taken" / "inside");
  const Result<void> written = write_file(folder.path() / "taken", "text");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr((folder.path() / "taken").string()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Files, larger_than_the_system_says_are_read_whole) {
  const Result<std::string> status = read_file("/proc/self/status");  // its size is given as 0
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_THAT(*status, HasSubstr("nonvoluntary_ctxt_switches"));
}

TEST(Files, that_are_not_regular_are_refused_without_waiting) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  for (const fs::path& path : {folder.path() / "pipe", folder.path(), fs::path("/dev/zero")}) {
    const Result<std::string> read = read_file(path);
    ASSERT_FALSE(read) << path;
    EXPECT_THAT(read.error().message, HasSubstr(path.string()));
  }
}

TEST(Files, that_are_missing_say_so) {
  const Result<std::string> read = read_file("/nowhere/at all");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "cannot read /nowhere/at all: No such file or directory");
}

TEST(Files, with_another_name_are_refused) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  ASSERT_TRUE(write_file(file, "text"));
  EXPECT_EQ(read_own_file(file).value(), "text");
  fs::create_symlink(file, folder.path() / "link");
  EXPECT_FALSE(read_own_file(folder.path() / "link"));
  fs::create_hard_link(file, folder.path() / "hard");
  EXPECT_FALSE(read_own_file(folder.path() / "hard"));
  EXPECT_FALSE(read_own_file(file));
  EXPECT_TRUE(read_file(file));
}

TEST(UniqueFd, closes_what_it_owns_once) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd first(ends[0]);
  {
    UniqueFd second(ends[1]);
    second = std::move(first);
    EXPECT_FALSE(is_open(ends[1]));
    EXPECT_TRUE(is_open(ends[0]));
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): what is left is the point
  }
  EXPECT_FALSE(is_open(ends[0]));
}

TEST(UniqueFd, gives_up_what_is_released) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd(ends[0]).release();
  EXPECT_TRUE(is_open(ends[0]));
  close(ends[0]);
  close(ends[1]);
}

TEST(Pipe, passes_on_more_than_it_holds_to_a_slow_reader) {
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(fcntl(pipe->read.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  fcntl(pipe->write.get(), F_SETFL, O_NONBLOCK);
  const std::string text(std::size_t{1} << 20, 'x');
  std::string got;
  {
    const std::jthread reader([&] {
      char buffer[4096];
      for (ssize_t count = 0; (count = read(pipe->read.get(), buffer, sizeof buffer)) > 0;)
        got.append(buffer, static_cast<std::size_t>(count));
    });
    EXPECT_EQ(write_all(pipe->write.get(), text), 0);
    pipe->write.reset();
  }
  EXPECT_EQ(got, text);
}

TEST(Pipe, gives_the_errno_of_a_write_that_failed) {
  EXPECT_EQ(write_all(-1, "x"), EBADF);
}

TEST(Paths, are_below_a_folder_by_whole_names) {
  EXPECT_TRUE(is_below("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_below("/a/b", "/a/b"));
  EXPECT_FALSE(is_below("/a/bc", "/a/b"));
  EXPECT_FALSE(is_below("/a", "/a/b"));
}

TEST(TemporaryFolder, is_private_and_goes_away_with_its_contents) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path / "deep" / "locked");
    ASSERT_TRUE(write_file(path / "deep" / "locked" / "f", "x"));
    fs::permissions(path / "deep" / "locked", fs::perms::none);
    fs::permissions(path / "deep", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, of_a_killed_process_is_swept_and_that_of_a_living_one_is_not) {
  const TemporaryFolder around;
  const char* given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  setenv("TMPDIR", around.path().c_str(), 1);
  const TemporaryFolder alive;
  const fs::path left = around.path() / "warpmark-aaaaaa";
  const fs::path young = around.path() / "warpmark-bbbbbb";
  const fs::path other = around.path() / "warpmark-of-somebody";
  for (const fs::path& folder : {left, young, other}) {
    fs::create_directory(folder);
    ASSERT_TRUE(write_file(folder / "file", "text"));
  }
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& folder : {left, other, alive.path()}) fs::last_write_time(folder, old);
  EXPECT_EQ(sweep_temporary_folders(), 1U);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(alive.path()));
  if (given == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", before.c_str(), 1);
  }
}

TEST(Leftovers, are_what_nobody_writes_any_more) {
  const TemporaryFolder folder;
  const fs::path unfinished = folder.path() / ".warpmark-0123456789abcdef01234567";
  const fs::path below = folder.path() / "a" / ".fresh-x";
  const fs::path deeper = folder.path() / "a/b" / ".fresh-x";
  const fs::path young = folder.path() / ".warpmark-1123456789abcdef01234567";
  const fs::path locked = folder.path() / ".warpmark-2123456789abcdef01234567";
  const fs::path of_somebody = folder.path() / ".warpmark-notes";
  const fs::path link = folder.path() / ".fresh-link";
  fs::create_directories(below);
  fs::create_directories(deeper);
  fs::create_symlink(folder.path() / "a", link);
  for (const fs::path& file : {unfinished, young, locked, of_somebody}) ASSERT_TRUE(write_file(file, "half"));
  const UniqueFd writer(::open(locked.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(writer.get(), LOCK_EX), 0);
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& path : {unfinished, below, deeper, locked, of_somebody})
    fs::last_write_time(path, old);
  EXPECT_EQ(sweep_leftovers(folder.path(), 1), 2U);
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_FALSE(fs::exists(below));
  for (const fs::path& path : {deeper, young, locked, of_somebody}) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(TemporaryFolder, leaves_alone_what_a_link_points_to) {
  const TemporaryFolder outside;
  ASSERT_TRUE(write_file(outside.path() / "kept", "x"));
  {
    const TemporaryFolder folder;
    fs::create_symlink(outside.path(), folder.path() / "link");
  }
  EXPECT_TRUE(fs::exists(outside.path() / "kept"));
}

TEST(CheckPath, says_what_is_wrong_and_what_to_name) {
  const TemporaryFolder folder;
  const auto refused = [&](const char* name, PathKind wanted) {
    const auto checked = check_path(folder.path() / name, wanted, "name another");
    return checked ? std::string() : checked.error().message.substr(folder.path().string().size() + 1);
  };
  fs::create_directory(folder.path() / "work");
  std::ofstream(folder.path() / "a.txt") << "x";
  EXPECT_EQ(refused("work", PathKind::folder), "");
  EXPECT_EQ(refused("work", PathKind::either), "");
  EXPECT_EQ(refused("a.txt", PathKind::file), "");
  EXPECT_EQ(refused("work", PathKind::file), "work is a folder, not a file; name another");
  EXPECT_EQ(refused("a.txt", PathKind::folder), "a.txt is not a folder; name another");
  EXPECT_EQ(refused("knitting", PathKind::either), "knitting: there is no such file or folder; name another");
  EXPECT_THAT(refused("wrok/", PathKind::folder),
              HasSubstr("no such folder (but " + (folder.path() / "work").string()));
  if (::geteuid() != 0) {
    fs::permissions(folder.path() / "work", fs::perms::none);
    EXPECT_THAT(refused("work", PathKind::folder),
                HasSubstr("cannot be read: Permission denied; name another"));
  }
}

}  // namespace
}  // namespace warpmark
