// `warpmark assignments`: every assignment, or one's versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;

class Assignments : public CommandTest {};

TEST_F(Assignments, are_listed_with_points_and_needs) {
  const Child child = run({"assignments"});
  EXPECT_EQ(child.status, 0);
  const auto lines = lines_of(child.output);
  EXPECT_THAT(lines, Contains(ContainsRegex("^reduction +18 +1 +100 +18  Parallel reduction .thrust.$")));
  EXPECT_THAT(lines, Contains(ContainsRegex("^warmup +2 +0 +20 +0  ")));
}

TEST_F(Assignments, name_their_versions_with_points_checks_and_needs) {
  const Child child = run({"assignments", "reduction"});
  EXPECT_EQ(child.status, 0);
  EXPECT_THAT(
      lines_of(child.output),
      AllOf(Contains(ContainsRegex("^v01_atomic_per_element +given +0  builds correct clean$")),
            Contains(ContainsRegex("^v05_tree_modulo +to write +5 .* work fast +a GPU for 1 of them$")),
            Contains(ContainsRegex("^v19_thrust +to write +3 .*, thrust$")),
            Contains(ContainsRegex("^v20_cub +of the reference .* cub$")),
            Contains(ContainsRegex("^upload +to write +7  upload_once$"))));
}

TEST_F(Assignments, name_mpi_and_several_gpus_among_the_needs) {
  const auto lines = lines_of(run({"assignments", "knn"}).output);
  EXPECT_THAT(lines,
              Contains(ContainsRegex("^k03_mpi +to write +13 .* fast +g.., MPI, 2 cores for 2 of them$")));
  EXPECT_THAT(lines, Contains(ContainsRegex("^k07_multi_gpu_mpi .* fast +MPI, 2 GPUs for 3 of them$")));
  EXPECT_THAT(lines_of(run({"assignments"}).output), Contains(ContainsRegex("^knn .*MPI, thrust.$")));
}

TEST_F(Assignments, that_are_unknown_are_refused_with_those_that_there_are) {
  const Child child = run({"assignments", "reductoin"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("reductoin"), HasSubstr("there are: extremes, grids")));
}

TEST_F(Assignments, that_are_unknown_cannot_be_calibrated) {
  const Child child = run({"calibrate", "--assignment", "nope"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("there are: extremes, grids"));
}

class CommandLine : public CommandTest {};

TEST_F(CommandLine, that_is_wrong_gets_the_usage_of_its_command) {
  for (const auto& [arguments, what] :
       {std::pair<std::vector<std::string>, std::string>{{"grade"}, "DIR is required"},
        {{"grade", "mine", "--bogus"}, "--bogus"},
        {{"grade", "mine", "--engine", "cpu"}, "{auto,gpu,simulator,host}"}}) {
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 2);
    EXPECT_THAT(child.output, AllOf(testing::StartsWith("warpmark grade: "), HasSubstr(what),
                                    HasSubstr("\nUsage: warpmark grade [OPTIONS] DIR\n"),
                                    HasSubstr("warpmark grade --help")));
  }
}

}  // namespace
}  // namespace warpmark
