#include "harness/judge/workers/libraries.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/plain/adapter.h"
#include "harness/base/file.h"
#include "harness/base/parallel.h"
#include "harness/base/trace.h"
#include "harness/build/cache.h"
#include "harness/judge/oracle/generated_source.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAdapterFunction = "warpmark_call";
constexpr const char* kSweepFunction = "warpmark_sweep";
// Least time limit of a file's build, however much of a submission did not end in its time. Versions with
// Thrust take 5 to 20 s.
constexpr std::chrono::milliseconds kLeastBuildLimit{10'000};
constexpr const char* kMpiFunction = "warpmark_mpi_start";
// time after its last use at which the build cache drops a library
constexpr std::chrono::hours kKeptUnused{24 * 30};

// Creates a folder in the build cache, named by content hash, with exactly the headers that the assignment
// gives to students. Returns an empty path if there are none or the cache is not writable, which every build
// reports.
fs::path folder_of_given(const LibrarySettings& settings) {
  std::map<std::string, std::string> texts;
  std::string all;
  for (const fs::path& header : given_headers(settings.rubric.home)) {
    const std::string text = read_file(header).value_or("");
    all += fmt::format("{} {}\n", header.filename().string(), sha256(text));
    texts[header.filename().string()] = text;
  }
  if (texts.empty()) return {};
  fs::path folder = fs::absolute(settings.cache) / "given" / sha256(all);
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [name, text] : texts) {
    if (read_file(folder / name).value_or("") != text && !write_file(folder / name, text)) return {};
  }
  // Marks the folder in the build cache as recently used, so that trim_cache() keeps it.
  fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
  return folder;
}

build::Settings settings_of(const LibrarySettings& settings) {
  build::Settings result;
  result.cache = settings.cache;
  result.simulator_include = settings.installation.simulator_headers();
  result.simulator_library = settings.installation.libraries / "libwarpmark_cudart.so";
  result.compile_limit = settings.rubric.limits.build;
  result.sandbox = settings.installation.sandbox;
  result.hidden = {settings.installation.root, settings.installation.programs.parent_path()};
  // "native" would have every run of nvcc start CUDA to ask for it. Several GPUs may be of several kinds.
  if (const auto gpu = settings.engines.devices.find(Engine::gpu);
      gpu != settings.engines.devices.end() && gpu->second.capability != 0 && gpu->second.count == 1)
    result.gpu_architecture = fmt::format("sm_{}", gpu->second.capability);
  return result;
}

}  // namespace

build::Request request_of_mpi_side(const Installation& installation, const Mpi& mpi) {
  const fs::path folder = installation.root / "harness/ranks";
  build::Request request{folder / "mpi_side.cpp", "mpi_side.cpp", {folder}, "", {kMpiFunction}};
  request.flags = mpi.compile_flags;
  request.link_flags = mpi.link_flags;
  return request;
}

std::map<Engine, build::Builder> make_builders(const LibrarySettings& settings) {
  std::map<Engine, build::Builder> builders;
  for (const auto& [engine, toolchain] : settings.engines.toolchains) {
    if (engine != Engine::gpu) builders.emplace(engine, build::Builder(toolchain, settings_of(settings)));
  }
  // nvcc's libraries share what the simulator's need, too.
  const auto simulator = builders.find(Engine::simulator);
  if (const auto gpu = settings.engines.toolchains.find(Engine::gpu);
      gpu != settings.engines.toolchains.end())
    builders.emplace(Engine::gpu, build::Builder(gpu->second, settings_of(settings),
                                                 simulator == builders.end() ? nullptr : &simulator->second));
  return builders;
}

build::Request request_of_adapter(const Installation& installation, const Rubric& rubric,
                                  const fs::path& cache, bool host, const std::string& type) {
  const fs::path& folder = rubric.home.folder;
  const fs::path source =
      rubric.plain ? generated_source(cache, plain::adapter_of(*rubric.plain, host, rubric.host.contract),
                                      host ? ".cpp" : ".cu")
                   : folder / (host ? "adapter_host.cpp" : "adapter.cu");
  build::Request request{
      source, "adapter", {folder, installation.root / "harness/worker"}, type, {kAdapterFunction}};
  request.trusted = true;
  return request;
}

std::vector<Cause> BuiltTypes::causes() const {
  std::vector<Cause> causes;
  for (const auto& [type, built] : versions) add_once(causes, built.causes);
  // A compile error that occurs with every element type is reported without a type.
  const bool all = std::all_of(versions.begin(), versions.end(),
                               [](const auto& entry) { return !entry.second.causes.empty(); });
  for (Cause& cause : causes) {
    if (all) cause.type.clear();
  }
  return causes;
}

double BuiltTypes::seconds() const {
  double seconds = 0;
  for (const auto& [type, built] : versions) seconds += built.seconds;
  return seconds;
}

Libraries::Libraries(LibrarySettings settings)
    : settings_(std::move(settings)), main_(settings_.main), given_(folder_of_given(settings_)) {
  plan();
  std::ranges::stable_sort(
      jobs_, {}, [](const Job& job) { return std::tuple(job.when, job.place, job.engine == Engine::gpu); });
  builders_ = settings_.builders != nullptr ? *settings_.builders : make_builders(settings_);
  for (const Job& job : jobs_) ++missing_[job.request.exports.front()];
}

void Libraries::add(Engine engine, ByType& into, const build::Request& request,
                    const std::vector<std::string>& types, When when, std::size_t place) {
  for (const std::string& type : types) {
    jobs_.push_back({request, engine, &into[type], when, place});
    jobs_.back().request.value_type = type;
  }
}

// Returns the include path of a submission. The student's files take precedence over the given headers.
std::vector<fs::path> Libraries::include_folders() const {
  std::vector<fs::path> folders{settings_.rubric.home.folder, settings_.submission.folder};
  if (!given_.empty()) folders.push_back(given_);
  return folders;
}

// Returns the libraries and files that a kernel file or the upload function may use and include.
build::SubmissionRules Libraries::rules_for(const std::string& function) const {
  build::SubmissionRules rules;
  if (const VersionRule* version = settings_.rubric.find(function)) {
    rules.libraries = version->uses;
    rules.libraries.insert(rules.libraries.end(), version->libraries.begin(), version->libraries.end());
  }
  for (const auto& [name, file] : settings_.submission.files) {
    if (name != function) rules.other_versions.push_back(file.name);
  }
  return rules;
}

// Returns true if a kernel file must be built for an engine.
bool Libraries::is_wanted(Engine engine, const VersionRule& version) const {
  if (version.host != is_host(engine) || !settings_.submission.files.at(version.name).causes.empty() ||
      !settings_.wanted_version(version) || (!version.ranks.empty() && !settings_.engines.mpi))
    return false;
  // MPI libraries are not instrumented, and ThreadSanitizer would report false races in them.
  if (!version.ranks.empty() && engine == Engine::thread_sanitizer) return false;
  if (version.host) return engine == Engine::host || version.has(Check::clean);
  // What a GPU does not record is decided on the simulator, whichever checks the version has.
  return engine == Engine::simulator ? !version.gpu_only : engine == main_;
}

void Libraries::plan_versions(Engine engine) {
  const Rubric& rubric = settings_.rubric;
  bool any = false;
  for (const VersionRule& version : rubric.versions) {
    if (!is_wanted(engine, version)) continue;
    any = true;
    const SubmittedFile& file = settings_.submission.files.at(version.name);
    build::Request request{file.path, file.name, include_folders(), "", {version.name}};
    request.libraries = version.libraries;
    if (!version.ranks.empty()) {
      request.flags = settings_.engines.mpi->compile_flags;
      request.link_flags = settings_.engines.mpi->link_flags;
    }
    // A sanitizer adds symbols of its own, so only the build without sanitizers is checked against the rules.
    if (!is_sanitizer(engine)) request.rules = rules_for(version.name);
    add(engine, versions_[{engine, version.name}], request, rubric.types,
        takes_long(file.text) ? When::first : When::last,
        static_cast<std::size_t>(&version - rubric.versions.data()));
  }
  if (any || (engine == main_ && settings_.wanted_upload)) {
    add(engine, adapters_[engine],
        request_of_adapter(settings_.installation, rubric, settings_.cache, is_host(engine), ""),
        rubric.types);
  }
}

bool Libraries::speed_is_wanted(bool of_host) const {
  return std::ranges::any_of(settings_.rubric.versions, [&](const VersionRule& version) {
    return version.host == of_host && version.has(Check::fast) && settings_.wanted_version(version);
  });
}

void Libraries::plan_course(Engine engine, const std::string& naive, const std::string& type) {
  const Rubric& rubric = settings_.rubric;
  const fs::path root = settings_.installation.root;
  const fs::path& contract = rubric.home.folder;
  const fs::path& course = rubric.home.reference;
  const std::string file = rubric.file_of(naive);
  add(engine, naive_[engine], {course / file, file, {contract, course}, "", {naive}}, {type});
  const std::string sweep = is_host(engine) ? "sweep.cpp" : "sweep.cu";
  jobs_.push_back(
      {{root / "harness/worker" / sweep, sweep, {}, "", {kSweepFunction}}, engine, &sweep_[engine]});
}

// Plans to build the course's own solutions with which students' kernels are compared in speed.
void Libraries::plan_references() {
  const AssignmentHome& home = settings_.rubric.home;
  for (const VersionRule& version : settings_.rubric.versions) {
    const fs::path file = home.reference / version.file();
    std::error_code error;
    if (version.speed_unit != SpeedUnit::reference || !is_wanted(main_, version) || !fs::exists(file, error))
      continue;
    build::Request request{file, version.file(), {home.folder, home.reference}, "", {version.name}};
    request.libraries = version.libraries;
    add(main_, references_[version.name], request, {settings_.rubric.fast.type});
  }
}

// Plans the library that starts MPI ranks. Compiled by the host compiler, whichever engine runs the student's
// code.
void Libraries::plan_ranks() {
  if (!settings_.engines.mpi || !settings_.engines.has(Engine::host)) return;
  const bool wanted = std::ranges::any_of(settings_.rubric.versions, [&](const VersionRule& version) {
    return !version.ranks.empty() && settings_.wanted_version(version);
  });
  if (!wanted) return;
  jobs_.push_back(
      {request_of_mpi_side(settings_.installation, *settings_.engines.mpi), Engine::host, &mpi_side_});
}

// Plans the libraries of all engines that decide checks, including the simulator and the sanitizers for
// `clean`.
void Libraries::plan() {
  const Rubric& rubric = settings_.rubric;
  const Submission& submission = settings_.submission;
  for (const auto& [engine, toolchain] : settings_.engines.toolchains) {
    if (engine != Engine::gpu || main_ == Engine::gpu) plan_versions(engine);
  }
  plan_ranks();
  if (settings_.engines.has(Engine::host) && !rubric.host.naive.empty() && speed_is_wanted(true))
    plan_course(Engine::host, rubric.host.naive, rubric.host.type);
  if (!settings_.engines.has(main_)) return;
  if (settings_.wanted_upload && submission.files.at(rubric.upload).causes.empty()) {
    const SubmittedFile& file = submission.files.at(rubric.upload);
    build::Request request{file.path, file.name, include_folders(), "", {rubric.upload}};
    request.rules = rules_for(rubric.upload);
    add(main_, upload_[main_], request, {rubric.types.front()});
    if (main_ == Engine::gpu && adapters_.contains(Engine::simulator))
      add(Engine::simulator, upload_[Engine::simulator], request, {rubric.types.front()});
  }
  if (main_ == Engine::gpu && !rubric.naive.empty()) plan_course(main_, rubric.naive, rubric.fast.type);
  if (main_ == Engine::gpu) plan_references();
}

// Compile times of nvcc: 11 s for a file with Thrust, 8 s with CUB, 1 to 2 s for others (H200 machine,
// 2026-11-21).
bool Libraries::takes_long(const std::string& source) {
  return source.find("<thrust/") != std::string::npos || source.find("<cub/") != std::string::npos;
}

void Libraries::build() {
  in_parallel(count(), settings_.jobs, [&](std::size_t i) { build_one(i); });
}

void Libraries::build_one(std::size_t number) try {
  const Job& job = jobs_.at(number);
  const TraceSpan span("build", fmt::format("{} {} {}", job.request.display_name, name_of(job.engine),
                                            job.request.value_type));
  // An exception becomes an error of the library's build, so that threads that wait for it are not blocked.
  const auto made = [&]() -> Result<build::Built> {
    try {
      return build_in_time(job);
    } catch (const std::exception& error) {
      return fail(error.what());
    }
  }();
  if (made) {
    *job.result = *made;
  } else {
    job.result->causes = {make_cause(CauseKind::internal, made.error().message)};
  }
  const bool adapter = !job.request.exports.empty() && job.request.exports.front() == kAdapterFunction;
  if (adapter && settings_.rubric.plain && !job.result->causes.empty()) {
    const Cause& cause = job.result->causes.front();
    const plain::Spec& spec = *settings_.rubric.plain;
    if (const auto fault = plain::fault_of_struct(spec, cause.message); !fault.empty())
      throw AssignmentFault(fmt::format("{}:{}: {}", spec.file, plain::line_of_struct(spec, fault), fault));
    throw AssignmentFault(fmt::format("{}: {}{}{}", settings_.rubric.home.rules().string(), cause.message,
                                      cause.details.empty() ? "" : "\n", cause.details));
  }
  built(job);
} catch (...) {
  give_up();
  throw;
}

// A file whose code keeps a compiler busy until its limit is not compiled for other types, and each further
// one leaves the next half of the time: a submission of such files ends in minutes.
Result<build::Built> Libraries::build_in_time(const Job& job) {
  build::Request request = job.request;
  if (request.rules) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = too_long_.find(request.display_name); found != too_long_.end())
      return build::Built{.causes = {found->second}};
    const std::size_t halvings = too_long_.empty() ? 0 : too_long_.size() - 1;
    const auto limit = settings_.rubric.limits.build / (1 << std::min<std::size_t>(halvings, 10));
    request.limit = std::max(limit, std::min(kLeastBuildLimit, settings_.rubric.limits.build));
  }
  auto made = builders_.at(job.engine).build(request);
  if (request.rules && made && !made->causes.empty() && made->causes.front().kind == CauseKind::timed_out) {
    const std::scoped_lock lock(mutex_);
    too_long_.try_emplace(request.display_name, made->causes.front());
  }
  return made;
}

void Libraries::give_up() {
  {
    const std::scoped_lock lock(mutex_);
    given_up_ = true;
    if (!failure_) failure_ = std::current_exception();
  }
  done_.notify_all();
}

void Libraries::built(const Job& job) {
  std::size_t count = 0;
  {
    const std::scoped_lock lock(mutex_);
    --missing_.at(job.request.exports.front());
    count = ++built_;
  }
  done_.notify_all();
  if (!job.result->from_cache) {
    settings_.progress(fmt::format("[{}/{}] {} {} for the {}{} in {:.1f} s", count, jobs_.size(),
                                   job.result->causes.empty() ? "built" : "could not build",
                                   job.request.display_name, name_of(job.engine),
                                   job.request.value_type.empty() ? "" : ", " + job.request.value_type,
                                   job.result->seconds));
  }
  if (count == jobs_.size()) build::trim_cache(settings_.cache, kKeptUnused);
}

std::size_t Libraries::urgent() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(jobs_, [](const Job& job) { return job.when != When::last; }));
}

bool Libraries::are_built_for(const std::string& version) const {
  const VersionRule* rule = settings_.rubric.find(version);
  const bool has_ranks = rule != nullptr && !rule->ranks.empty();
  const std::scoped_lock lock(mutex_);
  return are_built({kAdapterFunction, version, has_ranks ? kMpiFunction : version});
}

bool Libraries::are_built(const std::vector<std::string>& functions) const {
  return std::ranges::all_of(functions, [&](const std::string& function) {
    const auto found = missing_.find(function);
    return found == missing_.end() || found->second == 0;
  });
}

void Libraries::wait_for_course(Engine engine) const {
  const Rubric& rubric = settings_.rubric;
  const std::vector<std::string> functions{kAdapterFunction, kSweepFunction,
                                           is_host(engine) ? rubric.host.naive : rubric.naive};
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return given_up_ || are_built(functions); });
  if (are_built(functions)) return;
  if (failure_) std::rethrow_exception(failure_);
  throw std::runtime_error("the libraries were not built: an earlier step failed");
}

namespace {

std::vector<Cause> as_our_fault(std::vector<Cause> trouble) {
  for (Cause& cause : trouble) {
    cause.message = fmt::format("the course's own {} does not build: {}", cause.file, cause.message);
    cause.kind = CauseKind::internal;
  }
  return trouble;
}

}  // namespace

std::vector<Cause> Libraries::trouble_with_course(Engine engine) const {
  auto trouble = naive(engine).causes();
  add_once(trouble, sweep(engine).causes);
  return as_our_fault(std::move(trouble));
}

std::vector<Cause> Libraries::trouble_with_reference(const VersionRule& version) const {
  const BuiltTypes built = reference(version.name);
  if (!built.versions.empty()) return as_our_fault(built.causes());
  return {
      make_cause(CauseKind::not_calibrated,
                 fmt::format("its speed is compared with the course's own {}, which is not in {}; grade on "
                             "a machine that has the solutions",
                             version.file(), settings_.rubric.home.reference.string()))};
}

BuiltTypes Libraries::with_adapters(Engine engine, const ByType& types) const {
  BuiltTypes built{engine, types, {}};
  const auto adapters = adapters_.find(engine);
  if (adapters == adapters_.end()) return built;
  for (const auto& [type, adapter] : adapters->second) built.adapters[type] = adapter.library;
  return built;
}

BuiltTypes Libraries::version(Engine engine, const std::string& name) const {
  const auto found = versions_.find({engine, name});
  return found == versions_.end() ? BuiltTypes{engine, {}, {}} : with_adapters(engine, found->second);
}

BuiltTypes Libraries::upload(Engine engine) const {
  const auto found = upload_.find(engine);
  return found == upload_.end() ? BuiltTypes{engine, {}, {}} : with_adapters(engine, found->second);
}
BuiltTypes Libraries::naive(Engine engine) const {
  const auto found = naive_.find(engine);
  return with_adapters(engine, found == naive_.end() ? ByType() : found->second);
}
BuiltTypes Libraries::reference(const std::string& version) const {
  const auto found = references_.find(version);
  return found == references_.end() ? BuiltTypes{main_, {}, {}} : with_adapters(main_, found->second);
}

build::Built Libraries::variants(Engine engine, const std::string& version, const std::string& type,
                                 const std::string& source, std::vector<std::string> exports) const {
  const TemporaryFolder folder;
  const SubmittedFile& file = settings_.submission.files.at(version);
  const fs::path path = folder.path() / file.path.filename();
  if (!write_file(path, source)) return {};
  build::Request request{path, file.name, include_folders(), type, std::move(exports)};
  request.quick = true;
  request.flags = is_host(engine) ? std::vector<std::string>{"-w", "-O0"}
                                  : std::vector<std::string>{"-w", "-ferror-limit=0"};
  if (const VersionRule* rule = settings_.rubric.find(version)) request.libraries = rule->libraries;
  return builders_.at(engine).build(request).value_or(build::Built{});
}
const build::Built& Libraries::sweep(Engine engine) const {
  static const build::Built kNone;
  const auto found = sweep_.find(engine);
  return found == sweep_.end() ? kNone : found->second;
}

}  // namespace warpmark::judge
