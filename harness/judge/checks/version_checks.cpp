#include "harness/judge/checks/version_checks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/checks/second_look.h"
#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kNeedsAKernel = 1024;     // values; smaller inputs may take any way
constexpr std::uint64_t kMostCalledAgain = 1025;  // values: each is patched on its own
constexpr std::uint64_t kMostCleanAgain = 4099;
constexpr std::uint64_t kFewestFurtherCalls = 100;
constexpr std::uint64_t kMostFurtherCalls = 300;
constexpr std::uint64_t kFurtherCallSize = 300;  // values, at most
constexpr double kFurtherSeconds = 1;            // for all of them, by the time of one
// What a call may copy to the host, or let it reach: a share of its inputs, as partial sums have it.
constexpr std::uint64_t kToHostShare = 16;
constexpr std::uint64_t kToHostAlways = 4096;  // bytes
constexpr int kFreshWorkers = 4;               // that must all give the right answer
constexpr std::size_t kMostLooksBack = 8;      // in fresh workers
constexpr std::size_t kMostLooks = 3;          // on the simulator, for one check

Cause about(const Case& which, const Blame& blame, CauseKind kind, std::string message) {
  Cause cause = make_cause(kind, std::move(message), blame.file->name);
  cause.type = which.type;
  cause.n = which.n;
  cause.seed = fmt::format("{:#x}", which.seed);
  return cause;
}

Cause no_kernel(const Case& which, const Blame& blame) {
  return about(which, blame, CauseKind::no_kernel,
               fmt::format("no kernel ran while the answer for {} values was computed: it did not come from "
                           "the GPU. Launch a kernel that computes it",
                           which.n));
}

// Why an answer that is right did not come from a kernel alone; empty where it did.
std::optional<Cause> computed_elsewhere(const Case& which, const Blame& blame, const Traffic& traffic) {
  const std::uint64_t most = std::max(kToHostAlways, traffic.input / kToHostShare);
  const auto told = [&](CauseKind kind, std::uint64_t bytes, std::string message) {
    Cause cause = about(which, blame, kind, std::move(message));
    cause.expected = fmt::format("at most {} bytes", most);
    cause.actual = fmt::format("{} bytes", bytes);
    return cause;
  };
  const std::uint64_t sent = traffic.from_host - traffic.host_memory;
  if (traffic.to_host > most && sent > most) {
    return told(
        CauseKind::uploaded_again, traffic.to_host,
        fmt::format("the call copied {} bytes to the host, and {} from there: a version may copy {} to "
                    "the host. The values are on the GPU: use the pointer that it is given",
                    traffic.to_host, sent, most));
  }
  if (traffic.to_host > most) {
    return told(
        CauseKind::no_kernel, traffic.to_host,
        fmt::format("the call copied {} bytes to the host, where its inputs have {}: a version may copy "
                    "{} (a {}th of its inputs, and {} always), so that kernels compute the answer and "
                    "not the CPU. Keep the values on the GPU",
                    traffic.to_host, traffic.input, most, kToHostShare, kToHostAlways));
  }
  if (traffic.host_memory > most) {
    return told(
        traffic.kind, traffic.host_memory,
        fmt::format("kernels of the call work on {} bytes of {} memory, which the host reaches as well: "
                    "a version may have {} of it. Take memory from cudaMalloc, or the workspace",
                    traffic.host_memory,
                    traffic.kind == CauseKind::managed_memory ? "managed" : "pinned host", most));
  }
  return std::nullopt;
}

Cause out_of_time(const GradingContext& bench, const std::string& version, std::size_t asked,
                  std::size_t of) {
  return make_cause(
      CauseKind::timed_out,
      fmt::format("the time was up after {} of {} cases: the checks of a submission may take {:g} s, of "
                  "which {:.0f} s "
                  "fell to this version. Make its calls shorter",
                  asked, of, std::chrono::duration<double>(bench.course.limits.submission).count(),
                  bench.time->share(version)),
      bench.submission.files.at(version).name);
}

bool is_over(const GradingContext& bench, const std::string& version) {
  return bench.time != nullptr && bench.time->is_over(version);
}

bool is_wrong_answer(const GradingContext& bench, const Cause& cause) {
  return name_of(cause.kind) == bench.assignment.wrong_answer();
}

// `correct`, case by case.
class CorrectCheck {
 public:
  CorrectCheck(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
               const BuiltTypes* simulated)
      : bench_(bench),
        version_(version),
        built_(built),
        simulated_(simulated),
        worker_(bench, version, built) {}

  CheckOutcome run() {
    const auto cases =
        correct_cases(bench_.course, bench_.assignment, built_.engine, bench_.course.focus, bench_.seed);
    for (std::size_t i = 0; i < cases.size() && worker_.can_go_on() && !found_.full(); ++i) {
      if (is_over(bench_, version_)) {
        found_.add({out_of_time(bench_, version_, i, cases.size())});
        break;
      }
      ask(cases[i]);
    }
    if (found_.all().empty() && worker_.can_go_on() && !is_over(bench_, version_)) ask_often(cases);
    return {.causes = std::move(found_).worst_first(), .sent = std::move(sent_)};
  }

 private:
  // Whoever counts calls cannot know how many there are.
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
    for (Cause& cause : result.causes) {
      if (!is_wrong_answer(bench_, cause) && cause.kind != CauseKind::not_written) continue;
      cause.kind = CauseKind::wrong_when_called_again;
      cause.message = fmt::format(
          "the version was right at first, and wrong in one of many further calls: {}. Something survives a "
          "call; keep nothing in static variables",
          cause.message);
    }
    found_.add(std::move(result.causes));
  }

  // The largest upload that a call did on its own.
  void note_sent(const Case& which, const Traffic& traffic) {
    const std::uint64_t allowed = bench_.course.upload_once.allowance_bytes;
    if (bench_.course.upload.empty() || traffic.from_host <= std::max(allowed, most_sent_)) return;
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
    const bool fresh = worker_.is_fresh(which.type);
    auto result = worker_.run(which);
    if (result.traffic) note_sent(which, *result.traffic);
    if (result.causes.empty()) {
      const bool by_library = worker_.host_readable(which.type);
      const auto elsewhere = result.traffic && !by_library
                                 ? computed_elsewhere(which, worker_.blame(), *result.traffic)
                                 : std::optional<Cause>();
      if (result.kernels == 0U && which.n >= kNeedsAKernel && !by_library) {
        result.causes = {no_kernel(which, worker_.blame())};
      } else if (elsewhere) {
        result.causes = {*elsewhere};
      } else if (which.n <= kMostCalledAgain) {
        result.causes = called_again(result.answer);
      }
    } else if (!fresh && follows_from_earlier_calls(which, result)) {
      result.causes = {
          about(which, worker_.blame(), CauseKind::wrong_when_called_again,
                "the answer is right when this is the first call, and wrong when the version was called "
                "before, with other sizes or values: something survives a call. Look for a static or "
                "global variable, a __device__ counter or ticket that is not reset, an answer or a grid "
                "size that is kept from the first call")};
    }
    // The first of a kind may have been given a place by now, which would make a later one look new.
    std::erase_if(result.causes,
                  [&](const Cause& cause) { return cause.line == 0 && found_.has(cause.kind); });
    experiment(which, result.causes);
    explain(which, result.causes);
    if (found_.add(std::move(result.causes))) worker_.was_of_use();
  }

  // Whether a wrong answer becomes right in a fresh worker. A GPU's may by chance, and is asked only where a
  // second call was wrong before; the simulator's order of execution is the same in each worker.
  bool follows_from_earlier_calls(const Case& which, const CallResult& result) {
    const bool known = found_.has(CauseKind::wrong_when_called_again);
    if (!known && (built_.engine != Engine::simulator || looked_back_ > 0)) return false;
    if (result.causes.size() != 1) return false;
    const Cause& cause = result.causes.front();
    if (!is_wrong_answer(bench_, cause) && cause.kind != CauseKind::not_written) return false;
    if (++looked_back_ > kMostLooksBack) return true;
    // A race may give the right answer once: it has to be right in each of several.
    for (int fresh = 0; fresh < kFreshWorkers; ++fresh) {
      worker_.replace();
      if (!worker_.run(which).causes.empty()) return false;
    }
    return true;
  }

  std::vector<Cause> called_again(const std::vector<std::byte>& first) {
    auto second = worker_.run_again();
    for (Cause& cause : second.causes) {
      const bool wrong = is_wrong_answer(bench_, cause);
      if (!wrong && cause.kind != CauseKind::not_written) {
        cause.message += " (in the second call on the same pointers; the first was right)";
        continue;
      }
      cause.message = "the second call on the same pointers, with other values in them, ";
      if (!wrong) {
        cause.message += "wrote nothing: ";
      } else {
        cause.message += second.answer == first ? "gave the first call's answer: " : "gave a wrong answer: ";
      }
      cause.message += wrong && second.answer != first
                           ? "something survives a call. Set the sum to zero, and reset a counter or ticket "
                             "in __device__ or "
                             "static memory, in each call; keep nothing in static variables"
                           : "an answer is kept by pointer or size, or a static flag lets the work be done "
                             "once. Compute the "
                             "answer in each call; keep nothing in static variables";
      cause.kind = CauseKind::wrong_when_called_again;
    }
    return std::move(second.causes);
  }

  // Says of a wrong answer what experiments with this version show.
  void experiment(const Case& which, std::vector<Cause>& causes) {
    for (Cause& cause : causes) {
      if (!is_wrong_answer(bench_, cause) && cause.kind != CauseKind::not_written) continue;
      if (auto better = worker_.explain(which, cause)) cause = std::move(*better);
    }
  }

  void explain(const Case& which, std::vector<Cause>& causes) {
    if (simulated_ == nullptr || built_.engine != Engine::gpu || causes.empty() || looks_ == kMostLooks)
      return;
    Cause& failure = causes.front();
    if (!deserves_a_second_look(failure) || found_.has(failure.kind)) return;
    ++looks_;
    auto seen = second_look(
        bench_, version_, *simulated_, which,
        failure.kind == CauseKind::wrong_when_called_again || failure.kind == CauseKind::cuda_error);
    place_like(failure, seen);
    std::ranges::move(seen, std::back_inserter(causes));
  }

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  const BuiltTypes* simulated_;
  VersionWorker worker_;
  FoundCauses found_;
  std::optional<Cause> sent_;  // by a call on its own
  std::uint64_t most_sent_ = 0;
  std::size_t looked_back_ = 0;
  std::size_t looks_ = 0;
};

// `clean`, case by case: the answers must agree exactly in all modes, for inputs whose sum is exact in any
// order.
class CleanCheck {
 public:
  CleanCheck(const GradingContext& bench, const std::string& version, const BuiltTypes& built)
      : bench_(bench), version_(version), worker_(bench, version, built) {}

  CheckOutcome run() {
    const auto cases = clean_cases(bench_.course, bench_.assignment, bench_.course.focus, bench_.seed);
    counted_case_ = case_to_count(cases);
    for (std::size_t i = 0; i < cases.size() && worker_.can_go_on() && !found_.full(); ++i) {
      if (is_over(bench_, version_)) {
        found_.add({out_of_time(bench_, version_, i, cases.size())});
        break;
      }
      ask(cases[i]);
    }
    outcome_.causes = std::move(found_).worst_first();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool is_large(const Case& which) const { return which.n == bench_.course.clean.large_size; }

  // The largest of those asked in all modes with the first type, ints in all rubrics that have them.
  [[nodiscard]] const Case* case_to_count(const std::vector<Case>& cases) const {
    const Case* best = nullptr;
    for (const Case& which : cases) {
      if (is_large(which) && cases.size() > 1) continue;
      const bool same_type = best == nullptr || which.type == best->type;
      if (best == nullptr || (same_type && which.n > best->n)) best = &which;
    }
    return best;
  }

  [[nodiscard]] std::vector<wire::RunMode> modes_for(const Case& which) const {
    std::vector<wire::RunMode> modes;
    const std::uint64_t schedules = is_large(which) ? 0 : bench_.course.clean.schedules;
    for (std::uint64_t k = 0; k < schedules; ++k) {
      modes.push_back(
          {.checking = true, .schedule = k == 0 ? 0 : random_bits(which.seed, k), .check_accesses = true});
    }
    // Counts come from the optimised code.
    modes.push_back({.check_accesses = true, .count_work = &which == counted_case_});
    return modes;
  }

  void ask(const Case& which) {
    const auto modes = modes_for(which);
    std::vector<std::byte> first;
    for (const wire::RunMode& mode : modes) {
      auto result = call(which, mode);
      if (mode.count_work && result.causes.empty()) {
        outcome_.counted = counted_by(result.launches, bench_.submission, version_, which);
      }
      const bool failed = !keep(result);
      if (failed) return;  // what other orders show of this case follows from it
      if (&mode == &modes.front()) {
        first = result.answer;
        if (which.n <= kMostCleanAgain) {
          auto second = worker_.run_again(mode);
          if (!keep(second)) return;
        }
      } else if (result.answer != first) {
        disagree(which, modes.front(), mode, first);
        return;
      }
    }
  }

  CallResult call(const Case& which, const wire::RunMode& mode) {
    auto result = worker_.run(which, mode);
    // A wrong answer that is the same in every mode is for `correct` to tell.
    std::erase_if(result.causes, [&](const Cause& cause) { return is_wrong_answer(bench_, cause); });
    return result;
  }

  // False where the call failed.
  bool keep(CallResult& result) {
    std::erase_if(result.causes, [&](const Cause& cause) { return is_wrong_answer(bench_, cause); });
    for (Cause& remark : result.remarks) {
      add_once(bench_.course.clean.fails(remark.kind) ? result.causes : outcome_.notes, {std::move(remark)});
    }
    const bool right = result.causes.empty();
    if (found_.add(std::move(result.causes))) worker_.was_of_use();
    return right;
  }

  // Two answers of the same input. Only where the first mode repeats its own is the other mode the reason.
  // Where something else was found in other cases, that is the reason.
  void disagree(const Case& which, const wire::RunMode& first_mode, const wire::RunMode& mode,
                const std::vector<std::byte>& first) {
    if (!found_.all().empty()) return;
    auto repeated = call(which, first_mode);
    if (!keep(repeated)) return;
    if (repeated.answer != first) {
      found_.add({about(
          which, worker_.blame(), CauseKind::not_repeatable,
          "the answer differs from call to call, with the same input in the same order of execution: look "
          "for the time, random numbers, addresses or static variables in the computation, or memory "
          "that was never set")});
    } else if (mode.checking) {
      found_.add(
          {about(which, worker_.blame(), CauseKind::schedule_dependent,
                 "the answer depends on the order in which blocks and warps run; look for threads that read "
                 "what others write without a barrier between")});
    } else {
      found_.add(
          {about(which, worker_.blame(), CauseKind::optimisation_dependent,
                 "the optimised code gives another answer than the code as written, in the same order of "
                 "execution; look for values that another thread changes without a barrier between, or that "
                 "were never set")});
    }
  }

  const GradingContext& bench_;
  const std::string& version_;
  VersionWorker worker_;
  FoundCauses found_;
  CheckOutcome outcome_;
  const Case* counted_case_ = nullptr;
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

CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built) {
  const auto start = std::chrono::steady_clock::now();
  auto outcome = CleanCheck(bench, version, built).run();
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace warpmark::judge
