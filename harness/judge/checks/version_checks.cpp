#include "harness/judge/checks/version_checks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/computed_elsewhere.h"
#include "harness/judge/checks/earlier_calls.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/checks/host_knowledge.h"
#include "harness/judge/checks/other_orders.h"
#include "harness/judge/checks/second_look.h"
#include "harness/judge/checks/size_groups.h"
#include "harness/judge/checks/thread_failures.h"
#include "harness/judge/checks/unused_work.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/rules/plan.h"
#include "harness/source_edits/host_threads.h"

namespace warpmark::judge {
namespace {

// Largest input, in elements, with which the check `correct` calls a student's function twice on the same
// buffers. Between the calls, new data is written to each input element separately.
constexpr std::uint64_t kMostCalledAgain = 1025;
// Maximum number of failures for which the check `correct` replays calls, to find an earlier call as the
// cause.
constexpr std::size_t kMostLooksBack = 8;
// Maximum number of failed GPU calls that each check reruns on the simulator.
constexpr std::size_t kMostLooks = 3;
constexpr std::uint64_t kFewestFurtherCalls = 60;
constexpr std::uint64_t kMostFurtherCalls = 160;
// Largest input, in elements, with which the check `correct` repeats a correct call a random number of times.
constexpr std::uint64_t kFurtherCallSize = 300;
// Limit in seconds on the time of a correct call's random repetitions, estimated from one call.
constexpr double kFurtherSeconds = 3;

Cause no_kernel(const Case& which, const Blame& blame) {
  return about(which, blame, CauseKind::no_kernel,
               fmt::format("no kernel ran while the answer for {} values was computed: it did not come from "
                           "the GPU. Launch a kernel that computes it",
                           which.n));
}

// Returns what a change must cure besides wrong outputs, for failures that the engine sees only where it
// checks accesses.
Demands demands_of(CauseKind kind) {
  Demands demands;
  if (kind != CauseKind::uninitialised_read && kind != CauseKind::misaligned) return demands;
  demands.fails = [kind](CauseKind found) { return found == kind; };
  return demands;
}

// Returns true for findings that violate the assignment's rules even if the result is right.
bool breaks_the_contract(const Cause& cause) {
  return cause.kind == CauseKind::default_stream || cause.kind == CauseKind::missing_synchronize;
}

// Runs the check `correct`, one test input after the other.
class CorrectCheck {
 public:
  CorrectCheck(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
               const BuiltTypes* simulated)
      : bench_(bench),
        version_(version),
        built_(built),
        simulated_(simulated),
        worker_(bench, version, built),
        knowledge_(bench, version, built),
        earlier_calls_(bench, version, built),
        groups_(bench, version) {}

  CheckOutcome run() {
    auto cases = correct_cases(bench_.course.rubric, bench_.assignment, built_.engine, bench_.course.focus,
                               bench_.seed);
    include_work(cases);
    knowledge_.plan(cases);
    for (std::size_t i = 0; i < cases.size() && worker_.can_go_on() && !found_.full(); ++i) {
      if (bench_.only_first_failure && has_failed()) break;
      if (is_over(bench_, version_)) {
        found_.add({out_of_time(bench_, version_, i, cases.size())});
        break;
      }
      ask(cases[i]);
    }
    const auto is_right = [&] {
      return found_.all().empty() && worker_.can_go_on() && !is_over(bench_, version_);
    };
    if (is_right()) found_.add(wrong_in_other_orders(bench_, worker_, cases));
    if (is_right()) ask_often(cases);
    if (counted_call_ && found_.all().empty()) {
      auto looked = find_unused_work(worker_, bench_, version_, *counted_call_);
      counted_call_->unused = std::move(looked.unused);
      found_.add(std::move(looked.wrong));
    }
    auto parts = groups_.parts(cases, found_.all().empty());
    auto causes = std::move(found_).worst_first();
    if (has_host_threads()) causes = threads_first(std::move(causes), of_sanitizers(), worker_.blame());
    return {.causes = std::move(causes),
            .counted_call = std::move(counted_call_),
            .remarks = built_.engine == Engine::simulator ? std::optional(worker_.remarks()) : std::nullopt,
            .sent = std::move(sent_),
            .parts = std::move(parts)};
  }

 private:
  // Calls the student's function a random number of times, so that code that counts its calls cannot
  // recognise the graded ones.
  void ask_often(const std::vector<Case>& cases) {
    const Case* which = nullptr;
    for (const Case& each : cases) {
      if (each.n <= kFurtherCallSize && (which == nullptr || each.n >= which->n)) which = &each;
    }
    if (which == nullptr) return;
    const auto start = std::chrono::steady_clock::now();
    auto result = worker_.run(*which);
    const auto affordable = static_cast<std::uint64_t>(kFurtherSeconds / seconds_since(start));
    const std::uint64_t count =
        std::min(affordable, kFewestFurtherCalls + random_below(mix(bench_.seed), cases.size(),
                                                                kMostFurtherCalls - kFewestFurtherCalls));
    if (count == 0) return;
    if (result.causes.empty()) result = worker_.run_often(count);
    if (!result.causes.empty()) groups_.note(*which, false);
    for (Cause& cause : result.causes) {
      if (!is_about_the_answer(bench_, cause)) continue;
      cause.message = fmt::format(
          "the version was right at first, but wrong in one of many further calls: {}. Either threads race, "
          "or state survives between calls; keep nothing in static variables",
          cause.message);
    }
    found_.add(std::move(result.causes));
  }

  // What leaves the check open, or to a GPU, may concern some calls alone.
  [[nodiscard]] bool has_failed() const { return !std::ranges::all_of(found_.all(), leaves_to_gpu); }

  // Returns true if student code runs on several MPI ranks or GPUs, which exchange data through the host, so
  // that limits on copies do not apply.
  [[nodiscard]] bool is_spread() const { return bench_.shape.ranks != nullptr || bench_.shape.devices > 1; }

  // Records how much a call copied to the device, if more than permitted and more than every earlier call.
  void note_sent(const Case& which, const Traffic& traffic) {
    if (is_spread()) return;
    const std::uint64_t allowed = bench_.course.rubric.upload_once.allowance_bytes;
    if (bench_.course.rubric.upload.empty() || traffic.from_host <= std::max(allowed, most_sent_)) return;
    most_sent_ = traffic.from_host;
    sent_ =
        about(which, worker_.blame(), traffic.kind,
              fmt::format("{} sent {} bytes to the GPU in a call with {} values, which have been uploaded "
                          "before: use the pointer that it is given",
                          version_, traffic.from_host, which.n));
    sent_->expected = fmt::format("at most {} bytes", allowed);
    sent_->actual = fmt::format("{} bytes", traffic.from_host);
  }

  void ask(const Case& which) {
    const bool fresh = worker_.asked().empty();
    const bool counts = !counted_call_ && is_of_work(which);
    auto result = worker_.run(which, {.count_work = counts, .note_handovers = knowledge_.wants(which)});
    if (result.traffic) note_sent(which, *result.traffic);
    const bool has_counts = !result.work.launches.empty() && result.work.launches.front().work.has_value();
    if (counts && result.causes.empty() && has_counts)
      counted_call_ = {which, std::move(result.work), worker_.multiprocessors()};
    if (result.causes.empty()) {
      const auto elsewhere = result.traffic && !is_spread()
                                 ? computed_elsewhere(which, worker_.blame(), *result.traffic,
                                                      bench_.assignment.bytes_to_host(which.sizes()))
                                 : std::optional<Cause>();
      if (result.kernels == 0U && which.n >= kNeedsAKernel) {
        result.causes = {no_kernel(which, worker_.blame())};
      } else if (elsewhere) {
        result.causes = {*elsewhere};
      } else if (auto knows = knowledge_.look(which, result, worker_.asked())) {
        result.causes = {std::move(*knows)};
      } else if (which.n <= kMostCalledAgain) {
        call_again(which, result);
      }
    } else if (!fresh && explains(result.causes) && follows_from_earlier_calls(which, result)) {
      result.causes = {kept_from_earlier_calls(which, result.causes.front())};
    }
    const std::optional<Cause> root = root_among(result.remarks);
    std::erase_if(result.remarks, [](const Cause& cause) { return !breaks_the_contract(cause); });
    groups_.note(which, result.causes.empty() && result.remarks.empty());
    // Drop defects without a source line whose kind is already recorded: the recorded one may have got a line
    // since, so that the new one would not be recognised as a duplicate.
    std::erase_if(result.causes,
                  [&](const Cause& cause) { return cause.line == 0 && found_.has(cause.kind); });
    if (!result.causes.empty() && explains(result.causes) && !explain_on_simulator(which, result.causes))
      experiment(which, result.causes, root);
    if (found_.add(std::move(result.causes))) worker_.was_of_use();
    found_.add(std::move(result.remarks));
  }

  // Returns true if the reasons for failures are looked for here. The time that this waits for the simulator
  // is not the version's.
  [[nodiscard]] bool explains(const std::vector<Cause>& failures) const {
    if (bench_.only_first_failure || !bench_.is_explained) return !bench_.only_first_failure;
    const auto start = std::chrono::steady_clock::now();
    const bool explained = bench_.is_explained(failures);
    if (bench_.time != nullptr) bench_.time->waited(version_, std::chrono::steady_clock::now() - start);
    return !explained;
  }

  // Adds the input of the check `work` on the simulator, so that the call which is counted is one of those
  // that are compared and watched.
  void include_work(std::vector<Case>& cases) {
    const VersionRule* rule = bench_.course.rubric.find(version_);
    if (built_.engine != Engine::simulator || rule == nullptr || !rule->has(Check::work) ||
        bench_.course.obstacle_to_work())
      return;
    of_work_ = work_case(bench_.course.rubric, bench_.assignment, *rule, bench_.course.focus, bench_.seed);
    if (std::ranges::any_of(cases, [&](const Case& which) { return is_of_work(which); })) return;
    cases.insert(std::ranges::upper_bound(cases, of_work_->n, {}, &Case::n), *of_work_);
  }

  [[nodiscard]] bool is_of_work(const Case& which) const {
    return of_work_ && which.type == of_work_->type && which.data == of_work_->data &&
           which.sizes() == of_work_->sizes() && which.shift == of_work_->shift;
  }

  // Returns true if state left by earlier calls is the reason for a wrong result. Tested by replaying the
  // calls in fresh worker processes; on a real GPU only if a second call was already found wrong.
  bool follows_from_earlier_calls(const Case& which, const CallResult& result) {
    const bool known = found_.has(CauseKind::wrong_when_called_again);
    if (!known && built_.engine != Engine::simulator) return false;
    if (result.causes.size() != 1 || !is_about_the_answer(bench_, result.causes.front())) return false;
    if (++looked_back_ > kMostLooksBack) return known;
    auto before = worker_.asked();
    before.pop_back();
    return earlier_calls_.look(before, which).reason == EarlierCalls::Reason::earlier_calls;
  }

  // Explains a wrong result caused by earlier calls. The experiments run in the worker process that gave the
  // result, because it still holds the state that those calls left.
  Cause kept_from_earlier_calls(const Case& which, const Cause& wrong) {
    // Once it is known, experiments at another size would show nothing new.
    auto shown =
        found_.has(CauseKind::wrong_when_called_again) ? std::nullopt : worker_.explain(which, wrong);
    worker_.replace();
    return left_by_earlier_calls(std::move(shown).value_or(wrong), worker_.blame());
  }

  // Calls the function a second time on the pointers of a call that was right. Adds to the result why that
  // fails, and what the engine saw in it.
  void call_again(const Case& which, CallResult& result) {
    auto second = worker_.run_again(mode_of_second_call(which, built_.engine));
    result.causes = std::move(second.causes);
    if (result.causes.empty()) return;
    add_once(result.remarks, std::move(second.remarks));
    // Callers that ask for no reasons need to know, too, whether the order of execution is one.
    if (built_.engine != Engine::simulator && !explains(result.causes)) return;
    if (!std::ranges::all_of(result.causes,
                             [&](const Cause& cause) { return is_about_the_answer(bench_, cause); })) {
      for (Cause& cause : result.causes)
        cause.message += " (in the second call on the same pointers; the first was right)";
      return;
    }
    using enum EarlierCalls::Reason;
    auto looked = why_wrong_again(which);
    if (looked.reason == the_call_itself) result.causes = std::move(looked.causes);
    for (Cause& cause : result.causes) {
      if (looked.reason == earlier_calls) {
        cause = left_by_first_call(bench_, std::move(cause), second.answer == result.answer, worker_.blame());
      } else if (looked.reason == the_order) {
        cause = because_of_order(std::move(cause), result.remarks, worker_.blame());
      } else if (looked.reason == chance) {
        cause.message +=
            " in a second call, but not every time the same two calls are made: threads write the same "
            "location at the same time, or read what others have not written yet";
      }
    }
  }

  EarlierCalls::Look why_wrong_again(const Case& which) {
    if (found_.has(CauseKind::wrong_when_called_again)) return {EarlierCalls::Reason::earlier_calls, {}};
    if (std::ranges::find(found_.all(), kInAnotherOrder, &Cause::mistake) != found_.all().end())
      return {EarlierCalls::Reason::the_order, {}};
    if (++looked_back_ > kMostLooksBack) return {EarlierCalls::Reason::chance, {}};
    return earlier_calls_.look_at_second(which, mode_of_second_call(which, built_.engine));
  }

  [[nodiscard]] bool has_host_threads() const {
    return is_host(built_.engine) && !bench_.only_first_failure &&
           source_edits::has_threads(worker_.blame().file->text);
  }

  [[nodiscard]] const std::vector<Cause>& of_sanitizers() const {
    static const std::vector<Cause> unknown;
    return bench_.of_sanitizers ? bench_.of_sanitizers() : unknown;
  }

  // Makes the reports of wrong results more precise by experiments; see explain_wrong_answer(). Where threads
  // race, an experiment shows nothing: the next call may end in another way.
  // `root`: what the engine found in the call and may explain them.
  void experiment(const Case& which, std::vector<Cause>& causes, const std::optional<Cause>& root) {
    if (!causes.empty() && has_host_threads() &&
        (source_edits::find_thread_mistake(worker_.blame().file->text, {}) || has_race(of_sanitizers())))
      return;
    for (Cause& cause : causes) {
      const bool of_answer = is_about_the_answer(bench_, cause);
      if (cause.mistake == kInAnotherOrder || (!of_answer && !may_be_cured_by_change(cause.kind))) continue;
      auto better = worker_.explain(which, cause, demands_of(cause.kind));
      // A race tells where the barrier belongs.
      const bool waits = better && better->mistake == "missing_barrier" && root &&
                         root->kind != CauseKind::uninitialised_read;
      const bool seen_alone = of_answer && (!better || !better->cured_by_change || waits);
      if (root && seen_alone) better = follows_from(*root, cause);
      if (better) cause = std::move(*better);
    }
  }

  // Reruns a call that failed on a real GPU on the simulator and puts the simulator's findings first. Returns
  // false if it finds nothing.
  bool explain_on_simulator(const Case& which, std::vector<Cause>& causes) {
    if (simulated_ == nullptr || built_.engine != Engine::gpu || causes.empty() || looks_ == kMostLooks)
      return false;
    Cause& failure = causes.front();
    if (!deserves_a_second_look(failure) || found_.has(failure.kind)) return false;
    ++looks_;
    SecondLook look = second_look(
        bench_, version_, *simulated_, which,
        failure.kind == CauseKind::wrong_when_called_again || failure.kind == CauseKind::cuda_error);
    if (look.explained && look.explained->kind == failure.kind) {
      failure = std::move(*look.explained);
      return true;
    }
    place_like(failure, look.seen);
    causes.insert(causes.begin(), std::make_move_iterator(look.seen.begin()),
                  std::make_move_iterator(look.seen.end()));
    return !look.seen.empty();
  }

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  const BuiltTypes* simulated_;
  VersionWorker worker_;
  HostKnowledge knowledge_;
  EarlierCalls earlier_calls_;
  FoundCauses found_;
  SizeGroups groups_;
  std::optional<Case> of_work_;  // input whose work is counted
  std::optional<CountedCall> counted_call_;
  std::optional<Cause> sent_;  // report on the call that copied most bytes to the GPU, if too many
  std::uint64_t most_sent_ = 0;
  std::size_t looked_back_ = 0;
  std::size_t looks_ = 0;
};

}  // namespace

double monotonic_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

CheckOutcome check_correct(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                           const BuiltTypes* simulated) {
  const auto start = std::chrono::steady_clock::now();
  auto outcome = CorrectCheck(bench, version, built, simulated).run();
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace warpmark::judge
