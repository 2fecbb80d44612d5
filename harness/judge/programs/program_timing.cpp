#include "harness/judge/programs/program_timing.h"

#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

constexpr int kAttempts = 3;  // maximum number of measurements of one program on a noisy machine
// Limit on the seconds of one measurement, tested every kLookEvery rounds.
constexpr double kSecondsOfPrograms = 120;
// Number of runs whose median is the baseline's time without the student's program beside it.
constexpr std::size_t kRunsAlone = 3;

class Stopwatch {
 public:
  explicit Stopwatch(const TimedPrograms& programs) : programs_(programs), settings_(programs.settings) {
    settings_.left = settings_.spec.run_limit;
  }

  tl::expected<Trial, Cause> measure() {
    const auto start = std::chrono::steady_clock::now();
    Trial trial;
    trial.host = settings_.engine == Engine::host;
    trial.baseline = programs_.rule.baseline();
    trial.control_width = measure::kHostControlWidth;
    // The first run of each reads its files from the disk; it does not count.
    for (const BuiltProgram* program : {&programs_.baseline, &programs_.student}) {
      if (auto warm = run(*program); !warm) return tl::unexpected(warm.error());
    }
    auto alone = alone_ms();
    if (!alone) return tl::unexpected(alone.error());
    trial.naive_before_ms = *alone;
    const double taken_before = programs_.seconds_of_others();
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<double> required = programs_.course.required_speeds(programs_.rule);
    while (trial.look.decision == measure::Decision::more_rounds) {
      if (auto round = take_round()) {
        trial.rounds.push_back(*round);
      } else {
        return tl::unexpected(round.error());
      }
      const bool late = seconds_since(start) > kSecondsOfPrograms;
      trial.look = measure::look_at(
          trial.rounds, required, {trial.control_width, late ? trial.rounds.size() : programs_.most_rounds});
    }
    trial.cores_taken = (programs_.seconds_of_others() - taken_before) / seconds_since(begun);
    alone = alone_ms();
    if (!alone) return tl::unexpected(alone.error());
    trial.naive_after_ms = *alone;
    // No process holds both programs, so that the rounds themselves show the noise of the machine. A program
    // that is given up early is judged without it.
    const auto control = measure::sign_test_interval(measure::naive_against_itself(trial.rounds));
    trial.reference_interval = control ? control : measure::Interval{0, 0};
    return trial;
  }

 private:
  // Runs a program once on the test case; returns its wall time in milliseconds, or why its result is wrong.
  tl::expected<double, Cause> run(const BuiltProgram& program) {
    CaseRuns runs(settings_, program, programs_.one);
    auto causes = runs.correct(programs_.compare);
    if (causes.empty()) return programs_.milliseconds(runs.first());
    Cause cause = std::move(causes.front());
    if (&program == &programs_.baseline) {
      cause.message = fmt::format("the {}, timed in turns with this program: {}", programs_.rule.baseline(),
                                  cause.message);
      cause.kind = CauseKind::internal;
    } else if (cause.kind == CauseKind::wrong_output) {
      cause.kind = CauseKind::wrong_when_timed;
    }
    return tl::unexpected(std::move(cause));
  }

  tl::expected<double, Cause> alone_ms() {
    std::vector<double> times;
    while (times.size() < kRunsAlone) {
      const auto time = run(programs_.baseline);
      if (!time) return tl::unexpected(time.error());
      times.push_back(*time);
    }
    return measure::median(std::move(times));
  }

  tl::expected<measure::Round, Cause> take_round() {
    const bool student_first = random_below(programs_.seed, ++rounds_, 2) == 1;
    measure::Round round;
    for (std::size_t turn = 0; turn < 2; ++turn) {
      for (const bool second : {false, true}) {
        const bool student = second != student_first;
        const auto time = run(student ? programs_.student : programs_.baseline);
        if (!time) return tl::unexpected(time.error());
        (student ? round.student_ms : round.naive_ms)[turn] = *time;
      }
    }
    return round;
  }

  const TimedPrograms& programs_;
  CaseSettings settings_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

double wall_ms(const program_analysis::ProgramRun& run) {
  return run.process_seconds * 1000;
}

FastOutcome time_programs(const TimedPrograms& programs) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<double> required = programs.course.required_speeds(programs.rule);
  FastOutcome result;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto trial = Stopwatch(programs).measure();
    if (!trial) {
      result = {};
      result.outcome.causes = {trial.error()};
      break;
    }
    result = judged(programs.course, {.rule = programs.rule, .required_speedups = required}, *trial);
    if (!is_noise(result) || seconds_since(start) > kSecondsOfPrograms) break;
  }
  for (Cause& cause : result.outcome.causes) {
    if (cause.file.empty()) cause.file = programs.rule.file();
    cause.test = programs.one.name;
  }
  result.outcome.seconds = seconds_since(start);
  return result;
}

}  // namespace warpmark::judge
