#include "harness/judge/checks/right_change.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "harness/base/counters.h"
#include "harness/judge/checks/prober.h"

namespace warpmark::judge {
namespace {

using source_edits::Repair;

constexpr std::byte kOutputsBefore{0x11};
// Limits of all calls together, of the processor time that they use, and what counts as calls and time: a
// call takes 1 to 5 ms of a core, a fresh process that reads the variants 80 ms, a part of the variants 250
// ms to be compiled (2026-11-28, AMD EPYC).
constexpr std::size_t kMostCalls = 1600;
constexpr std::size_t kCallsForAProcess = 20;
constexpr std::size_t kCallsForAPart = 60;
// Of 18 changes that cured a mistake of tests/mistakes, all were found within 5.4 s, and 14 within 2 s.
constexpr std::chrono::duration<double> kAllCalls{10};
constexpr std::chrono::duration<double> kForAPart{0.25};
// Limit on the time that passes, for machines on which the limit above takes too long.
constexpr std::chrono::seconds kLongest{60};
// Limits of one call, of the first in a process, and how much longer than the version itself a change may
// take.
constexpr std::chrono::milliseconds kOneCall{700};
constexpr std::chrono::milliseconds kFirstCall{1000};
constexpr int kTimesLonger = 10;
// Limits on a launch in warp instructions: these many times what the version's own launches need, at least
// the second number, and the third where it is not known.
constexpr std::uint64_t kTimesMoreInstructions = 3;
constexpr std::uint64_t kLeastInstructions = 50'000;
constexpr std::uint64_t kMostInstructions = 4'000'000;
// Limits where the version is wrong in a large case alone: of its launches, and of one call.
constexpr std::uint64_t kMostOfLarge = 30'000'000;
constexpr std::chrono::milliseconds kLargeCall{3000};
// Most cases that a change is held against, and their largest size in values.
constexpr std::size_t kMostCases = 9;
constexpr std::size_t kMostWrong = 4;  // cases in which the version is wrong, and may have to be started anew
constexpr std::uint64_t kLargestHeld = 5000;
constexpr std::size_t kMostChecked = 3;  // cases in which the engine looks for errors of a right change
// How often a failing call is repeated to see whether it fails in the same way.
constexpr int kTimesAgain = 4;
// Lines this far from each other count as one place.
constexpr int kNearLines = 2;

using SteadyClock = std::chrono::steady_clock;
std::chrono::milliseconds since(SteadyClock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start);
}

// A case with its inputs.
struct Prepared {
  Case which;
  std::unique_ptr<Problem> problem;
  Experiment::Contents inputs;
};

Prepared prepared(const Assignment& assignment, const Case& which) {
  Prepared made{which, assignment.make(which), {}};
  const auto specs = made.problem->buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool input = specs[i].role == Role::input || specs[i].role == Role::in_out;
    made.inputs.emplace_back(input ? specs[i].bytes : 0);
    if (input) made.problem->fill(i, made.inputs.back());
  }
  return made;
}

// Uninitialised reads do not count: what an unchecked call wrote is not known to be initialised. Nor does an
// answer that is copied from the host, as versions with a library may do.
bool is_error(const wire::Finding& finding) {
  return rule_of(finding.kind).severity == Severity::error && finding.kind != CauseKind::uninitialised_read &&
         finding.kind != CauseKind::no_kernel;
}

// Most changes whose work is counted: large calls take a second each.
constexpr std::size_t kMostCounted = 6;
constexpr std::chrono::duration<double> kForCounting{10};

// Searches for a change of one version.
class Search {
 public:
  Search(TriedVersion& version, const Assignment& assignment, const Failure& failure,
         const ExperimentLimits& limits)
      : version_(version), assignment_(assignment), failure_(failure), limits_(limits) {
    if (failure.demands.fails) mode_ = {.checking = true, .check_accesses = true};
    mode_.launch_instructions = kMostInstructions;
    mode_.forgives = true;
    limits_.first_call = kFirstCall;
    limits_.all = kAllCalls;
    limits_.most_calls = kMostCalls;
    limits_.calls_for_a_process = kCallsForAProcess;
  }

  std::vector<Repair> run() {
    std::vector<Repair> right;
    choose_cases();
    if (cases_.empty() || varies()) return right;
    start_ = SteadyClock::now();
    // One part more is tried where a change helps: it may hold a likelier one.
    bool last = false;
    for (std::size_t part = 0; !last && has_more() && spend_on_part(); ++part) {
      last = std::ranges::any_of(right, [](const Repair& each) { return each.mistake != "unreached"; });
      const auto variants = version_.variants(part, failure_.seen);
      if (variants == nullptr) break;
      // Where a limit of work is exceeded, the unchanged version is right.
      if (part == 0 && !failure_.demands.holds && is_right_unchanged(*variants)) break;
      add_right_ones(*variants, right);
    }
    return right;
  }

  [[nodiscard]] std::size_t cases() const { return cases_.size(); }

 private:
  [[nodiscard]] bool has_more() const {
    return limits_.most_calls > 0 && limits_.all.count() > 0 && since(start_) < kLongest;
  }
  // Charges the limit of all calls with what a prober has used of it since it had `before` left.
  void charge(const Prober& prober, std::chrono::duration<double> before) {
    limits_.all -= before - prober.time_left();
  }
  // Charges the limits with the building of a part. Returns true if something is left.
  bool spend_on_part() {
    limits_.most_calls -= std::min(limits_.most_calls, kCallsForAPart);
    limits_.all -= kForAPart;
    return has_more();
  }

  // Counting the work of the few changes that cure has a limit of its own: without the counts none is told.
  [[nodiscard]] ExperimentLimits counting_limits() const {
    ExperimentLimits limits = limits_;
    limits.call = kFirstCall;
    limits.all = kForCounting;
    return limits;
  }

  bool is_right(Prober& prober, const Prepared& one) {
    const auto outputs = prober.call(one.which, *one.problem, one.inputs, kOutputsBefore);
    if (!outputs) return false;
    const bool found =
        failure_.demands.fails && std::ranges::any_of(prober.findings(), [&](const auto& finding) {
          return failure_.demands.fails(finding.kind) || is_error(finding);
        });
    const auto specs = one.problem->buffers();
    return !found && std::ranges::all_of(answer_buffers(specs), [&](std::size_t answer) {
      return !one.problem->check(answer, (*outputs)[answer]).has_value();
    });
  }

  // Returns false for changes that may only avoid the failure.
  [[nodiscard]] bool may_cure(const Repair& repair) const {
    const auto& is_cure = failure_.demands.is_cure;
    return !repair.tests_address && (!is_cure || is_cure(repair.mistake));
  }

  // Returns true if the first variant, without a change, is right: the version fails only as it is built for
  // the checks.
  bool is_right_unchanged(TriedVariants& variants) {
    if (variants.repairs().empty() || !variants.repairs().front().what.empty()) return false;
    variants.choose(0);
    Prober prober(variants, assignment_, limits_, mode_);
    const bool right =
        std::ranges::all_of(cases_, [&](const Prepared& one) { return is_right(prober, one); });
    charge(prober, limits_.all);
    return right;
  }

  // Returns true if equal calls of the version end differently: then a change may cure one call by chance.
  // Asked where the engine does not find races itself.
  bool varies() {
    Prober prober(version_, assignment_, limits_, mode_);
    if (prober.looks_at_accesses()) return false;
    const Prepared& one = is_large_ ? cases_.back() : cases_.front();
    const auto outputs = [&] { return prober.call(one.which, *one.problem, one.inputs, kOutputsBefore); };
    const auto first = outputs();
    for (int again = 0; again < kTimesAgain; ++again)
      if (outputs() != first) return true;
    return false;
  }

  // Returns true if the engine finds no error in the first cases: a change that lets threads race, and is
  // right because one of them comes last, cures nothing.
  bool is_clean(TriedVariants& variants) {
    if (failure_.demands.fails) return true;
    Prober checked(variants, assignment_, limits_, {.checking = true, .check_accesses = true});
    if (!checked.looks_at_accesses()) return true;
    const std::size_t count = std::min(cases_.size(), kMostChecked);
    const bool clean = std::ranges::all_of(
        cases_.begin(), cases_.begin() + static_cast<std::ptrdiff_t>(count), [&](const Prepared& one) {
          return is_right(checked, one) && std::ranges::none_of(checked.findings(), is_error);
        });
    charge(checked, limits_.all);
    return clean;
  }

  // Chooses cases of the same data whose sizes are evenly spread, and the given one if it is small or no
  // other fails, those in which the version is wrong first; none if there are none of these.
  void choose_cases() {
    const Case& which = failure_.which;
    std::vector<Case> chosen;
    for (const Size& size : limits_.sizes) {
      Case other = assignment_.case_of(which.type, which.data, size, which.seed);
      other.shift = which.shift;
      if (other.n <= kLargestHeld && other.sizes() != which.sizes()) chosen.push_back(std::move(other));
    }
    const std::size_t count = std::min(kMostCases - 1, chosen.size());
    std::vector<Prepared> right;
    limits_.call = kFirstCall;
    Prober prober(version_, assignment_, limits_, mode_);
    std::chrono::milliseconds slowest{0};
    const auto add = [&](const Case& one) {
      Prepared made = prepared(assignment_, one);
      const auto begin = SteadyClock::now();
      const bool is_first = cases_.empty() && right.empty();
      if (is_right(prober, made)) {
        if (!is_first) slowest = std::max(slowest, since(begin));
        right.push_back(std::move(made));
      } else {
        cases_.push_back(std::move(made));
      }
    };
    const auto enough = [&] {
      return cases_.size() == kMostWrong || (!cases_.empty() && since(start_) > kFirstCall);
    };
    // The largest comes second: in small cases alone, within one block, too many changes are right.
    for (std::size_t k = 0; k < count && !enough(); ++k) {
      const std::size_t place = k == 0 ? 0 : (k == 1 ? count - 1 : k - 1);
      add(chosen[(chosen.size() - 1) * place / std::max<std::size_t>(count - 1, 1)]);
    }
    if (!failure_.demands.holds && (which.n <= kLargestHeld || cases_.empty())) add(which);
    limits_.most_calls = prober.calls_left();
    charge(prober, limits_.all);
    if (failure_.demands.holds ? !cases_.empty() || right.empty() : cases_.empty()) return cases_.clear();
    if (failure_.demands.holds) counted_ = prepared(assignment_, which);
    if (failure_.demands.keeps) counted_ = prepared(assignment_, *failure_.demands.counted);
    is_large_ = cases_.size() == 1 && cases_.front().which.n > kLargestHeld;
    std::ranges::stable_sort(cases_, {}, [](const Prepared& one) { return one.which.n; });
    std::ranges::move(right, std::back_inserter(cases_));
    // A large case comes last, so that few changes are held against it.
    if (is_large_) std::ranges::rotate(cases_, cases_.begin() + 1);
    limits_.call = is_large_ ? kLargeCall : std::clamp(kTimesLonger * slowest, kOneCall, kFirstCall);
    mode_.launch_instructions = most_instructions();
  }

  // Returns the limit on the warp instructions of a launch.
  [[nodiscard]] std::uint64_t most_instructions() {
    const Prepared& largest =
        *std::ranges::max_element(cases_, {}, [](const Prepared& one) { return one.which.n; });
    const std::uint64_t most_counted = is_large_ ? kMostOfLarge : kMostInstructions;
    Prober counting(version_, assignment_, limits_,
                    {.checking = true,  // variants are not optimised, either
                     .count_work = true,
                     .launch_instructions = most_counted,
                     .forgives = true});
    if (!counting.call(largest.which, *largest.problem, largest.inputs, kOutputsBefore))
      return kMostInstructions;
    std::uint64_t most = 0;
    for (const wire::Launch& launch : counting.work().launches)
      if (launch.work)
        most = std::max(most, static_cast<std::uint64_t>(launch.work->counters.at(counter::kInstructions)));
    return std::max(kLeastInstructions, kTimesMoreInstructions * most);
  }

  // Appends the changes of one part of the variants after which all cases are right.
  void add_right_ones(TriedVariants& variants, std::vector<Repair>& right) {
    Prober prober(variants, assignment_, limits_, mode_);
    const auto before = limits_.all;
    const ExperimentLimits of_counting = counting_limits();
    Prober counting(variants, assignment_, of_counting, {.count_work = true});
    for (std::size_t k = 0; k < variants.repairs().size() && prober.calls_left() > 0; ++k) {
      const Repair& repair = variants.repairs()[k];
      if (repair.what.empty() || !may_cure(repair)) continue;
      variants.choose(k);
      if (!std::ranges::all_of(cases_, [&](const Prepared& one) { return is_right(prober, one); })) continue;
      if (!is_clean(variants)) continue;
      // Once enough are known, changes are not told without having been counted.
      if (!counted_ || (counted_changes_ == kMostCounted ? right.empty() : keeps(counting)))
        right.push_back(variants.repairs()[k]);
    }
    limits_.most_calls = prober.calls_left();
    charge(prober, before);
  }
  // Returns true if the counted call is right and keeps the limits, as far as the version itself does: a
  // change that leaves the fast path unused, for instance, cures nothing.
  bool keeps(Prober& counting) {
    const auto& holds = failure_.demands.holds;
    if (!holds) ++counted_changes_;
    if (!is_right(counting, *counted_)) return false;
    if (holds) return holds(counting.work());
    if (failure_.demands.keeps(counting.work())) return true;
    if (!exceeds_) {
      const ExperimentLimits of_counting = counting_limits();
      Prober of_version(version_, assignment_, of_counting, {.count_work = true, .forgives = true});
      exceeds_ = of_version.call(counted_->which, *counted_->problem, counted_->inputs, kOutputsBefore) &&
                 !failure_.demands.keeps(of_version.work());
    }
    return *exceeds_;
  }

  TriedVersion& version_;
  const Assignment& assignment_;
  const Failure& failure_;
  ExperimentLimits limits_;
  wire::RunMode mode_;
  SteadyClock::time_point start_ = SteadyClock::now();
  std::vector<Prepared> cases_;      // those in which the version is wrong first
  std::optional<Prepared> counted_;  // the case whose work is counted
  bool is_large_ = false;  // whether the version is wrong in one large case alone, which is the last
  std::size_t counted_changes_ = 0;  // changes whose work was counted
  std::optional<bool> exceeds_;      // whether the version itself exceeds a limit of work, once asked
};

// A change that cures, and its place among others: of two places the first difference decides, false first.
struct Ranked {
  std::array<bool, 5> place;
  const Repair* repair = nullptr;
};

// "with another comparison at v.cu:12, `i <= n` -> `i < n`".
std::string text_of(const Repair& repair) {
  return fmt::format("{}{} at {}:{}{}{}", repair.what.starts_with("without ") ? "" : "with ", repair.what,
                     repair.file, repair.line, repair.shown.empty() ? "" : ", ", repair.shown);
}

}  // namespace

std::optional<RightChange> find_right_change(TriedVersion& version, const Assignment& assignment,
                                             const Failure& failure, const ExperimentLimits& limits) {
  if (!version.can_be_changed()) return std::nullopt;
  Search search(version, assignment, failure, limits);
  const std::vector<Repair> right = search.run();
  if (right.empty()) return std::nullopt;
  const auto near = [](const Repair& repair, const source_edits::Origin& place) {
    return repair.file == place.file && std::abs(repair.line - place.line) <= kNearLines;
  };
  const auto is_weak = [&](const Repair& repair) {
    // Another name or summand may hide a mistake that a change of a more telling kind cures.
    return repair.mistake == "wrong_name" || repair.mistake == "missing_summand";
  };
  // Another number in a condition may only make it always true or false: then it is not needed at all.
  const auto is_around_another = [&](const Repair& outer) {
    return outer.mistake == "wrong_condition" && std::ranges::any_of(right, [&](const Repair& inner) {
             return inner.mistake != "wrong_condition" && outer.edit.begin <= inner.edit.begin &&
                    inner.edit.end <= outer.edit.end;
           });
  };
  std::vector<Ranked> ranked;
  for (const Repair& repair : right) {
    const bool is_near =
        std::ranges::any_of(failure.seen, [&](const auto& place) { return near(repair, place); });
    // A step of twice the length leaves out what is wrong, as well as what is too much; more rounds for
    // threads that had none cure what is too much only by chance.
    ranked.push_back({{!is_around_another(repair), repair.edit.by.starts_with("2 * ("),
                       repair.mistake == "unreached", is_weak(repair), !is_near},
                      &repair});
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::place);
  const Repair& first = *ranked.front().repair;
  RightChange found{{{first.file, first.line}}, first.mistake, {}};
  const auto other = std::ranges::find_if(ranked, [&](const Ranked& each) {
    return !near(*each.repair, found.lines.front()) && each.repair->mistake != "unreached";
  });
  found.text = text_of(first);
  if (other != ranked.end()) {
    found.lines.push_back({other->repair->file, other->repair->line});
    found.text += fmt::format(", or {}", text_of(*other->repair));
  }
  if (failure.demands.holds) {
    found.text += ", the limit is kept and the outputs are right";
    return found;
  }
  const std::string_view cured = failure.demands.fails ? "nothing is found and the outputs" : "the outputs";
  found.text += search.cases() == 1
                    ? fmt::format(", {} of this input would be right", cured)
                    : fmt::format(", {} of all {} inputs tried are right", cured, search.cases());
  return found;
}

}  // namespace warpmark::judge
