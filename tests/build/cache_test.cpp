// When a library is built again, and when not.

#include "harness/build/cache.h"

#include <algorithm>
#include <fstream>

#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

class CacheTest : public BuildTest {
 protected:
  // A hit, the library still being there.
  bool hits(const Request& request) const {
    const Built built = build(request);
    EXPECT_TRUE(built.causes.empty()) << built.causes.front().message;
    EXPECT_TRUE(fs::exists(built.library));
    return built.from_cache;
  }
};

constexpr char kWithHeader[] = "#include \"h.h\"\nint f() { return H; }\n";

TEST_F(CacheTest, hits_when_nothing_changed) {
  write("a.cu", kGood);
  EXPECT_FALSE(hits(request("a.cu")));
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, does_not_start_the_compiler_on_a_hit) {
  write("a.cu", kGood);
  EXPECT_FALSE(hits(request("a.cu")));
  toolchain.compiler = "/nowhere/at/all";
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, misses_when_the_source_changes) {
  write("a.cu", "int f() { return 1; }\n");
  EXPECT_FALSE(hits(request("a.cu")));
  write("a.cu", "int f() { return 2; }\n");
  EXPECT_FALSE(hits(request("a.cu")));
  write("a.cu", "int f() { return 1; }\n");
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, misses_when_a_header_changes_and_hits_when_it_is_back) {
  write("a.cu", kWithHeader);
  write("h.h", "#define H 1\n");
  EXPECT_FALSE(hits(request("a.cu")));
  const auto time = fs::last_write_time(submission() / "h.h");
  write("h.h", "#define H 2\n");
  fs::last_write_time(submission() / "h.h",
                      time);  // the same size and, as a copying tool may do it, the same time
  EXPECT_FALSE(hits(request("a.cu")));
  EXPECT_TRUE(hits(request("a.cu")));
  write("h.h", "#define H 1\n");
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, misses_when_a_header_above_the_source_changes) {
  write("part/a.cu", "#include \"../h.h\"\nint f() { return H; }\n");
  write("h.h", "#define H 1\n");
  EXPECT_FALSE(hits(request("part/a.cu")));
  EXPECT_TRUE(hits(request("part/a.cu")));
  write("h.h", "#define H 2\n");
  EXPECT_FALSE(hits(request("part/a.cu")));
}

TEST_F(CacheTest, misses_when_a_new_header_hides_the_one_that_was_used) {
  const fs::path contract = scratch.path() / "contract";
  fs::create_directory(contract);
  ASSERT_TRUE(write_file(contract / "h.h", "#define H 1\n"));
  write("a.cu", kWithHeader);
  Request wanted = request("a.cu");
  wanted.include_folders = {contract};
  write("old.h", "#define H 2\n");
  EXPECT_FALSE(hits(wanted));
  EXPECT_TRUE(hits(wanted));
  fs::rename(submission() / "old.h", submission() / "h.h");  // there are as many names as before
  EXPECT_FALSE(hits(wanted));
}

TEST_F(CacheTest, misses_when_the_type_the_name_or_the_flags_change) {
  write("a.cu", kGood);
  write("b.cu", kGood);
  EXPECT_FALSE(hits(request("a.cu")));
  Request typed = request("a.cu");
  typed.value_type = "float";
  EXPECT_FALSE(hits(typed));
  EXPECT_FALSE(hits(request("b.cu")));  // findings of the simulator name the file
  toolchain.identity += " another";
  EXPECT_FALSE(hits(request("a.cu")));
}

TEST_F(CacheTest, misses_when_the_simulator_is_another) {
  write("a.cu", kGood);
  EXPECT_FALSE(hits(request("a.cu")));
  const fs::path other = scratch.path() / "libother.so";
  fs::copy_file(settings.simulator_library, other);
  settings.simulator_library = other;
  EXPECT_FALSE(hits(request("a.cu")));
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, hits_for_the_same_submission_in_another_folder) {
  write("a.cu", kWithHeader);
  write("h.h", "#define H 1\n");
  EXPECT_FALSE(hits(request("a.cu")));
  const fs::path copy = scratch.path() / "copy";
  fs::copy(submission(), copy);
  Request elsewhere = request("a.cu");
  elsewhere.source = copy / "a.cu";
  EXPECT_TRUE(hits(elsewhere));
  // ... unless its header is another one.
  ASSERT_TRUE(write_file(copy / "h.h", "#define H 2\n"));
  EXPECT_FALSE(hits(elsewhere));
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, does_not_keep_failures) {
  write("a.cu", kWithHeader);
  EXPECT_EQ(build("a.cu").causes.size(), 1U);
  const auto is_library = [](const fs::directory_entry& entry) {
    return entry.path().filename().string().find('-') == std::string::npos;  // no precompiled header
  };
  EXPECT_EQ(std::count_if(fs::directory_iterator(settings.cache), fs::directory_iterator(), is_library), 0);
  write("h.h", "#define H 1\n");
  EXPECT_FALSE(hits(request("a.cu")));
}

TEST_F(CacheTest, asks_for_the_exports_of_a_cached_library_too) {
  write("a.cu", kGood);
  EXPECT_FALSE(hits(request("a.cu")));
  Request wanted = request("a.cu");
  wanted.exports = {"other"};
  EXPECT_EQ(only_cause(build(wanted)).kind, CauseKind::missing_function);
}

TEST_F(CacheTest, repairs_a_damaged_entry) {
  write("a.cu", kGood);
  for (const char* name : {"library.so", "manifest"}) {
    const Built before = build("a.cu");
    fs::resize_file(before.library.parent_path() / name, 10);
    EXPECT_FALSE(hits(request("a.cu"))) << name;
    EXPECT_TRUE(hits(request("a.cu"))) << name;
  }
}

TEST_F(CacheTest, builds_again_a_library_of_the_same_size_with_other_contents) {
  write("a.cu", kGood);
  const fs::path library = build("a.cu").library;
  std::string contents = read_file(library).value_or("");
  ASSERT_FALSE(contents.empty());
  contents[contents.size() / 2] = static_cast<char>(contents[contents.size() / 2] ^ 1);
  ASSERT_TRUE(write_file(library, contents));
  EXPECT_FALSE(hits(request("a.cu")));
  EXPECT_NE(read_file(library).value_or(""), contents);
  EXPECT_TRUE(hits(request("a.cu")));
}

TEST_F(CacheTest, loses_what_was_not_used_for_long_and_keeps_the_rest) {
  write("old.cu", kGood);
  write("found.cu", kGood);
  const fs::path old = build("old.cu").library;
  const fs::path found = build("found.cu").library;
  ASSERT_NE(old, found);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(100);
  fs::last_write_time(old.parent_path(), long_ago);
  fs::last_write_time(found.parent_path(), long_ago);
  EXPECT_TRUE(hits(request("found.cu")));

  EXPECT_EQ(trim_cache(settings.cache, std::chrono::hours(99)), 1U);
  EXPECT_FALSE(fs::exists(old.parent_path().parent_path()));
  EXPECT_TRUE(fs::exists(found));
}

TEST_F(CacheTest, is_trimmed_once_a_day) {
  write("a.cu", kGood);
  const fs::path folder = build("a.cu").library.parent_path();
  EXPECT_EQ(trim_cache(settings.cache, std::chrono::hours(99)), 0U);
  fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(100));
  EXPECT_EQ(trim_cache(settings.cache, std::chrono::hours(99)), 0U);
  fs::last_write_time(settings.cache / ".trimmed", fs::file_time_type::clock::now() - std::chrono::hours(25));
  EXPECT_EQ(trim_cache(settings.cache, std::chrono::hours(99)), 1U);
}

TEST_F(CacheTest, that_is_not_there_needs_no_trimming) {
  EXPECT_EQ(trim_cache(scratch.path() / "none", std::chrono::hours(1)), 0U);
  EXPECT_FALSE(fs::exists(scratch.path() / "none"));
}

TEST_F(CacheTest, that_cannot_be_written_is_our_fault) {
  write("a.cu", kGood);
  settings.cache = submission() / "a.cu" / "cache";  // a file is in the way
  const Result<Built> built = Builder(toolchain, settings).build(request("a.cu"));
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().message, testing::HasSubstr("cannot write to the cache"));
}

}  // namespace
}  // namespace warpmark::build
