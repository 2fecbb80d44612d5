// What the code of a submission finds around it when the judge's own worker has loaded it.

#include "harness/judge/workers/worker_box.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kLimit = 60s;

Installation installation_at(sandbox::Level level) {
  Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
  installed.sandbox = level;
  return installed;
}

// Makes every temporary folder lie in one, so that what is left of them can be counted.
class WorkerBoxTest : public testing::Test {
 protected:
  void SetUp() override {
    if (sandbox::machine().best != sandbox::Level::box)
      GTEST_SKIP() << "not run: " << sandbox::machine().trouble;
    setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  void TearDown() override { unsetenv("TMPDIR"); }
  [[nodiscard]] bool left_something() const { return !fs::is_empty(folder_.path()); }

  static Answer<wire::Load> load(WorkerClient& worker, const std::string& path = WARPMARK_TRESPASSER) {
    return worker.ask(wire::Load{"x", path}, {}, kLimit);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(WorkerBoxTest, keeps_a_submission_from_everything_but_computing) {
  {
    auto worker = WorkerClient::start(installation_at(sandbox::Level::box), Engine::simulator, false, kLimit);
    ASSERT_TRUE(worker) << worker.error().message;
    const auto loaded = load(*worker);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->not_loaded, std::nullopt);
    // A second time under another name: it is another copy, whose constructor runs, too.
    const auto again = load(*worker);
    EXPECT_TRUE(again) << again.error().message;
  }
  EXPECT_FALSE(left_something());
}

// Otherwise the test above shows nothing.
TEST_F(WorkerBoxTest, is_what_keeps_it) {
  auto worker =
      WorkerClient::start(installation_at(sandbox::Level::process), Engine::simulator, false, kLimit);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto loaded = load(*worker);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, CauseKind::exited);
  EXPECT_THAT(loaded.error().message, HasSubstr("status 41"));
}

TEST_F(WorkerBoxTest, has_its_own_copies_of_libraries_that_only_we_may_read) {
  const TemporaryFolder cache;
  const fs::path library = cache.path() / "library.so";
  fs::copy_file(WARPMARK_TRESPASSER, library);
  fs::permissions(library, fs::perms::owner_read);
  auto worker = WorkerClient::start(installation_at(sandbox::Level::box), Engine::simulator, false, kLimit);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto loaded = load(*worker, library.string());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->not_loaded, std::nullopt);
}

TEST_F(WorkerBoxTest, that_lacks_a_library_is_our_fault) {
  auto worker = WorkerClient::start(installation_at(sandbox::Level::box), Engine::simulator, false, kLimit);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto loaded = load(*worker, "/nowhere.so");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, CauseKind::internal);
  EXPECT_THAT(loaded.error().message, HasSubstr("/nowhere.so"));
}

TEST_F(WorkerBoxTest, that_cannot_be_made_is_our_fault) {
  Installation installed = installation_at(sandbox::Level::box);
  installed.libraries = "/nowhere/at/all";
  const auto worker = WorkerClient::start(installed, Engine::simulator, false, kLimit);
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().kind, CauseKind::internal);
  EXPECT_THAT(worker.error().message, HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace warpmark::judge
