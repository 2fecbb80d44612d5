// The check `clean`: runs a kernel file on the simulator with every memory access checked.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/blamed_lines.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/earlier_calls.h"
#include "harness/judge/checks/explain_wrong_answer.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/checks/other_orders.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/source_edits/signs.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kMostCleanAgain = 4099;
constexpr std::string_view kUnstable = "unstable";  // Cause::mistake
// Largest input, in elements, that the check `clean` simulates; takes 0.1 s with the student's -O2 code.
constexpr std::uint64_t kLargestClean = 5'000'000;
// Limit on failures for which the check `clean` replays calls, to find an earlier call as the cause.
constexpr std::size_t kMostCleanLooksBack = 8;

// Runs the check `clean`, one test input after the other. Results must be bitwise identical for all schedules
// and builds; the test inputs are chosen so that sums are exact in any order.
class CleanCheck {
 public:
  CleanCheck(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
             const std::vector<Cause>& of_correct, bool is_correct)
      : bench_(bench),
        version_(version),
        built_(built),
        of_correct_(of_correct),
        is_correct_(is_correct),
        worker_(bench, version, built),
        earlier_calls_(bench, version, built, {.checking = true, .check_accesses = true}) {}

  CheckOutcome run() {
    const auto cases = clean_cases(bench_.course.rubric, bench_.assignment, bench_.course.focus, bench_.seed);
    counted_case_ = case_to_count(cases);
    for (std::size_t i = 0; i < cases.size() && worker_.can_go_on() && !found_.full(); ++i) {
      if (bench_.only_first_failure && !found_.all().empty()) break;
      if (is_over(bench_, version_)) {
        found_.add({out_of_time(bench_, version_, i, cases.size())});
        break;
      }
      if (is_large(cases[i])) {
        ask(with_three_passes(cases[i]), true);
      } else {
        ask(cases[i], false);
      }
    }
    if (found_.all().empty() && worker_.can_go_on()) look_at_correct();
    outcome_.causes = std::move(found_).worst_first();
    explain_first();
    put_early_exits_first();
    judge_same_values();
    return std::move(outcome_);
  }

 private:
  void look_at_correct() {
    CallResult seen;
    seen.remarks = of_correct_;
    found_.add(of_interest(std::move(seen)).causes);
  }

  // Looks for a small change of the source that cures the first failure. If the outputs are wrong, too, that
  // was sought already, and what a left out statement leaves behind is named alone.
  void explain_first() {
    if (bench_.only_first_failure || !failing_case_ || outcome_.causes.empty()) return;
    Cause& first = outcome_.causes.front();
    if (first.mistake == kUnstable) return;
    if (!is_correct_) {
      if (auto better = with_leftover(first, worker_.blame(), true)) first = std::move(*better);
      return;
    }
    if (!is_remark(first.kind) && !may_be_cured_by_change(first.kind)) return;
    const auto fails = [&](CauseKind kind) {
      return rule_of(kind).after == After::ends || bench_.course.rubric.clean.fails(kind);
    };
    if (auto better = worker_.explain(*failing_case_, first, {.fails = fails})) first = std::move(*better);
  }

  // Moves notes on threads that returned before a barrier to the front of the causes if the kernel's worst
  // defect is a read of memory that was never set: those threads did not do their part of setting it.
  void put_early_exits_first() {
    auto& causes = outcome_.causes;
    if (causes.empty() || causes.front().kind != CauseKind::uninitialised_read) return;
    const std::string file = causes.front().file;
    const auto is_root = [&](const Cause& note) {
      return note.kind == CauseKind::early_exit && note.file == file;
    };
    const auto roots = std::ranges::stable_partition(outcome_.notes, std::not_fn(is_root));
    causes.insert(causes.begin(), std::make_move_iterator(roots.begin()),
                  std::make_move_iterator(roots.end()));
    outcome_.notes.erase(roots.begin(), roots.end());
  }

  // Drops notes on threads that store the same value where other calls show that they race. Where the outputs
  // are wrong, such a note does not call the store harmless.
  void judge_same_values() {
    constexpr std::string_view kHarmless = "all store the same value, so that the result is defined";
    constexpr std::string_view kClue =
        "all store the same value: several threads take one element, and another one may have none";
    std::erase_if(outcome_.notes, [&](const Cause& note) {
      return note.kind == CauseKind::same_value_store &&
             std::ranges::any_of(outcome_.causes, [&](const Cause& cause) {
               return cause.kind == CauseKind::race && cause.file == note.file && cause.line == note.line;
             });
    });
    for (Cause& note : outcome_.notes) {
      const std::size_t at = is_correct_ ? std::string::npos : note.message.find(kHarmless);
      if (at != std::string::npos) note.message.replace(at, kHarmless.size(), kClue);
    }
  }

  [[nodiscard]] bool is_large(const Case& which) const {
    return which.sizes() == bench_.course.rubric.clean.large_size;
  }

  // Enlarges the input so that code that needed two kernel passes for the previous input needs three: then
  // the second pass reads partial results and writes some. The number of elements per block is derived from
  // the grid of the first launch.
  [[nodiscard]] Case with_three_passes(Case large) const {
    if (launches_.size() != 2 || large.sizes().parts.size() != 1) return large;
    const std::uint64_t blocks = wire::volume(launches_.front().grid);
    if (blocks < 2) return large;
    const std::uint64_t least = (launched_for_ + blocks - 1) / blocks;
    const std::uint64_t most = (launched_for_ - 1) / (blocks - 1);
    // Elements per block, derived from a grid: prefers a power of two, because most reductions use one.
    const std::uint64_t rounded = std::bit_floor(most);
    const std::uint64_t each = rounded >= least ? rounded : most;
    const std::uint64_t size = each * each + each;
    if (size <= large.n || size > kLargestClean) return large;
    const std::uint64_t shift = large.shift;
    large = bench_.assignment.case_of(large.type, large.data, size, large.seed);
    large.shift = shift;
    return large;
  }

  // Returns the cause of an answer that depends on the order of execution: the answers in two orders, and the
  // lines whose values do so by themselves. `in_order` and `shuffled`: what was wrong in each order.
  [[nodiscard]] Cause of_two_orders(const Case& which, const std::optional<Cause>& in_order,
                                    const std::optional<Cause>& shuffled) const {
    const Blame blame = worker_.blame();
    Cause cause = about(which, blame, CauseKind::schedule_dependent,
                        "the answer depends on the order in which blocks and warps run");
    const auto outcome = [](const std::optional<Cause>& wrong) {
      return wrong ? wrong->message : std::string("the answer is right");
    };
    if (in_order || shuffled) {
      cause.message +=
          fmt::format(": when they run by their numbers, {}; when they run in a shuffled order, {}",
                      outcome(in_order), outcome(shuffled));
      const Cause& wrong = shuffled ? *shuffled : *in_order;
      cause.expected = wrong.expected;
      cause.actual = wrong.actual;
    }
    const auto sign = blame.file == nullptr ? std::nullopt : source_edits::place_by_atomic(blame.file->text);
    if (!sign) {
      cause.message += "; look for threads that read what other threads write without a barrier in between";
      return cause;
    }
    cause.message += fmt::format("; {}", sign->what);
    cause.mistake = kUnstable;
    point_to(cause, {blame.file->name, sign->line, {}}, blame);
    return cause;
  }

  // Returns the test case whose call yields the performance counters: the largest input of the first element
  // type, among the inputs small enough to run under every thread schedule and build.
  [[nodiscard]] const Case* case_to_count(const std::vector<Case>& cases) const {
    const Case* best = nullptr;
    for (const Case& which : cases) {
      if (is_large(which) && cases.size() > 1) continue;
      const bool same_type = best == nullptr || which.type == best->type;
      if (best == nullptr || (same_type && which.n > best->n)) best = &which;
    }
    return best;
  }

  [[nodiscard]] std::vector<wire::RunMode> modes_for(const Case& which, bool large) const {
    std::vector<wire::RunMode> modes;
    const std::uint64_t schedules = large ? 0 : bench_.course.rubric.clean.schedules;
    for (std::uint64_t k = 0; k < schedules; ++k) {
      modes.push_back(
          {.checking = true, .schedule = k == 0 ? 0 : other_order(which, k), .check_accesses = true});
    }
    // Only the -O2 build's run yields performance counters: unoptimised code executes more instructions.
    modes.push_back({.check_accesses = true, .count_work = &which == counted_case_});
    return modes;
  }

  void ask(const Case& which, bool large) {
    current_ = which;
    const auto modes = modes_for(which, large);
    std::vector<std::byte> first;
    for (const wire::RunMode& mode : modes) {
      const auto before = worker_.asked();
      auto result = call(which, mode);
      if (!before.empty()) tell_if_kept(result, [&] { return earlier_calls_.look(before, which); });
      if (mode.count_work && result.causes.empty()) {
        outcome_.counted = counted_by(result.work.launches, bench_.submission, version_, which);
      }
      const bool failed = !keep(result);
      if (failed) return;  // after a defect, other thread schedules would only repeat the failure
      if (&mode == &modes.front()) {
        first = result.answer;
        launches_ = std::move(result.work.launches);
        launched_for_ = which.n;
        if (which.n <= kMostCleanAgain) {
          auto second = of_interest(worker_.run_again(mode));
          tell_if_kept(second, [&] { return earlier_calls_.look_at_second(which); });
          if (!keep(second)) return;
        }
      } else if (result.answer != first) {
        disagree(which, modes.front(), mode);
        return;
      }
    }
  }

  CallResult call(const Case& which, const wire::RunMode& mode) {
    return of_interest(worker_.run(which, mode));
  }

  // Moves findings such as races to the errors or, if the rubric tolerates them, to the notes. Drops wrong
  // results: one that is the same under every schedule and build is left to the check `correct`.
  CallResult of_interest(CallResult result) {
    wrong_.reset();
    std::erase_if(result.causes, [&](const Cause& cause) {
      if (!is_wrong_answer(bench_, cause)) return false;
      if (!wrong_) wrong_ = cause;
      return true;
    });
    for (Cause& remark : result.remarks) {
      add_once(bench_.course.rubric.clean.fails(remark.kind) ? result.causes : outcome_.notes,
               {std::move(remark)});
    }
    result.remarks.clear();
    return result;
  }

  // If a failure occurs only after earlier calls, changes its reported kind to wrong_when_called_again.
  template <class Look>
  void tell_if_kept(CallResult& result, const Look& look) {
    if (bench_.only_first_failure || !found_.lacks_some_of(result.causes)) return;
    auto kept = result.causes;
    for (Cause& cause : kept) {
      cause.kind = CauseKind::wrong_when_called_again;
      cause.message = fmt::format(
          "this happens only after an earlier call of the version, not in a first call: {}; state survives "
          "between calls. Look for a static or global variable, or a __device__ counter or ticket that is "
          "not reset",
          cause.message);
      name_kept_variable(cause, worker_.blame());
    }
    const bool known = !found_.lacks_some_of(kept);
    if (!known &&
        (++looked_back_ > kMostCleanLooksBack || look().reason != EarlierCalls::Reason::earlier_calls))
      return;
    result.causes = std::move(kept);
  }

  // Records the defects found in a call. Returns false if there are any.
  bool keep(CallResult& result) {
    const bool right = result.causes.empty();
    if (!right && !failing_case_) failing_case_ = current_;
    if (found_.add(std::move(result.causes))) worker_.was_of_use();
    return right;
  }

  // Reports that two calls with the same input gave different results. Repeats the calls with blocks run one
  // after the other, to distinguish a race from a dependence on thread schedule or optimisation. Does nothing
  // if a defect is already recorded, which then is the likely reason.
  void disagree(const Case& which, const wire::RunMode& first_mode, const wire::RunMode& mode) {
    if (!found_.all().empty()) return;
    std::array<std::vector<std::byte>, 3> answers;
    std::array<std::optional<Cause>, 3> wrong;
    const std::array modes{first_mode, first_mode, mode};
    for (std::size_t i = 0; i < modes.size(); ++i) {
      wire::RunMode repeatable = modes[i];
      repeatable.one_at_a_time = true;
      auto repeated = call(which, repeatable);
      if (!keep(repeated)) return;
      answers[i] = std::move(repeated.answer);
      wrong[i] = wrong_;
    }
    if (answers[0] != answers[1]) {
      found_.add({about(
          which, worker_.blame(), CauseKind::not_repeatable,
          "the answer differs from call to call, with the same input in the same order of execution: look "
          "for the time, random numbers, addresses or static variables in the computation, or memory "
          "that was never set")});
    } else if (mode.checking || answers[1] == answers[2]) {
      found_.add({of_two_orders(which, wrong[0], wrong[2])});
    } else {
      found_.add({about(which, worker_.blame(), CauseKind::optimisation_dependent,
                        "the optimised code gives another answer than the code as written, in the same order "
                        "of execution; look for values that another thread changes without a barrier in "
                        "between, or that were never set")});
    }
  }

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  const std::vector<Cause>& of_correct_;
  bool is_correct_;
  VersionWorker worker_;
  EarlierCalls earlier_calls_;
  FoundCauses found_;
  CheckOutcome outcome_;
  std::size_t looked_back_ = 0;
  Case current_;
  std::optional<Cause> wrong_;        // what was wrong of the last call's answer
  std::optional<Case> failing_case_;  // the first that failed
  const Case* counted_case_ = nullptr;
  std::vector<wire::Launch> launches_;  // kernel launches of the last correct call, first thread schedule
  std::uint64_t launched_for_ = 0;      // number of input elements of the call recorded in launches_
};

}  // namespace

CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                         const std::vector<Cause>& of_correct, bool is_correct) {
  const auto start = std::chrono::steady_clock::now();
  auto outcome = CleanCheck(bench, version, built, of_correct, is_correct).run();
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace warpmark::judge
