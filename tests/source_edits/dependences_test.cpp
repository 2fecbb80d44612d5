// Lines that can have influenced a line are closer than those that cannot.
#include "harness/source_edits/dependences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// The scatter of a counting sort: line 10 stores where line 3 counted, by way of line 14.
const std::string kScatter =
    "__global__ void count(const int* a, int* counts) {\n"                   // 1
    "  const int other = a[1];\n"                                            // 2
    "  counts[a[threadIdx.x]] = 1;\n"                                        // 3
    "}\n"                                                                    // 4
    "__global__ void scatter(const int* a, int* to, const int* starts) {\n"  // 5
    "  const int unused = a[2];\n"                                           // 6
    "  int place = starts[threadIdx.x];\n"                                   // 7
    "  if (threadIdx.x < 7) {\n"                                             // 8
    "    place += 1;\n"                                                      // 9
    "    to[place] = 5;\n"                                                   // 10
    "  }\n"                                                                  // 11
    "}\n"                                                                    // 12
    "void f(const int* in, int* room, int* out) {\n"                         // 13
    "  count<<<1, 8>>>(in, room);\n"                                         // 14
    "  scatter<<<1, 8>>>(in, out, room);\n"                                  // 15
    "}\n";

TEST(Dependences, lead_through_variables_tests_and_launches) {
  const auto distance = distances_to(kScatter, {10});
  EXPECT_EQ(distance[10], 0);
  EXPECT_EQ(distance[9], 1) << "sets the index";
  EXPECT_EQ(distance[7], 1) << "sets the index";
  EXPECT_EQ(distance[8], 1) << "the test around it";
  EXPECT_EQ(distance[15], 1) << "gives the kernel its buffers";
  EXPECT_EQ(distance[14], 2) << "fills what the kernel is given";
  EXPECT_EQ(distance[3], 3) << "stores to what the kernel is given";
}

TEST(Dependences, do_not_lead_to_what_is_not_used) {
  const auto distance = distances_to(kScatter, {10});
  EXPECT_EQ(distance[6], kUnrelated);
  EXPECT_EQ(distance[2], kUnrelated);
  EXPECT_EQ(distances_to(kScatter, {})[10], kUnrelated);
}

TEST(Dependences, decide_which_changes_come_first) {
  const auto line_of_first = [](const std::vector<int>& seen) {
    return repairs_of(kScatter, seen).front().line;
  };
  EXPECT_EQ(line_of_first({2}), 2);
  EXPECT_GE(line_of_first({10}), 7);
}

}  // namespace
}  // namespace warpmark::source_edits
