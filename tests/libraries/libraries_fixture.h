// Programs that use a library of CUDA's, each on the simulator with all checks.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/simulate_fixture.h"

namespace warpmark {

using testing::HasSubstr;

class Libraries : public Simulate {
 protected:
  // A program of this folder: what it computes is right, and no check has anything to say.
  void expect_right(const std::string& program, std::size_t launches = 5,
                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{std::string(WARPMARK_PROGRAMS) + "/" + program, "--schedules", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 0) << child.output;
    EXPECT_THAT(child.output, HasSubstr("all right\n"));
    EXPECT_EQ(result()["findings"].size(), 0U) << result()["findings"];
    EXPECT_GE(result()["launches"].size(), launches);
  }
};

// A program a library runs by default; what else each of them has takes minutes.
using LibrariesLong = Libraries;

}  // namespace warpmark
