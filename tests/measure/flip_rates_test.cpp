// How often a verdict is wrong on a machine that is not quiet, by this scheme and by simpler ones. Everything
// is simulated, from fixed seeds; the table is printed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "harness/assignments/random.h"
#include "harness/measure/decision.h"

namespace warpmark::measure {
namespace {

constexpr double kThreshold = 3;
constexpr int kTrials = 4000;

// Samples have 1 % noise; one in twenty is an outlier, longer by 15 % on average; the speed of the machine
// differs by 3 % from one minute to the next.
class Machine {
 public:
  explicit Machine(std::uint64_t seed) : seed_(seed) { drift(); }

  double sample(double true_ms) {
    const double outlier = uniform() < 0.05 ? 1 - 0.15 * std::log(1 - uniform()) : 1;
    return true_ms * std::exp(state_ + 0.01 * normal()) * outlier;
  }
  void drift() { state_ = 0.03 * normal(); }

 private:
  double uniform() { return static_cast<double>(random_bits(seed_, ++draws_) >> 11) * 0x1p-53; }
  // Box and Muller 1958; the standard library's differs from one implementation to the next.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
  double state_ = 0;
};

enum class Verdict { passed, failed, undecided };

Verdict this_scheme(Machine& machine, double speedup) {
  std::vector<Round> rounds;
  for (;;) {
    machine.drift();  // within a round the machine stays as it is
    Round round;
    for (double& sample : round.naive_ms) sample = machine.sample(speedup);
    for (double& sample : round.student_ms) sample = machine.sample(1);
    rounds.push_back(round);
    switch (look_at(rounds, kThreshold).decision) {
      case Decision::passed:
        return Verdict::passed;
      case Decision::failed:
        return Verdict::failed;
      case Decision::noise:
        return Verdict::undecided;
      case Decision::more_rounds:
        break;
    }
  }
}

Verdict one_shot(Machine& machine, double speedup) {
  const double naive = machine.sample(speedup);
  return naive / machine.sample(1) >= kThreshold ? Verdict::passed : Verdict::failed;
}

// First the one arm, then the other: the machine is another one by then.
Verdict least_of_three(Machine& machine, double speedup) {
  const auto least = [&](double true_ms) {
    double value = machine.sample(true_ms);
    for (int i = 0; i < 2; ++i) value = std::min(value, machine.sample(true_ms));
    return value;
  };
  const double naive = least(speedup);
  machine.drift();
  return naive / least(1) >= kThreshold ? Verdict::passed : Verdict::failed;
}

struct Rates {
  double wrong = 0;
  double undecided = 0;
};

// Half of the versions lie above the threshold, half below, by the same factor.
Rates rates_of(const std::function<Verdict(Machine&, double)>& scheme, double distance) {
  int wrong = 0;
  int undecided = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Machine machine(static_cast<std::uint64_t>(trial));
    const bool above = trial % 2 == 0;
    const Verdict verdict = scheme(machine, kThreshold * (above ? 1 + distance : 1 - distance));
    undecided += verdict == Verdict::undecided ? 1 : 0;
    wrong += verdict == (above ? Verdict::failed : Verdict::passed) ? 1 : 0;
  }
  return {100.0 * wrong / kTrials, 100.0 * undecided / kTrials};
}

TEST(FlipRates, are_none_at_5_and_2_percent_from_the_line_where_simpler_schemes_are_often_wrong) {
  const auto print = [](const char* name, Rates near, Rates far) {
    std::printf("%-32s %6.2f %% %6.2f %%   undecided %5.2f %%\n", name, far.wrong, near.wrong,
                std::max(near.undecided, far.undecided));
  };
  std::printf("%-32s %8s %8s\n", "wrong verdicts, away by", "5 %", "2 %");
  const Rates ours_far = rates_of(this_scheme, 0.05);
  const Rates ours_near = rates_of(this_scheme, 0.02);
  print("paired rounds, sign test", ours_near, ours_far);
  const Rates shot_far = rates_of(one_shot, 0.05);
  const Rates shot_near = rates_of(one_shot, 0.02);
  print("one shot", shot_near, shot_far);
  const Rates three_far = rates_of(least_of_three, 0.05);
  const Rates three_near = rates_of(least_of_three, 0.02);
  print("least of three, one arm first", three_near, three_far);

  EXPECT_EQ(ours_far.wrong, 0);
  EXPECT_EQ(ours_near.wrong, 0);
  EXPECT_LE(std::max(ours_far.undecided, ours_near.undecided), 0.5);
  EXPECT_NEAR(shot_far.wrong, 3.5, 1.5);
  EXPECT_NEAR(shot_near.wrong, 10, 3);
  EXPECT_NEAR(three_far.wrong, 12, 2);
  EXPECT_NEAR(three_near.wrong, 30, 4);
}

}  // namespace
}  // namespace warpmark::measure
