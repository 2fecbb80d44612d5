// Versions in C++: g++ for the library that counts, clang for those that sanitizers watch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/build/exports.h"
#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class OfHost : public BuildTest {
 protected:
  explicit OfHost(Engine of = Engine::host) : BuildTest(of) {}
  // As a submission's version `run`.
  [[nodiscard]] Built build_version(const std::string& text) const {
    write("a.cpp", text);
    Request asked = request("a.cpp");
    asked.exports = {"run"};
    if (engine == Engine::host) asked.rules = SubmissionRules{};
    return build(asked);
  }
  [[nodiscard]] static Symbols symbols(const Built& built) {
    return symbols_of(built.library).value_or(Symbols{});
  }
};

TEST_F(OfHost, threads_and_openmp_are_there) {
  const Built built = build_version(R"(
#include <cstddef>
#include <thread>
extern "C" void run(int* sum, const int* values, std::size_t n) {
  int all = 0;
#pragma omp parallel for reduction(+ : all)
  for (std::size_t i = 0; i < n; ++i) all += values[i];
  std::thread([&] { *sum = all; }).join();
}
)");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message;
  EXPECT_THAT(symbols(built).exported, Contains("run"));
  EXPECT_THAT(symbols(built).undefined, Contains(StartsWith("GOMP_parallel")));
}

TEST_F(OfHost, an_error_has_its_line_in_the_students_file) {
  const Cause cause = only_cause(build_version("extern \"C\" void run() {\n  unknown();\n}\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_EQ(cause.file, "a.cpp");
  EXPECT_EQ(cause.line, 2);
  EXPECT_THAT(cause.message, HasSubstr("unknown"));
}

TEST_F(OfHost, a_version_may_not_hide_from_sanitizers_or_talk_to_them) {
  const Cause hides =
      only_cause(build_version("extern \"C\" __attribute__((no_sanitize(\"thread\"))) void run() {}"));
  EXPECT_EQ(hides.kind, CauseKind::compile_error);
  EXPECT_EQ(hides.line, 1);
  const Cause talks =
      only_cause(build_version("extern \"C\" void __tsan_acquire(void*) __attribute__((weak));\n"
                               "extern \"C\" void run() { __tsan_acquire(nullptr); }\n"));
  EXPECT_EQ(talks.kind, CauseKind::tampering);
  EXPECT_THAT(talks.message, HasSubstr("__tsan_acquire"));
}

TEST_F(OfHost, a_version_may_not_work_when_it_is_loaded) {
  const Cause cause =
      only_cause(build_version("static volatile int loaded;\n__attribute__((constructor)) static void "
                               "first() { loaded = 1; }\nextern \"C\" void run() {}\n"));
  EXPECT_EQ(cause.kind, CauseKind::tampering);
}

class OfThreadSanitizer : public OfHost {
 protected:
  OfThreadSanitizer() : OfHost(Engine::thread_sanitizer) {}
};

TEST_F(OfThreadSanitizer, every_function_is_watched_however_its_attributes_are_spelt) {
  const Built built = build_version(R"(
#define JOINED(a, b) a##b
#define HIDDEN(a, b) __attribute__((JOINED(a, b)("thread")))
extern "C" HIDDEN(no_, sanitize) void run(int* p) { *p = 1; }
)");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message;
  EXPECT_THAT(symbols(built).undefined, Contains("__tsan_write4"));
}

class OfAddressSanitizer : public OfHost {
 protected:
  OfAddressSanitizer() : OfHost(Engine::address_sanitizer) {}
};

// A store of ten bytes: clang links a part of its runtime into every library, which names the functions that
// report powers of two and do not return, whether the version calls them or not.
TEST_F(OfAddressSanitizer, a_version_goes_on_after_a_report) {
  const Built built = build_version("extern \"C\" void run(long double* p) { *p = 1; }");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message;
  EXPECT_THAT(symbols(built).undefined, Contains("__asan_report_store_n_noabort"));
  EXPECT_THAT(symbols(built).undefined, Not(Contains("__asan_report_store_n")));
}

}  // namespace
}  // namespace warpmark::build
