// Mistakes with threads are told from the source; what only looks like one is not.
#include "harness/source_edits/host_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::HasSubstr;

std::string in_loop(const std::string& head, const std::string& body, const std::string& behind = "") {
  return "void f(int n) {\n  std::vector<std::thread> threads;\n  for (" + head + ") {\n" + body + "\n" +
         behind + "\n  }\n  for (std::thread& each : threads) each.join();\n}\n";
}

std::string mistake_in(const std::string& text, const ThreadEvidence& evidence = {}) {
  const auto found = find_thread_mistake(text, evidence);
  return found ? std::string(found->mistake) + " at " + std::to_string(found->line) : "none";
}

constexpr const char* kHead = "int i = 0; i < n; ++i";

TEST(HostThreads, that_capture_the_loop_variable_by_reference_are_found) {
  for (const char* call :
       {"threads.emplace_back([&] { work(i); });", "threads.push_back(std::thread([&i] { work(i); }));",
        "auto done = std::async(std::launch::async, [&] { return work(i); });",
        "threads.emplace_back([=, &i]() { work(i); });"})
    EXPECT_EQ(mistake_in(in_loop(kHead, call)), "captured_by_reference at 4") << call;
  const auto found = find_thread_mistake(in_loop(kHead, "threads.emplace_back([&] { work(i); });"), {});
  EXPECT_THAT(found->what, HasSubstr("when the loop has changed it. Capture it by value: `[&, i]`"));
}

TEST(HostThreads, that_capture_a_variable_of_the_body_by_reference_are_found) {
  const auto found = find_thread_mistake(
      in_loop(kHead, "const int begin = i * 4;\nthreads.emplace_back([&, i] { work(i, begin); });"), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 5);
  EXPECT_THAT(found->what,
              HasSubstr("captures `begin`, a variable of the loop, by reference: its thread may read "
                        "it when the loop's round is over"));
}

TEST(HostThreads, that_capture_by_value_or_are_waited_for_are_right) {
  EXPECT_EQ(mistake_in(in_loop(kHead, "threads.emplace_back([&, i] { work(i); });")), "none");
  EXPECT_EQ(mistake_in(in_loop(kHead, "threads.emplace_back([=] { work(i); });")), "none");
  EXPECT_EQ(mistake_in(in_loop(kHead, "threads.emplace_back([&] { work(n); });")), "none");
  EXPECT_EQ(mistake_in(in_loop(kHead, "std::thread one([&] { work(i); });", "one.join();")), "none");
  EXPECT_EQ(mistake_in(in_loop("auto& part : parts", "threads.emplace_back([&] { work(part); });")), "none");
  EXPECT_EQ(mistake_in(in_loop(kHead, "on_each([&] { work(i); });")), "none") << "no thread";
}

TEST(HostThreads, that_do_what_their_starter_does_are_found) {
  const auto both = [](const std::string& second) {
    return "void f(int* a, int* b, int* c, int n) {\n  std::thread upper(f, b, c, n / 2);\n  f(" + second +
           ", n);\n  upper.join();\n  f(b, c, 1);\n}\n";
  };
  EXPECT_EQ(mistake_in(both("b, c")), "same_work_twice at 3");
  EXPECT_EQ(mistake_in(both("a, b")), "none");
}

TEST(HostThreads, that_are_detached_are_found) {
  EXPECT_EQ(mistake_in("void f() {\n  std::thread one(g);\n  one.detach();\n}\n"), "detached_thread at 3");
  const std::string counted =
      "std::atomic<int> done;\nvoid f() {\n  std::thread(g).detach();\n  while (done < 1);\n}\n";
  EXPECT_EQ(mistake_in(counted), "none") << "it may be waited for";
  EXPECT_EQ(mistake_in(counted, {.racing = {}, .runs_on = true}), "detached_thread at 3");
}

std::string region(const std::string& directive, const std::string& body) {
  return "void f(int n) {\n  std::vector<int> nearest;\n  int sum = 0;\n#pragma omp parallel " + directive +
         "\n  for (int i = 0; i < n; ++i) {\n" + body + "\n  }\n}\n";
}

TEST(HostThreads, that_share_what_each_sets_anew_are_found_where_lines_race) {
  const auto found =
      find_thread_mistake(region("for", "    nearest.clear();\n    nearest.push_back(i);"), {.racing = {6}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 2);
  EXPECT_EQ(found->what,
            "`nearest` (line 2) is declared in front of the parallel loop of line 4, so that all its "
            "threads share it: declare it inside");
  EXPECT_EQ(mistake_in(region("for", "    nearest.clear();")), "none") << "nothing races";
}

TEST(HostThreads, that_add_up_or_have_variables_of_their_own_are_left_to_the_general_advice) {
  EXPECT_EQ(mistake_in(region("for", "    sum += i;"), {.racing = {6}}), "none");
  EXPECT_EQ(mistake_in(region("for private(nearest)", "    nearest.clear();"), {.racing = {6}}), "none");
  EXPECT_EQ(mistake_in(region("for", "    std::vector<int> nearest;\n    nearest.clear();"), {.racing = {7}}),
            "none");
}

}  // namespace
}  // namespace warpmark::source_edits
