#include "harness/judge/libraries.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/base/parallel.h"
#include "harness/build/cache.h"
#include "harness/judge/causes.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kKeptUnused{24 * 30};  // of libraries in the cache

build::Settings settings_of(const LibrarySettings& settings) {
  build::Settings result;
  result.cache = settings.cache;
  result.simulator_include = settings.installation.root / "harness/simulator/include";
  result.simulator_library = settings.installation.libraries / "libwarpmark_cudart.so";
  result.compile_limit = settings.rubric.limits.build;
  return result;
}

bool has_clean(const VersionRule& version) {
  return std::find(version.checks.begin(), version.checks.end(), "clean") != version.checks.end();
}

}  // namespace

std::vector<Cause> BuiltTypes::causes() const {
  std::vector<Cause> causes;
  for (const auto& [type, built] : versions) add_once(causes, built.causes);
  // What keeps every type from building does not depend on the type.
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

Libraries::Libraries(const LibrarySettings& settings) : main_(settings.main) {
  plan(settings);
  build(settings);
}

void Libraries::add(Engine engine, ByType& into, const build::Request& request,
                    const std::vector<std::string>& types) {
  for (const std::string& type : types) {
    jobs_.push_back({request, engine, &into[type]});
    jobs_.back().request.value_type = type;
  }
}

// The main engine's libraries and, for `clean`, the simulator's.
void Libraries::plan(const LibrarySettings& settings) {
  const Rubric& rubric = settings.rubric;
  const Submission& submission = settings.submission;
  const fs::path root = settings.installation.root;
  const fs::path contract = assignment_folder(root, rubric.assignment);
  const std::vector<fs::path> folders{contract, submission.folder};
  for (const Engine engine : {Engine::gpu, Engine::simulator}) {
    if (!settings.engines.has(engine) || (engine == Engine::gpu && main_ != Engine::gpu)) continue;
    add(engine, adapters_[engine],
        {contract / "adapter.cu", "adapter.cu", {contract, root / "harness/worker"}, "", {"warpmark_call"}},
        rubric.types);
    for (const VersionRule& version : rubric.versions) {
      const SubmittedFile& file = submission.files.at(version.name);
      if ((engine != main_ && !has_clean(version)) || !file.causes.empty() ||
          (engine == Engine::simulator && version.gpu_only) || !settings.wanted_version(version))
        continue;
      add(engine, versions_[{engine, version.name}], {file.path, file.name, folders, "", {version.name}},
          rubric.types);
    }
  }
  if (!settings.engines.has(main_)) return;
  if (settings.wanted_upload && submission.files.at(rubric.upload).causes.empty()) {
    const SubmittedFile& file = submission.files.at(rubric.upload);
    add(main_, upload_, {file.path, file.name, folders, "", {rubric.upload}}, {rubric.types.front()});
  }
  if (main_ == Engine::gpu && !rubric.naive.empty()) {
    const fs::path course = root / "reference" / rubric.assignment;
    const std::string file = rubric.naive + ".cu";
    add(main_, naive_, {course / file, file, {contract, course}, "", {rubric.naive}}, {rubric.fast.type});
    jobs_.push_back(
        {{root / "harness/worker/sweep.cu", "sweep.cu", {}, "", {"warpmark_sweep"}}, main_, &sweep_});
  }
}

void Libraries::build(const LibrarySettings& settings) {
  std::map<Engine, build::Builder> builders;
  for (const auto& [engine, toolchain] : settings.engines.toolchains) {
    builders.emplace(engine, build::Builder(toolchain, settings_of(settings)));
  }
  std::atomic<std::size_t> done{0};
  in_parallel(jobs_.size(), settings.jobs, [&](std::size_t i) {
    const Job& job = jobs_[i];
    auto built = builders.at(job.engine).build(job.request);
    if (built) {
      *job.result = std::move(*built);
    } else {
      job.result->causes = {make_cause(CauseKind::internal, built.error().message)};
    }
    const std::size_t count = ++done;
    if (job.result->from_cache) return;
    settings.progress(fmt::format("[{}/{}] {} {} for the {}{} in {:.1f} s", count, jobs_.size(),
                                  job.result->causes.empty() ? "built" : "could not build",
                                  job.request.display_name, name_of(job.engine),
                                  job.request.value_type.empty() ? "" : ", " + job.request.value_type,
                                  job.result->seconds));
  });
  build::trim_cache(settings.cache, kKeptUnused);
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

BuiltTypes Libraries::upload() const {
  return with_adapters(main_, upload_);
}
BuiltTypes Libraries::naive() const {
  return with_adapters(main_, naive_);
}

}  // namespace warpmark::judge
