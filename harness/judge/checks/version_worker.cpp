#include "harness/judge/checks/version_worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/trace.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/explain_wrong_answer.h"
#include "harness/judge/checks/variants.h"
#include "harness/judge/rules/plan.h"

namespace warpmark::judge {
namespace {

// Limit on successive worker processes that student code leaves unusable without showing a new defect.
constexpr std::size_t kMostSpoiledInVain = 4;

// Time limit of experiments. Their number decides, unless calls are long or the machine is busy: 320 calls
// take 2.5 s of a core (2026-11-27, AMD EPYC).
constexpr std::chrono::milliseconds kExperiments{3000};

// Returns true if the device context, real or simulated, is unusable after a failure of this kind.
bool spoils(const Cause& cause) {
  return rule_of(cause.kind).after == After::ends;
}

// Returns the student's file with the submission's headers, and those given, in it.
source_edits::Flat flattened(const Blame& blame) {
  return source_edits::flatten(blame.file->name, blame.file->text, [&](const std::string& name) {
    const auto given = blame.submission->given.find(name);
    return given == blame.submission->given.end() ? submitted_text(*blame.submission, name)
                                                  : std::optional(given->second);
  });
}

// Returns the text of the contract header that the version includes.
std::string contract_of(const GradingContext& bench, Engine engine) {
  const Rubric& rubric = bench.course.rubric;
  const std::string& header = is_host(engine) ? rubric.host.contract : rubric.contract;
  return read_file(rubric.home.folder / header).value_or("");
}

// Returns true for failures that take a full timeout each time they are reproduced.
bool never_ends(const Cause& cause) {
  return cause.kind == CauseKind::timed_out || cause.kind == CauseKind::endless_loop ||
         cause.kind == CauseKind::launch_limit;
}

}  // namespace

VersionWorker::VersionWorker(const GradingContext& bench, const std::string& version, const BuiltTypes& built)
    : bench_(bench),
      version_(version),
      built_(built),
      blame_{&bench.submission.files.at(version), &bench.submission, {}, &bench.installation} {}

std::chrono::milliseconds VersionWorker::limit() const {
  return bench_.time == nullptr ? bench_.course.rubric.limits.call : bench_.time->limit(version_);
}

bool VersionWorker::can_go_on() const {
  return !useless_ && !never_ends_ && spoiled_in_vain_ < kMostSpoiledInVain;
}

Case VersionWorker::with_other_values(const Case& which) const {
  return bench_.cases->with_other_values(bench_.assignment, which, built_.engine)->which;
}

std::uint64_t VersionWorker::multiprocessors() const {
  return worker_ ? worker_->hello().multiprocessors : 0;
}

void VersionWorker::replace() {
  has_counted_ = false;
  worker_.reset();
  loaded_.clear();
  asked_.clear();
  last_.reset();
}

std::optional<Cause> VersionWorker::prepare(const std::string& type) {
  if (!worker_) {
    // On a real GPU only a worker process that runs under CUPTI records launches. That slows calls down, but
    // nothing is timed here.
    WorkerShape shape = bench_.shape;
    if (const VersionRule* rule = bench_.course.rubric.find(version_)) shape.libraries = rule->libraries;
    auto started = WorkerClient::start(bench_.installation, built_.engine, built_.engine == Engine::gpu,
                                       start_limit(bench_), shape);
    if (!started) return started.error();
    worker_.emplace(std::move(*started));
  }
  if (loaded_.contains(type)) return std::nullopt;
  const build::Built& library = built_.versions.at(type);
  auto loaded = load(*worker_, library.library, built_.adapters.at(type),
                     fmt::format("{}.{}", version_, type), version_, library.uses_thrust, limit());
  if (!loaded) return loaded.error();
  loaded_[type] = *loaded;
  return std::nullopt;
}

CallResult VersionWorker::run(const Case& which, const wire::RunMode& mode) {
  if (auto cause = prepare(which.type)) {
    useless_ = true;
    CallResult result;
    result.causes = {std::move(*cause)};
    return result;
  }
  asked_.push_back({which});
  last_ = bench_.cases->get(bench_.assignment, which, built_.engine);
  return timed(mode, [&](const wire::RunMode& limited, std::chrono::milliseconds given) {
    return run_case(*worker_, loaded_.at(which.type), bench_.assignment, *last_, limited, blame_, given);
  });
}

CallResult VersionWorker::run_again(const wire::RunMode& mode) {
  const Case& which = last_->which;
  asked_.back().again = true;
  const auto other = bench_.cases->with_other_values(bench_.assignment, which, built_.engine);
  return timed(mode, [&](const wire::RunMode& limited, std::chrono::milliseconds given) {
    return call_case(*worker_, loaded_.at(which.type), bench_.assignment, which, *other->problem,
                     other->buffers, limited, blame_, given, other->patches());
  });
}

CallResult VersionWorker::run_often(std::uint64_t count) {
  asked_.back().again = true;
  const auto other = bench_.cases->with_other_values(bench_.assignment, last_->which, built_.engine);
  return timed({}, [&](const wire::RunMode& limited, std::chrono::milliseconds given) {
    return call_often(*worker_, loaded_.at(last_->which.type), bench_.assignment, *other, count, limited,
                      blame_, given);
  });
}

CallResult VersionWorker::run_with_faults(const Case& which, wire::RunMode mode) {
  // A fault may make a loop longer: what takes more time than this shows the fault.
  constexpr std::chrono::milliseconds kMost{5000};
  const auto given = mode.without_faults ? limit() : std::min(limit(), kMost);
  mode.launch_seconds = launch_seconds(given);
  const auto data = bench_.cases->get(bench_.assignment, which, built_.engine);
  CallResult result =
      run_case(*worker_, loaded_.at(which.type), bench_.assignment, *data, mode, blame_, given);
  if (!worker_->alive() || std::ranges::any_of(result.causes, spoils)) replace();
  return result;
}

// Blocks that wait for one another in loops take many times as long when they are watched, and ever longer
// the more there are.
bool VersionWorker::takes_too_long_watched(std::chrono::milliseconds limit) const {
  // Exponent of the growth; a chain of 49 to 146 blocks: 2 (2026-11-26, this simulator).
  constexpr double kGrowth = 2;
  constexpr double kAffordable = 0.25;  // of the time limit
  constexpr std::uint64_t kAlwaysWatched =
      65'537;  // elements; smaller calls last as long as it takes to begin
  const auto& [seconds, n] = slowest_watched_;
  const double times = static_cast<double>(last_->which.n) / static_cast<double>(std::max(n, kAlwaysWatched));
  return times > 1 &&
         seconds * std::pow(times, kGrowth) > kAffordable * std::chrono::duration<double>(limit).count();
}

template <class Ask>
CallResult VersionWorker::timed(wire::RunMode mode, Ask ask) {
  const auto given = limit();
  mode.launch_seconds = launch_seconds(given);
  // Every call on the simulator is watched, so that no call is one in which a defect goes unseen.
  const bool affordable = !takes_too_long_watched(given);
  if (built_.engine == Engine::simulator && affordable) mode.check_accesses = true;
  mode.count_work = mode.count_work && affordable;
  const auto start = std::chrono::steady_clock::now();
  CallResult result = ask(mode, given);
  has_counted_ = has_counted_ || mode.count_work;
  if (mode.check_accesses)
    slowest_watched_ = std::max(slowest_watched_, std::pair(seconds_since(start), last_->which.n));
  return after_call(std::move(result), given, std::chrono::steady_clock::now() - start);
}

class VersionWorker::Tried final : public TriedVersion {
 public:
  Tried(VersionWorker& version, std::string type) : version_(version), type_(std::move(type)) {}
  WorkerClient& worker() override { return *version_.worker_; }
  const Loaded& loaded() override { return version_.loaded_.at(type_); }
  bool renew() override {
    version_.replace();
    return !version_.prepare(type_).has_value();
  }
  [[nodiscard]] bool can_be_changed() const override {
    const GradingContext& bench = version_.bench_;
    const Engine engine = version_.built_.engine;
    return bench.libraries != nullptr && bench.shape.ranks == nullptr && bench.shape.devices == 1 &&
           (engine == Engine::simulator || engine == Engine::host);
  }
  std::unique_ptr<TriedVariants> variants(std::size_t part,
                                          const std::vector<source_edits::Origin>& seen) override {
    const bool slow =
        version_.built_.versions.at(type_).uses_thrust || Libraries::takes_long(version_.blame_.file->text);
    if (slow && part > 1) return nullptr;
    if (part == 0) {
      parts_.emplace(
          VariantSource{*version_.bench_.libraries, version_.built_.engine, version_.version_, type_,
                        flattened(version_.blame_), contract_of(version_.bench_, version_.built_.engine),
                        version_.blame_.submission->given, version_.built_.adapters.at(type_),
                        version_.limit()},
          *this, seen);
    }
    return parts_ ? parts_->load(part) : nullptr;
  }
  KnownChange* known_change() override { return &version_.known_change_; }

 private:
  VersionWorker& version_;
  std::string type_;
  std::optional<VariantParts> parts_;
};

namespace {

// Returns true if the optimisation of the code decides on the counter: variants are built without it.
bool depends_on_optimisation(WorkCounter counter) {
  return counter == WorkCounter::instructions_a_value || counter == WorkCounter::span ||
         counter == WorkCounter::library_share || counter == WorkCounter::real_operations_a_value;
}

// What a change that cures the outputs of a version must keep besides: its limits of work.
void add_limits(const GradingContext& bench, const std::string& version, const std::string& type,
                Demands& demands) {
  constexpr std::uint64_t kLargestCounted = std::uint64_t{1} << 21;  // elements; larger calls take too long
  const VersionRule* rule = bench.course.rubric.find(version);
  if (rule == nullptr || rule->work.empty() || demands.holds) return;
  const Case counted =
      work_case(bench.course.rubric, bench.assignment, *rule, bench.course.focus, bench.seed);
  // Variants are built for the type of the failing call alone.
  if (counted.n > kLargestCounted || counted.type != type) return;
  demands.counted = counted;
  demands.keeps = [rule, n = counted.n](const DeviceWork& work) {
    return std::ranges::all_of(rule->work, [&](const WorkLimit& limit) {
      const double value = value_of(limit.counter, work, n);
      // Code that is not optimised loads some values twice.
      return depends_on_optimisation(limit.counter) || limit.holds(limit.at_least ? value : value / 2);
    });
  };
}

}  // namespace

std::optional<Cause> VersionWorker::explain(const Case& which, const Cause& cause, const Demands& demands) {
  const TraceSpan span("explain", version_);
  const bool by_changes = spoils(cause) || demands.any();
  if (by_changes && known_change_.sought && !known_change_.found) return std::nullopt;
  if (prepare(which.type)) return std::nullopt;
  Tried tried(*this, which.type);
  const ExperimentLimits limits{.call = limit(),
                                .all = kExperiments,
                                .sizes = sizes_to_try(bench_.course.rubric, bench_.assignment, which),
                                .full_tiles = full_tiles_of(bench_.course.rubric, bench_.assignment)};
  Demands all = demands;
  add_limits(bench_, version_, which.type, all);
  auto better = by_changes
                    ? explain_by_changes(tried, bench_.assignment, which, cause, blame_, limits, all)
                    : explain_wrong_answer(tried, bench_.assignment, which, cause, blame_, limits, all);
  replace();
  return better;
}

CallResult VersionWorker::after_call(CallResult result, std::chrono::milliseconds limit,
                                     std::chrono::steady_clock::duration took) {
  add_once(remarks_, std::vector<Cause>(result.remarks));
  for (Cause& cause : result.causes) {
    // The simulator detects a loop that does not change any state at once; such a call has not used up time.
    const bool waited = never_ends(cause) && took >= std::chrono::seconds(1);
    if ((cause.kind != CauseKind::timed_out && !waited) || bench_.time == nullptr) continue;
    bench_.time->timed_out(version_);
    if (limit < bench_.course.rubric.limits.call) {
      cause.message += fmt::format(
          ". The limit is {} s at first; it was lower for this call, because earlier calls of this "
          "submission had not returned either, or most of its total time was used up",
          std::chrono::duration<double>(bench_.course.rubric.limits.call).count());
    }
  }
  never_ends_ = never_ends_ || std::ranges::any_of(result.causes, never_ends);
  // An MPI deadlock is detected before the time limit, but each repetition would wait again: count it as a
  // call that never ends.
  if (const auto ranks = worker_->last_ranks(); ranks && ranks->end == wire::RanksEnd::deadlock) {
    never_ends_ = true;
    if (bench_.time != nullptr) bench_.time->does_not_end(version_);
  }
  if (!worker_->alive() || std::ranges::any_of(result.causes, spoils)) {
    replace();
    ++spoiled_in_vain_;
  }
  return result;
}

}  // namespace warpmark::judge
