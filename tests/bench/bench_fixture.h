// A timer over a worker that behaves as each runner's name says (see tests/judge/fake_device.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/bench/ladder_timer.h"
#include "tests/assignment_called.h"
#include "tests/judge/fake_installation.h"

namespace warpmark::bench {

class FakeBench : public testing::Test {
 protected:
  [[nodiscard]] LadderTimer timer(const std::vector<std::string>& behaviours) const {
    std::vector<Runner> runners;
    runners.reserve(behaviours.size());
    for (const std::string& behaviour : behaviours)
      runners.push_back({behaviour, "int", "/fake/" + behaviour, "/fake/int"});
    return {fake.installation, "/fake/sweep", std::move(runners), std::chrono::seconds(60)};
  }
  [[nodiscard]] Input input(std::uint64_t n = 1000, std::uint64_t shift = 0) const {
    return {*reduction, Case{"int", "uniform", n, shift, 0x5eed}, Engine::gpu};
  }

  judge::FakeInstallation fake;
  std::shared_ptr<const Assignment> reduction = assignment_called("reduction");
};

}  // namespace warpmark::bench
