// Runs the probe of a GPU, and compares the thresholds that follow from it with measured ones. Measured are
// those of thresholds/<GPU>.toml or, on another GPU, of the file in WARPMARK_CALIBRATED (`warpmark calibrate
// --out`).
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/score.h"
#include "harness/judge/speed/predicted.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr double kMostSeconds = 10;
// A predicted threshold is at least this share of the measured one, and half of them at least kUsualShare.
constexpr double kLeastShare = 0.1;
constexpr double kUsualShare = 0.4;

void print_progress(const std::string& line) {
  fmt::print("{}\n", line);
}

class ProbeOfThisGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!engines().has(Engine::gpu)) GTEST_SKIP() << "not run: no CUDA device";
  }
  static const Engines& engines() {
    static const Engines kFound = find_engines(installation(), kEngineLimit);
    return kFound;
  }
  static const Installation& installation() {
    static const Installation kThis{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
    return kThis;
  }
  static const Device& gpu() { return engines().devices.at(Engine::gpu); }
  tl::expected<GpuProbe, Cause> probe(bool anew) {
    return probe_gpu({installation(), engines(), cache_.path(), print_progress}, anew);
  }
  TemporaryFolder cache_;
};

TEST_F(ProbeOfThisGpu, takes_seconds_and_gives_the_same_again) {
  const auto first = probe(true);  // compiles its library, too
  ASSERT_TRUE(first) << first.error().message;
  const auto start = std::chrono::steady_clock::now();
  const auto second = probe(true);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(second) << second.error().message;
  fmt::print("{}: {}\n{}, {:.1f} s\n", gpu().name, measure::to_text(first->rates),
             measure::to_text(second->rates), seconds);
  EXPECT_LT(seconds, kMostSeconds);
  // Launches differ from process to process: 3.4 and 4.5 us on an H200.
  EXPECT_NEAR(second->rates.launch_us / first->rates.launch_us, 1, 0.5);
  measure::GpuRates again = second->rates;
  again.launch_us = first->rates.launch_us;
  EXPECT_EQ(measure::disagreement(first->rates, again), "");
  const auto kept = probe(false);
  ASSERT_TRUE(kept);
  EXPECT_NEAR(kept->rates.read_gb_per_s, second->rates.read_gb_per_s, 0.01) << "it is kept, with two digits";
  if (gpu().peak_gb_per_s > 0) {
    EXPECT_LT(second->rates.read_gb_per_s, 1.02 * gpu().peak_gb_per_s);
    EXPECT_GT(second->rates.read_gb_per_s, 0.6 * gpu().peak_gb_per_s);
  }
}

TEST_F(ProbeOfThisGpu, predicts_thresholds_that_the_reference_reaches) {
  const AssignmentHome home = home_of("reduction");
  const char* const given = std::getenv("WARPMARK_CALIBRATED");
  const fs::path file = given != nullptr ? fs::path(given) : thresholds_file(home, gpu().name);
  if (!fs::exists(file)) GTEST_SKIP() << "not run: no measured thresholds of a " << gpu().name;
  const auto measured = read_thresholds(file);
  ASSERT_TRUE(measured) << measured.error().message;

  auto opened = open_submission(home.reference, "reduction", {}, installation(), cache_.path());
  ASSERT_TRUE(opened) << opened.error().message;
  // The assignment, as if this GPU had not been calibrated.
  const TemporaryFolder copy;
  fs::copy(home.folder, copy.path() / "reduction", fs::copy_options::recursive);
  opened->rubric.home.folder = copy.path() / "reduction";
  fs::remove(thresholds_file(opened->rubric.home, gpu().name));
  const Course course = resolve(rubric_for(opened->submission, opened->rubric));
  const auto basis = speed_basis({installation(), course, *opened->assignment, opened->submission, engines(),
                                  cache_.path(), 8, print_progress});
  ASSERT_TRUE(basis) << basis.error().message;
  ASSERT_FALSE(basis->conditions.obstacle) << basis->conditions.obstacle->message;
  ASSERT_TRUE(basis->thresholds);
  fmt::print("naive kernel {:.4g} ms at {}, measured {:.4g} ms at {}\n", basis->thresholds->naive_ms,
             to_text(basis->thresholds->size), measured->naive_ms, to_text(measured->size));
  std::vector<double> shares;
  for (const VersionThreshold& version : basis->thresholds->versions) {
    const auto same = std::ranges::find(measured->versions, version.version, &VersionThreshold::version);
    if (same == measured->versions.end()) continue;
    fmt::print("{:<26} reached {:6.2f}, asked {:5g} when measured, {:5g} by the probe\n", version.version,
               same->low, same->threshold, version.threshold);
    EXPECT_LE(version.threshold * kLeastHeadroom, same->low) << version.version;
    shares.push_back(version.threshold / same->threshold);
    EXPECT_GE(shares.back(), kLeastShare) << version.version;
  }
  ASSERT_EQ(shares.size(), 18U);
  std::ranges::sort(shares);
  EXPECT_GE(shares[shares.size() / 2], kUsualShare);
}

}  // namespace
}  // namespace warpmark::judge
