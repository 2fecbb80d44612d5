#include "harness/bench/ladder.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/bench/budget.h"
#include "harness/bench/climber.h"
#include "harness/bench/plan.h"

namespace warpmark::bench {
namespace {

// Least number of calls per implementation and input size, including one warm-up call.
constexpr double kLeastCalls = kLeastRounds + 1;

// Time limit of one timed call, as a share of the benchmark's remaining time budget, but at least kLeastWait:
// an endless call must not use up the budget.
constexpr double kWaitingShare = 0.25;
constexpr double kLeastWait = 2;  // seconds

std::string text_of_seconds(double seconds) {
  return fmt::format("{:.{}f} s", std::max(seconds, 0.0), seconds < 10 ? 1 : 0);
}

double amount_of(const LadderWork& work) {
  return work.operations > 0 ? work.operations : static_cast<double>(work.n);
}

class Ascent {
 public:
  Ascent(const LadderPlan& plan, const Assignment& assignment, const Timers& timers,
         const std::function<void(const std::string&)>& progress)
      : plan_(plan), assignment_(assignment), timers_(timers), progress_(progress), begin_(plan.now()) {
    // Worker processes are measured one after another, because they share the machine.
    turns_ = timers.crews;
    if (timers.gpu != nullptr) turns_.insert(turns_.begin(), timers.gpu);
    if (timers.host != nullptr) turns_.insert(turns_.begin(), timers.host);
  }

  LadderRun climb(const std::vector<Candidate>& candidates) {
    climbers_ = climbers_of(candidates, timers_);
    for (std::size_t index = 0; index < plan_.sizes.size(); ++index) measure_size(index);
    run_.series.reserve(climbers_.size());
    for (Climber& climber : climbers_) run_.series.push_back(std::move(climber.series));
    return std::move(run_);
  }

 private:
  [[nodiscard]] double spent() const { return plan_.now() - begin_; }
  [[nodiscard]] double left() const { return plan_.seconds - spent(); }
  [[nodiscard]] bool fits_into_memory(std::uint64_t n) const {
    return n * assignment_.value_bytes(plan_.type) <= plan_.largest_bytes;
  }
  [[nodiscard]] bool anybody_left() const { return std::ranges::any_of(climbers_, &Climber::climbs); }
  [[nodiscard]] std::vector<Climber*> climbing() {
    std::vector<Climber*> all;
    for (Climber& climber : climbers_) {
      if (climber.climbs()) all.push_back(&climber);
    }
    return all;
  }

  void measure_size(std::size_t index) {
    const std::uint64_t n = plan_.sizes[index];
    std::vector<bool> climbed;
    climbed.reserve(climbers_.size());
    for (const Climber& climber : climbers_) climbed.push_back(climber.climbs());
    const bool asked = anybody_left();
    std::string lacking;
    if (!fits_into_memory(n)) {
      lacking = "skipped: the input does not fit into this machine's memory";
    } else if (asked) {
      if (index > 0) keep_what_fits(index);
      if (anybody_left()) make_input(n);
      if (anybody_left()) measure_turns(index);
    }
    for (std::size_t i = 0; i < climbers_.size(); ++i) {
      Climber& climber = climbers_[i];
      if (climbed[i] && !climber.climbs())
        progress_(fmt::format("{} from {} values on: {}", climber.series.name, n, climber.out));
      climber.record(n, lacking);
    }
    if (!asked) return;
    progress_(anybody_left() ? fmt::format("measured {} values: {} of {:g} s", n, text_of_seconds(spent()),
                                           plan_.seconds)
                             : fmt::format("nothing is left to measure after {} values", n));
  }

  // Returns the note in the report for a measurement that the time budget does not allow: `cost` seconds are
  // needed, for `calls` calls and the preparation `what` (such as generating the input), but only `seconds`
  // are left.
  [[nodiscard]] std::string why_left_out(double cost, const char* what, double calls, double seconds) const {
    if (seconds <= 0)
      return fmt::format("skipped: the {:g} s of --seconds were used up; a larger value measures more",
                         plan_.seconds);
    return fmt::format(
        "skipped: about {} for {}{} calls, with {} left of the {:g} s of --seconds; a larger value measures "
        "more",
        text_of_seconds(cost), what, calls, text_of_seconds(seconds), plan_.seconds);
  }

  // Stops measuring the implementations (student's versions, baselines) whose minimum number of calls at this
  // input size would exceed the remaining time budget, extrapolated from smaller sizes. Reserves time for the
  // larger sizes that still fit.
  void keep_what_fits(std::size_t index) {
    const std::vector<Climber*> all = climbing();
    std::vector<Costs> costs(all.size());
    Costs shared;
    for (std::size_t k = index; k < plan_.sizes.size() && fits_into_memory(plan_.sizes[k]); ++k) {
      const std::uint64_t n = plan_.sizes[k];
      shared.push_back(making_.at(n));
      for (const auto& [timer, putting] : putting_) shared.back() += putting.at(n);
      for (std::size_t who = 0; who < all.size(); ++who)
        costs[who].push_back(kLeastCalls * all[who]->calls.at(n));
    }
    const double seconds = left();
    const auto taken = sizes_within(costs, shared, seconds);
    later_ = 0;
    for (std::size_t who = 0; who < all.size(); ++who) {
      for (std::size_t k = 1; k < taken[who]; ++k) later_ += costs[who][k];
      if (taken[who] > 0) continue;
      all[who]->give_up(why_left_out(shared[0] + costs[who][0], "the input and ", kLeastCalls, seconds));
    }
    for (std::size_t k = 1; k < std::ranges::max(taken); ++k) later_ += shared[k];
  }

  void make_input(std::uint64_t n) {
    const double begin = plan_.now();
    const Case which = assignment_.case_of(plan_.type, assignment_.data_classes(plan_.type).front(),
                                           assignment_.ladder_size(n), mix(n));
    auto problem = assignment_.make(which);
    const Work needed = problem->work();
    run_.work.push_back({n, needed.bytes, needed.operations});
    if (needed.operations > 0) run_.precision = kPrecisions[needed.doubles ? 1 : 0];
    for (Climber& climber : climbers_) drop_the_hopeless(climber);
    input_.reset();
    if (!anybody_left()) return;
    input_.emplace(which, std::move(problem), timers_.gpu != nullptr ? Engine::gpu : Engine::host);
    making_.add(n, plan_.now() - begin);
  }

  // Stops measuring an implementation if its time at the previous size predicts that a call at this size
  // takes longer than kHopelessMs.
  void drop_the_hopeless(Climber& climber) const {
    const auto& work = run_.work;
    if (!climber.climbs() || climber.series.times.empty() || work.size() < 2) return;
    const double expected = predicted_ms(climber.series.times.back().median_ms, amount_of(work.end()[-2]),
                                         amount_of(work.back()));
    if (expected > kHopelessMs)
      climber.give_up(fmt::format("skipped: a call would take about {:.0f} ms", expected));
  }

  void measure_turns(std::size_t index) {
    const std::uint64_t n = plan_.sizes[index];
    std::vector<std::pair<LadderTimer*, std::vector<Climber*>>> turns;
    // Lower bound of the seconds needed to time the worker processes whose turn at this input size is still
    // to come.
    double expected = 0;
    for (LadderTimer* const timer : turns_) {
      std::vector<Climber*> running;
      for (Climber* const climber : climbing()) {
        if (climber->timer != timer) continue;
        running.push_back(climber);
        expected += kLeastCalls * climber->calls.at(n);
      }
      if (!running.empty()) turns.emplace_back(timer, std::move(running));
    }
    const auto sizes = static_cast<double>(plan_.sizes.size() - index);
    const double share = std::min(left() - later_, left() / sizes) / static_cast<double>(turns.size());
    for (auto& [timer, running] : turns) {
      for (const Climber* climber : running) expected -= kLeastCalls * climber->calls.at(n);
      // Uploads the input to a worker process just before the implementations that it has loaded are timed,
      // because timed calls in other workers have changed the input's values.
      if (const auto put = put_for(*timer, n); !put) {
        for (Climber* climber : running) climber->give_up("skipped: " + put.error().message);
      } else {
        measure_turn(running, share, left() - expected, index == 0);
      }
    }
  }

  tl::expected<void, Cause> put_for(LadderTimer& timer, std::uint64_t n) {
    if (auto ready = timer.ready(); !ready) return ready;
    timer.wait_for(std::chrono::milliseconds(
        static_cast<std::int64_t>(1e3 * std::max(kWaitingShare * left(), kLeastWait))));
    const double begin = plan_.now();
    auto put = timer.put(*input_);
    putting_[&timer].add(n, plan_.now() - begin);
    return put;
  }

  // Times several implementations in alternating rounds: one warm-up round, one to determine a round's cost,
  // then as many as fit into `share` seconds, but at least the minimum number. If the time runs out, the
  // samples so far are kept at the smallest input size; at other sizes these implementations are not measured
  // any further.
  void measure_turn(const std::vector<Climber*>& running, double share, double most, bool first) {
    const double begin = plan_.now();
    for (Climber* climber : running) climber->take(false, plan_.now);
    for (Climber* climber : running) climber->take(true, plan_.now);
    if (!first) drop_the_slowest(running, most - (plan_.now() - begin));
    double round_seconds = 0;
    for (const Climber* climber : running) round_seconds += climber->climbs() ? climber->seconds : 0;
    const std::size_t rounds = rounds_within(share, round_seconds);
    std::size_t round = 1;
    for (; round < rounds && left() > 0; ++round) {
      for (const std::size_t which : order_of_round(running.size(), round))
        running[which]->take(true, plan_.now);
    }
    if (first || round >= kLeastRounds) return;
    for (Climber* climber : running) {
      if (climber->climbs())
        climber->give_up(
            fmt::format("skipped: the {:g} s of --seconds were used up after {} of {} calls; a larger value "
                        "measures more",
                        plan_.seconds, round + 1, kLeastCalls));
    }
  }

  // Stops measuring the slowest implementations if the calls still needed to reach the minimum number per
  // implementation, extrapolated from the first round, would take longer than `seconds`.
  void drop_the_slowest(const std::vector<Climber*>& running, double seconds) const {
    Costs costs;
    for (const Climber* climber : running)
      costs.push_back(climber->climbs() ? (kLeastCalls - 2) * climber->seconds : 0);
    const auto dropped = dropped_to_fit(costs, seconds);
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (dropped[i]) running[i]->give_up(why_left_out(costs[i], "", kLeastCalls - 2, seconds));
    }
  }

  const LadderPlan& plan_;
  const Assignment& assignment_;
  const Timers& timers_;
  const std::function<void(const std::string&)>& progress_;
  double begin_;
  std::vector<LadderTimer*> turns_;
  std::vector<Climber> climbers_;
  std::optional<Input> input_;
  Trend making_;  // predicts the seconds to generate a test input of a given size
  // Per worker process: predicts the seconds to upload a test input of a given size.
  std::map<LadderTimer*, Trend> putting_;
  double later_ = 0;  // part of the time budget, in seconds, reserved for larger input sizes
  LadderRun run_;
};

}  // namespace

LadderRun run_ladder(const LadderPlan& plan, const Assignment& assignment,
                     const std::vector<Candidate>& candidates, const Timers& timers,
                     const std::function<void(const std::string&)>& progress) {
  return Ascent(plan, assignment, timers, progress).climb(candidates);
}

}  // namespace warpmark::bench
