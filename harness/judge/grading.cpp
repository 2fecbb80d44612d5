#include "harness/judge/grading.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <fnmatch.h>

#include "harness/base/parallel.h"
#include "harness/judge/cases/causes.h"
#include "harness/judge/score.h"
#include "harness/judge/speed/fast_check.h"

namespace warpmark::judge {
namespace {

// How long to wait for other gradings on the same GPU; one takes seconds.
constexpr auto kLockLimit = std::chrono::minutes(10);

bool has(const VersionRule& version, const std::string& check) {
  return std::find(version.checks.begin(), version.checks.end(), check) != version.checks.end();
}

// A word as a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:+=@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  const bool control =
      std::any_of(word.begin(), word.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (control) {
    std::string text = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < ' ' || byte == 0x7f || c == '\'' || c == '\\') {
        text += fmt::format("\\x{:02x}", byte);
      } else {
        text += c;
      }
    }
    return text + "'";
  }
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// A check that this machine has no memory or descriptors for costs itself only.
template <class Check>
CheckOutcome guarded(const Check& check) {
  try {
    return check();
  } catch (const std::exception& error) {
    return {{make_cause(CauseKind::internal,
                        fmt::format("the machine gave out: {}; is there memory for an input of "
                                    "this size?",
                                    error.what()))},
            0};
  }
}

// What an earlier check's causes mean for a later one: a failure makes it `depends`, a lack of the machine or
// a fault of ours stays what it is.
std::vector<Cause> after(const std::vector<Cause>& earlier, const char* check) {
  if (earlier.empty()) return {};
  CheckResult settled;
  settled.causes = earlier;
  settle(settled, 1);
  if (settled.verdict == Verdict::failed) {
    return {make_cause(CauseKind::depends, fmt::format("not run, because `{}` failed", check))};
  }
  return {settled.causes.front()};
}

// Whether a version that is not correct is worth a call in the audit of the upload: it runs, and it ends.
bool can_be_audited(const Cause& cause) {
  using enum CauseKind;
  static constexpr std::array never{timed_out, endless_loop, deadlock};
  return rule_of(cause.kind).verdict == Verdict::failed &&
         std::find(never.begin(), never.end(), cause.kind) == never.end();
}

}  // namespace

Grading::Grading(const Installation& installation, const GradeOptions& options, const Rubric& rubric,
                 const Assignment& assignment, const Submission& submission, const Engines& engines,
                 Engine main, std::uint64_t seed)
    : installation_(installation),
      options_(options),
      rubric_(rubric),
      submission_(submission),
      engines_(engines),
      main_(main),
      jobs_(options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency())),
      bench_{installation_, rubric_, assignment, submission_, options.focus, seed},
      lock_(installation.locks, main == Engine::gpu ? engines.devices.at(Engine::gpu).uuid : std::string()) {}

Grade Grading::run() {
  const auto start = std::chrono::steady_clock::now();
  Libraries libraries({installation_, rubric_, submission_, engines_, main_, options_.cache, jobs_,
                       [this](const VersionRule& version) { return runs(version); }, wanted_upload(),
                       [this](const std::string& line) { say(line); }});
  std::future<FastPreparation> prepared;
  if (main_ == Engine::gpu && wanted_speeds() > 0) {
    prepared = std::async(std::launch::async, [&] { return prepare_speeds(libraries); });
  }
  build_and_check(libraries);
  bench_.cases->clear();
  if (wanted_upload()) check_the_upload(libraries);
  check_speeds(libraries, std::move(prepared));
  lock_.release();
  Grade grade = assemble();
  grade.seconds = seconds_since(start);
  return grade;
}

// Several compilers and workers at a time, because nothing is timed here. Whoever waits for a library waits
// for somebody who builds it: all of them are taken before the first check.
void Grading::build_and_check(Libraries& libraries) {
  std::vector<const VersionRule*> versions;
  for (const VersionRule& version : rubric_.versions) {
    if (runs(version)) versions.push_back(&version);
  }
  std::stable_partition(versions.begin(), versions.end(), [&](const VersionRule* version) {
    return !Libraries::takes_long(submission_.files.at(version->name).text);
  });
  const auto step = [&](std::size_t i) {
    if (i < libraries.count()) {
      libraries.build_one(i);
      return;
    }
    const VersionRule& version = *versions[i - libraries.count()];
    libraries.wait_for(version.name);
    lock_for_computing();
    check_version(libraries, version);
  };
  try {
    in_parallel(libraries.count() + versions.size(), jobs_, step);
  } catch (...) {
    libraries.give_up();  // the preparation of `fast` may still wait for some
    throw;
  }
}

void Grading::lock_for_computing() {
  std::call_once(locked_, [&] { static_cast<void>(lock(DeviceLock::Use::computing)); });
}

FastPreparation Grading::prepare_speeds(const Libraries& libraries) {
  libraries.wait_for_course();
  lock_for_computing();
  course_ = {libraries.naive(), libraries.sweep().library};
  const auto trouble = libraries.trouble_with_course();
  if (!trouble.empty()) return {tl::unexpected(trouble.front()), {}};
  return prepare_fast(bench_, course_, wanted_speeds(), jobs_);
}

std::size_t Grading::wanted_speeds() const {
  return static_cast<std::size_t>(
      std::count_if(rubric_.versions.begin(), rubric_.versions.end(),
                    [&](const VersionRule& version) { return wanted(version, "fast"); }));
}

void Grading::say(const std::string& line) const {
  if (options_.progress) options_.progress(line);
}

std::string Grading::id_of(const std::string& version, const std::string& check) const {
  return fmt::format("{}.{}.{}", rubric_.assignment, version, check);
}

std::string Grading::upload_id() const {
  return rubric_.assignment + ".upload_once";
}

// The glob may match the whole id, the id without the assignment, or the version alone.
bool Grading::wanted(const std::string& id) const {
  const std::string short_id = id.substr(rubric_.assignment.size() + 1);
  const std::string version = short_id.substr(0, short_id.find('.'));
  const auto matches = [&](const std::string& text) {
    return ::fnmatch(options_.only.c_str(), text.c_str(), 0) == 0;
  };
  return matches(id) || matches(short_id) || matches(version);
}

bool Grading::wanted(const VersionRule& version, const std::string& check) const {
  return has(version, check) && wanted(id_of(version.name, check));
}

bool Grading::wanted_upload() const {
  return !rubric_.upload.empty() && wanted(upload_id());
}

bool Grading::runs(const VersionRule& version) const {
  return wanted_upload() || std::any_of(version.checks.begin(), version.checks.end(),
                                        [&](const std::string& check) { return wanted(version, check); });
}

std::string Grading::again(const std::string& id, const Cause& cause) const {
  std::string command =
      fmt::format("./warpmark grade {} --only {}", quoted(options_.submission.string()), quoted(id));
  if (!options_.assignment.empty()) command += " --assignment " + quoted(options_.assignment);
  if (options_.engine) command += fmt::format(" --engine {}", name_of(*options_.engine));
  if (!options_.rubric.empty()) command += " --rubric " + quoted(options_.rubric.string());
  if (!cause.type.empty() && id != upload_id()) command += " --type " + cause.type;
  if (cause.n) command += fmt::format(" --size {}", *cause.n);
  if (!cause.seed.empty()) command += " --seed " + cause.seed;
  return command;
}

void Grading::record(const std::string& id, Engine engine, CheckOutcome found) {
  for (Cause& cause : found.causes) {
    if (rule_of(cause.kind).verdict == Verdict::failed) cause.again = again(id, cause);
  }
  const std::scoped_lock lock(mutex_);
  outcomes_.insert_or_assign(id, Outcome{std::move(found), engine});
}

std::vector<Cause> Grading::obstacles(const SubmittedFile& file, const BuiltTypes& built) const {
  if (!file.causes.empty()) return file.causes;
  if (!engines_.has(built.engine)) return {engines_.missing.at(built.engine)};
  return built.causes();
}

// Why the simulator decides, and so nothing is known about `what`.
Cause Grading::no_gpu_for(const char* what) const {
  const auto why = engines_.missing.find(Engine::gpu);
  if (why != engines_.missing.end()) return why->second;
  return make_cause(CauseKind::no_gpu, fmt::format("the simulator was asked for, and {} needs a GPU", what));
}

void Grading::check_version(const Libraries& libraries, const VersionRule& version) {
  const BuiltTypes built = libraries.version(main_, version.name);
  auto obstructed = obstacles(submission_.files.at(version.name), built);
  if (obstructed.empty() && version.gpu_only && main_ != Engine::gpu) {
    obstructed = {no_gpu_for("this version")};
  }
  record(id_of(version.name, "builds"), main_, {obstructed, built.seconds()});
  const auto blocked = after(obstructed, "builds");

  if (has(version, "correct") && (wanted(version, "correct") || wanted(version, "fast") || wanted_upload())) {
    CheckOutcome found{blocked, 0};
    if (blocked.empty()) {
      found = guarded([&] { return check_correct(bench_, version.name, built); });
      say(fmt::format("{}.correct: {}", version.name, found.causes.empty() ? "passed" : "not passed"));
    }
    record(id_of(version.name, "correct"), main_, std::move(found));
  }
  if (wanted(version, "clean")) {
    record(id_of(version.name, "clean"), Engine::simulator,
           blocked.empty() ? clean(libraries, version) : CheckOutcome{blocked, 0});
  }
}

CheckOutcome Grading::clean(const Libraries& libraries, const VersionRule& version) const {
  if (!engines_.has(Engine::simulator)) return {{engines_.missing.at(Engine::simulator)}, 0};
  const BuiltTypes built = libraries.version(Engine::simulator, version.name);
  auto causes = built.causes();
  if (!causes.empty()) {
    // The main engine built it: what clang does not take is not the student's fault.
    for (Cause& cause : causes) {
      if (cause.kind != CauseKind::compile_error) continue;
      cause.message = "the simulator's compiler does not take what nvcc takes: " + cause.message;
      cause.kind = CauseKind::unsupported;
    }
    return {std::move(causes), 0};
  }
  auto found = guarded([&] { return check_clean(bench_, version.name, built); });
  say(fmt::format("{}.clean: {}", version.name, found.causes.empty() ? "passed" : "not passed"));
  return found;
}

void Grading::check_the_upload(const Libraries& libraries) {
  const BuiltTypes upload = libraries.upload();
  CheckOutcome found{obstacles(submission_.files.at(rubric_.upload), upload), upload.seconds()};
  if (found.causes.empty()) {
    std::map<std::string, BuiltTypes> correct;
    std::map<std::string, BuiltTypes> others;
    for (const VersionRule& version : rubric_.versions) {
      const auto outcome = outcomes_.find(id_of(version.name, "correct"));
      if (outcome == outcomes_.end()) continue;
      const auto& causes = outcome->second.found.causes;
      if (causes.empty()) {
        correct[version.name] = libraries.version(main_, version.name);
      } else if (std::all_of(causes.begin(), causes.end(), can_be_audited)) {
        others[version.name] = libraries.version(main_, version.name);
      }
    }
    UploadOutcome audited;
    audited.outcome = guarded([&] {
      audited = check_upload(bench_, upload, correct, others);
      return audited.outcome;
    });
    say(fmt::format("upload_once over {} versions: {}", correct.size() + others.size(),
                    audited.outcome.causes.empty() ? "passed" : "not passed"));
    found = std::move(audited.outcome);
    transfers_ = std::move(audited.transfers);
    launches_ = std::move(audited.launches);
  }
  record(upload_id(), main_, std::move(found));
}

bool Grading::lock(DeviceLock::Use use) {
  return lock_.acquire(use, std::chrono::steady_clock::now() + kLockLimit,
                       [&] { say("waiting for another grading that uses the GPU"); });
}

// One at a time, with nothing else on the GPU.
void Grading::check_speeds(const Libraries& libraries, std::future<FastPreparation> prepared) {
  std::vector<FastRequest> requests;
  for (const VersionRule& version : rubric_.versions) {
    if (!wanted(version, "fast")) continue;
    auto obstructed = obstacles_to_timing(libraries, version);
    if (obstructed.empty()) {
      requests.push_back({&version, libraries.version(main_, version.name)});
    } else {
      record(id_of(version.name, "fast"), Engine::gpu, {std::move(obstructed), 0});
    }
  }
  if (requests.empty()) return;
  const auto record_all = [&](const Cause& cause) {
    for (const FastRequest& request : requests)
      record(id_of(request.rule->name, "fast"), Engine::gpu, {{cause}, 0});
  };
  if (!lock(DeviceLock::Use::measuring)) {
    record_all(make_cause(CauseKind::noise,
                          "other gradings used the GPU all the time; grade again when they are done"));
    return;
  }
  FastOutcomes timed;
  const CheckOutcome whole = guarded([&] {
    timed = check_fast(bench_, requests, prepared.get(), jobs_,
                       [&](const FastRequest& request, const FastOutcome& found) {
                         if (!found.measurement) return;
                         say(fmt::format("{}.fast: {:.2f} times, {:g} asked", request.rule->name,
                                         found.measurement->speedup, request.rule->speedup));
                       });
    return CheckOutcome{};
  });
  if (!whole.causes.empty()) {
    record_all(whole.causes.front());
    return;
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    FastOutcome& found = timed.versions[i];
    if (found.measurement) add(std::move(*found.measurement));
    record(id_of(requests[i].rule->name, "fast"), Engine::gpu, std::move(found.outcome));
  }
  timing_ = std::move(timed.timing);
}

std::vector<Cause> Grading::obstacles_to_timing(const Libraries& libraries,
                                                const VersionRule& version) const {
  for (const char* earlier : {"builds", "correct"}) {
    const auto outcome = outcomes_.find(id_of(version.name, earlier));
    if (outcome == outcomes_.end()) continue;
    if (auto blocked = after(outcome->second.found.causes, earlier); !blocked.empty()) return blocked;
  }
  if (main_ != Engine::gpu) return {no_gpu_for("a speedup")};
  return libraries.trouble_with_course();
}

// Puts a measurement in proportion to the one before it and to the device's peak.
void Grading::add(Measurement measurement) {
  if (!measurements_.empty()) measurement.over_previous = measurement.speedup / measurements_.back().speedup;
  const double peak = engines_.devices.at(Engine::gpu).peak_gb_per_s;
  if (peak > 0) measurement.percent_of_peak = 100 * measurement.gb_per_s / peak;
  measurements_.push_back(std::move(measurement));
}

CheckResult Grading::result_of(const std::string& id, const std::string& version, const std::string& check,
                               double worth) const {
  CheckResult result;
  result.id = id;
  result.version = version;
  result.check = check;
  const auto outcome = outcomes_.find(id);
  if (outcome == outcomes_.end()) {
    result.causes = {make_cause(CauseKind::internal, "the check was planned but never carried out")};
  } else {
    result.engine = outcome->second.engine;
    result.causes = outcome->second.found.causes;
    result.notes = outcome->second.found.notes;
    result.seconds = outcome->second.found.seconds;
  }
  settle(result, worth);
  return result;
}

Grade Grading::assemble() {
  Grade grade;
  grade.assignment = rubric_.assignment;
  grade.submission_name = submission_.name;
  grade.submission_hash = submission_.hash;
  grade.tool_version = WARPMARK_VERSION;
  for (const auto& [engine, toolchain] : engines_.toolchains) {
    if (engine == Engine::gpu && main_ != Engine::gpu) continue;
    const Device& device = engines_.devices.at(engine);
    grade.engines.push_back({engine, device.name, toolchain.description, device.peak_gb_per_s});
  }
  for (const VersionRule& version : rubric_.versions) {
    for (const std::string& check : version.checks) {
      if (!wanted(version, check)) continue;
      grade.checks.push_back(
          result_of(id_of(version.name, check), version.name, check, version.points.at(check)));
      const auto outcome = outcomes_.find(id_of(version.name, check));
      if (outcome != outcomes_.end() && outcome->second.found.counted) {
        grade.counters.push_back(*outcome->second.found.counted);
      }
    }
  }
  if (wanted_upload()) {
    grade.checks.push_back(result_of(upload_id(), "", "upload_once", rubric_.upload_once.points));
  }
  grade.measurements = std::move(measurements_);
  grade.timing = std::move(timing_);
  grade.transfers = std::move(transfers_);
  grade.launches = std::move(launches_);
  earn_together(grade.checks);
  grade.score = score_of(grade.checks);
  grade.exit_status = exit_status_of(grade.checks);
  return grade;
}

}  // namespace warpmark::judge
