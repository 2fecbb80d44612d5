#include "harness/judge/grading.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <future>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "harness/base/parallel.h"
#include "harness/base/trace.h"
#include "harness/build/compiled_code.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/host_clean_check.h"
#include "harness/judge/checks/work_check.h"
#include "harness/judge/consequences.h"
#include "harness/judge/intake/same_code.h"
#include "harness/judge/kept.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

std::vector<std::string> names_of_run(const Course& course, const Selection& selection) {
  std::vector<std::string> names;
  for (const VersionRule& version : course.rubric.versions) {
    if (selection.runs(version)) names.push_back(version.name);
  }
  return names;
}

}  // namespace

Grading::Grading(const Installation& installation, const GradeOptions& options, const Course& course,
                 const Assignment& assignment, const Submission& submission, const Engines& engines,
                 Engine main, std::uint64_t seed)
    : installation_(installation),
      options_(options),
      course_(course),
      submission_(submission),
      engines_(engines),
      main_(main),
      jobs_(options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency())),
      bench_{installation_, course_, assignment, submission_, seed},
      selection_(course_),
      outcomes_([this](const CheckKey& key, const Cause& cause) {
        return command_again(options_, course_.rubric.assignment, key, cause);
      }),
      audit_bench_(bench_),
      timings_(names_of_run(course_, selection_)),
      lock_(installation.locks, main == Engine::gpu ? engines.devices.at(Engine::gpu).uuid : std::string()),
      cores_lock_(installation.locks, "host") {}

Grade Grading::run() {
  const auto start = std::chrono::steady_clock::now();
  const TraceSpan span("other", "grade");
  Libraries libraries({installation_, course_.rubric, submission_, engines_, main_, options_.cache, jobs_,
                       [this](const VersionRule& version) { return selection_.runs(version); },
                       selection_.wants_upload(), [this](const std::string& line) { say(line); }});
  // The preparation uses the libraries until it is done.
  using Preparation = BegunEarly<FastPreparation>;
  const std::unique_ptr<Preparation, void (*)(Preparation*)> ends(
      &preparation_, [](Preparation* preparation) { preparation->wait(); });
  if (main_ == Engine::gpu && wanted_speeds(Engine::gpu) > 0 && !course_.obstacle_to_fast()) {
    preparation_.begin([&] { return prepare_speeds(libraries, Engine::gpu, false); });
  }
  build_and_check(libraries);
  bench_.cases->clear();
  if (!options_.ignores_same_code) note_same_code(libraries);
  if (selection_.wants_upload()) check_the_upload(libraries);
  check_speeds(libraries, Engine::gpu);
  preparation_.drop();  // ends the workers if nothing was left to time
  check_speeds(libraries, Engine::host);
  Grade grade = outcomes_.assemble(course_, submission_, engines_, main_);
  grade.seconds = seconds_since(start);
  grade.graded_at = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  grade.seed = fmt::format("{:#x}", bench_.seed);
  grade.rubric =
      fmt::format("{} ({})", course_.rubric.title,
                  options_.rubric.empty() ? "the course's own" : options_.rubric.filename().string());
  grade.sandbox = sandbox::name_of(installation_.sandbox);
  return grade;
}

// Builds a submission's libraries and runs all checks that time nothing, with several compilers and worker
// processes in parallel. A version is checked as soon as its libraries are built, and before other builds
// begin: first results appear early.
void Grading::build_and_check(Libraries& libraries) {
  struct Step {
    std::function<void()> run;
    std::function<bool()> is_ready = [] { return true; };
  };
  std::vector<Step> steps;
  const auto add_builds = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      steps.push_back({[this, &libraries, i] {
        timings_.build_begins();
        libraries.build_one(i);
      }});
  };
  const std::vector<Case> inputs = inputs_to_make_ahead();
  const auto add_inputs = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      steps.push_back({[this, &input = inputs[i]] { bench_.cases->get(bench_.assignment, input, main_); }});
  };
  // The course's own code, which makes expected answers, is compiled with the first.
  const std::size_t first_inputs = std::min<std::size_t>(inputs.size(), 1);
  add_inputs(0, first_inputs);
  add_builds(0, libraries.urgent());
  add_inputs(first_inputs, inputs.size());
  if (selection_.wants_upload())
    steps.push_back({[this, &libraries] { begin_audits(libraries); },
                     [this, &libraries] { return libraries.are_built_for(course_.rubric.upload); }});
  std::size_t versions = 0;
  for (const VersionRule& version : course_.rubric.versions) {
    if (!selection_.runs(version)) continue;
    ++versions;
    steps.push_back({[this, &libraries, &version] {
                       check_version(libraries, version);
                       if (are_audits_open_) audit(libraries, version);
                       timings_.is_checked(version.name);
                     },
                     [&libraries, &version] { return libraries.are_built_for(version.name); }});
  }
  // What is left then are the slow builds of Thrust and CUB, for which the GPU would wait.
  if (preparation_.has_begun())
    steps.push_back({[this, &libraries] { measure_during_builds(libraries); },
                     [this, &libraries] {
                       return timings_.only_builds_are_left(libraries.count(), [&](const std::string& name) {
                         return libraries.are_built_for(name);
                       });
                     }});
  add_builds(libraries.urgent(), libraries.count());
  const auto& limits = course_.rubric.limits;
  bench_.time =
      std::make_shared<TimeBudget>(TimeBudget::Limits{limits.submission, limits.call, versions, jobs_});
  time_beside_gpu_ =
      std::make_shared<TimeBudget>(TimeBudget::Limits{limits.submission, limits.call, versions, jobs_});
  audit_bench_.time =
      std::make_shared<TimeBudget>(TimeBudget::Limits{limits.submission, limits.call, versions + 1, jobs_});
  try {
    in_parallel_when_ready(
        steps.size(), jobs_, [&](std::size_t i) { return steps[i].is_ready(); },
        [&](std::size_t i) { steps[i].run(); });
  } catch (...) {
    libraries.give_up();  // wakes up the thread in prepare_speeds(), which may still be waiting for a library
    throw;
  }
}

// Versions run side by side through the same inputs, so one thread would make each while the others wait.
std::vector<Case> Grading::inputs_to_make_ahead() const {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 18;  // elements; smaller inputs take milliseconds
  const bool wanted = std::ranges::any_of(course_.rubric.versions, [&](const VersionRule& version) {
    return !version.host && selection_.wants(version, Check::correct) &&
           submission_.files.at(version.name).causes.empty();
  });
  if (main_ != Engine::gpu || !wanted) return {};
  auto inputs = correct_cases(course_.rubric, bench_.assignment, main_, course_.focus, bench_.seed);
  std::erase_if(inputs, [](const Case& which) { return which.n < kLeast; });
  std::ranges::stable_sort(inputs, std::ranges::greater{}, &Case::n);
  return inputs;
}

void Grading::note_same_code(const Libraries& libraries) {
  std::map<std::string, std::string> identities;
  for (const VersionRule& version : course_.rubric.versions) {
    const Counted* counted = outcomes_.counted(version.name);
    if (counted == nullptr) continue;
    const BuiltTypes built = libraries.version(Engine::simulator, version.name);
    const auto library = built.versions.find(counted->type);
    if (library == built.versions.end()) continue;
    if (const auto ptx = build::optimised_ptx_of(library->second.library))
      identities[version.name] = identity_of(*ptx, *counted);
  }
  for (const auto& [version, other] : same_code(submission_, course_.rubric, identities)) {
    const double keeps = course_.rubric.same_code_keeps_percent;
    outcomes_.add_note({version, Check::builds},
                       same_code_note(course_.rubric.file_of(version), course_.rubric.file_of(other), keeps));
  }
}

std::optional<ComputingUse> Grading::use_for(Engine engine) {
  if (engine != Engine::gpu) return std::nullopt;
  return std::optional<ComputingUse>(std::in_place, lock_,
                                     [this] { say("waiting for another grading that measures"); });
}

void Grading::say(const std::string& line) const {
  if (options_.progress) options_.progress(line);
}

std::vector<Cause> Grading::obstacles(const SubmittedFile& file, const BuiltTypes& built) const {
  if (!file.causes.empty()) return file.causes;
  if (!engines_.has(built.engine)) return {engines_.missing.at(built.engine)};
  return built.causes();
}

// Returns the failure reason for a check or option `what` that needs a GPU, in a grading on the simulator:
// why no GPU can be used, or that the user requested the simulator.
Cause Grading::no_gpu_for(const char* what) const {
  const auto why = engines_.missing.find(Engine::gpu);
  if (why != engines_.missing.end()) return why->second;
  return make_cause(CauseKind::no_gpu, fmt::format("the simulator was requested, and {} needs a GPU", what));
}

bool Grading::keep(const VersionRule& version) {
  const Kept* kept = options_.kept.get();
  if (kept == nullptr || main_ == Engine::gpu || !kept->versions.contains(version.name)) return false;
  const Engine decides = version.host ? Engine::host : Engine::simulator;
  const auto toolchain = engines_.toolchains.find(decides);
  const bool same_compiler =
      toolchain != engines_.toolchains.end() &&
      std::ranges::any_of(kept->grade.engines, [&](const EngineUsed& used) {
        return used.engine == decides && used.compiler == toolchain->second.description;
      });
  if (!same_compiler) return false;
  for (const Check check : version.checks) {
    const CheckKey key{version.name, check};
    auto outcome = kept_outcome(*kept, id_of(course_.rubric.assignment, key));
    if (!outcome) return false;
    const Engine engine = version.host           ? Engine::host
                          : check == Check::fast ? Engine::gpu
                                                 : Engine::simulator;
    outcomes_.record(key, engine, std::move(*outcome));
  }
  return true;
}

void Grading::check_version(const Libraries& libraries, const VersionRule& version) {
  if (keep(version)) return;
  const Engine engine = engine_of(version);
  const BuiltTypes built = libraries.version(engine, version.name);
  auto obstructed = obstacles_to_building(libraries, version, built);
  if (obstructed.empty() && version.gpu_only && main_ != Engine::gpu) {
    obstructed = {no_gpu_for("this version")};
  }
  if (obstructed.empty()) obstructed = obstacles_to_ranks(libraries, version);
  outcomes_.record({version.name, Check::builds}, engine, {obstructed, built.seconds()});
  const auto blocked = after(obstructed, Check::builds);
  auto not_correct = blocked;
  const bool wants_correct =
      version.has(Check::correct) &&
      (selection_.wants(version, Check::correct) || selection_.wants(version, Check::work) ||
       selection_.wants(version, Check::fast) || selection_.wants_upload());

  // What runs on the simulator depends on nothing that a GPU finds, and the two use different processors.
  std::shared_future<OnSimulator> beside;
  if (engine == Engine::gpu && !options_.gpu_part && blocked.empty() &&
      (wants_correct || selection_.wants(version, Check::clean)))
    beside = std::async(std::launch::async, [&] { return watched(libraries, version, wants_correct); });
  Elsewhere elsewhere;
  if (beside.valid())
    elsewhere.is_explained = [&](const std::vector<Cause>& failures) {
      return !reasons_in(beside.get(), failures).empty();
    };
  OnSimulator seen;
  std::optional<CheckOutcome> of_sanitizers;
  if (version.host && version.ranks.empty() && blocked.empty() && selection_.wants(version, Check::clean)) {
    elsewhere.of_sanitizers = [&]() -> const std::vector<Cause>& {
      if (!of_sanitizers) of_sanitizers = host_clean(libraries, version);
      return of_sanitizers->causes;
    };
  }
  if (wants_correct) {
    CheckOutcome found{blocked, 0};
    if (blocked.empty()) {
      found = correct(libraries, version, built, elsewhere);
      if (beside.valid()) {
        seen = beside.get();
        found.causes = judged_on_both(std::move(found.causes), seen.correct, seen.clean_or_null(),
                                      [&](CauseKind kind) { return course_.rubric.clean.fails(kind); });
      } else {
        seen.correct.causes = found.causes;
        seen.correct.counted_call = std::move(found.counted_call);
        seen.correct.remarks = std::move(found.remarks);
      }
      not_correct = after(found.causes, Check::correct);
      if (found.sent) {
        const std::scoped_lock lock(sent_mutex_);
        sent_.emplace(version.name, *found.sent);
      }
    }
    outcomes_.record({version.name, Check::correct}, engine, std::move(found));
  }
  if (version.host) {
    if (selection_.wants(version, Check::clean)) {
      if (!of_sanitizers)
        of_sanitizers = blocked.empty() ? host_clean(libraries, version) : CheckOutcome{blocked, 0};
      outcomes_.record({version.name, Check::clean}, engine, std::move(*of_sanitizers));
    }
    return;
  }
  if (selection_.wants(version, Check::clean)) {
    CheckOutcome found{blocked, 0};
    if (blocked.empty()) {
      if (beside.valid()) seen = beside.get();
      if (!seen.clean) seen.clean = clean(libraries, version, seen.correct);
      found = std::move(*seen.clean);
    }
    outcomes_.record({version.name, Check::clean}, Engine::simulator, std::move(found));
  }
  if (selection_.wants(version, Check::work)) {
    const auto work = [&](const GradingContext& bench, const std::string& name, const BuiltTypes& types) {
      return check_work(bench, name, types,
                        seen.correct.counted_call ? &*seen.correct.counted_call : nullptr);
    };
    if (auto obstacle = course_.obstacle_to_work(); obstacle && not_correct.empty())
      not_correct = {*obstacle};
    outcomes_.record({version.name, Check::work}, Engine::simulator,
                     not_correct.empty() ? simulated(libraries, version, Check::work, work)
                                         : CheckOutcome{not_correct, 0});
  }
}

CheckOutcome Grading::correct(const Libraries& libraries, const VersionRule& version, const BuiltTypes& built,
                              const Elsewhere& elsewhere) {
  const BuiltTypes simulated =
      version.host ? BuiltTypes() : libraries.version(Engine::simulator, version.name);
  const auto use = use_for(built.engine);
  const TraceSpan span("correct", version.name);
  auto found = with_each_number_of_ranks(libraries, version, [&](GradingContext bench) {
    bench.is_explained = elsewhere.is_explained;
    bench.of_sanitizers = elsewhere.of_sanitizers;
    return guarded(
        [&] { return check_correct(bench, version.name, built, version.host ? nullptr : &simulated); });
  });
  say(fmt::format("{}.correct: {}", version.name, found.causes.empty() ? "passed" : "not passed"));
  return found;
}

CheckOutcome Grading::host_clean(const Libraries& libraries, const VersionRule& version) const {
  if (bench_.time->has_timed_out(version.name)) {
    return {
        {make_cause(CauseKind::depends,
                    "not run, because a call in `correct` did not return: it would not return here, either")},
        0};
  }
  std::vector<BuiltTypes> watched;
  for (const Engine engine : {Engine::address_sanitizer, Engine::thread_sanitizer}) {
    // MPI libraries are not instrumented, and ThreadSanitizer would report false races in them.
    if (engine == Engine::thread_sanitizer && !version.ranks.empty()) continue;
    if (!engines_.has(engine)) return {{engines_.missing.at(engine)}, 0};
    watched.push_back(libraries.version(engine, version.name));
    auto causes = watched.back().causes();
    if (!causes.empty())
      return {unsupported_by(std::move(causes), "clang with its sanitizers rejects code that g++ accepts"),
              0};
  }
  const GradingContext bench = bench_for(libraries, version, fewest_that_share(version));
  const TraceSpan span("clean", version.name);
  auto found = guarded([&] { return check_host_clean(bench, version.name, watched); });
  say(fmt::format("{}.clean: {}", version.name, found.causes.empty() ? "passed" : "not passed"));
  return found;
}

bool Grading::lock(DeviceLock& lock, DeviceLock::Use use) {
  const TraceSpan span("waiting", "for the lock");
  return lock.acquire(use, std::chrono::steady_clock::now() + kDeviceLockLimit, [&] {
    say(&lock == &lock_ ? "waiting for another grading that uses the GPU"
                        : "waiting for another grading that measures");
  });
}

}  // namespace warpmark::judge
