#include "tests/reference/bench.h"

#include <stdexcept>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/workers/libraries.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr auto kStart = std::chrono::seconds(60);
constexpr auto kCall = std::chrono::minutes(5);  // 2^31 values travel there and back

std::string text_of(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) {
    text += fmt::format("{}: {}", name_of(cause.kind), cause.message);
    if (!cause.file.empty()) text += fmt::format(" at {}:{}", cause.file, cause.line);
    if (!cause.expected.empty()) text += fmt::format(", expected {}, got {}", cause.expected, cause.actual);
    text += "\n" + cause.details;
  }
  return text;
}

// A value, or the causes why there is none as an exception.
template <class T>
T need(tl::expected<T, Cause> result) {
  if (!result) throw std::runtime_error(text_of({result.error()}));
  return std::move(*result);
}

}  // namespace

Rubric rubric_of(const std::string& assignment) {
  auto rubric = read_rubric(home_of(assignment));
  if (!rubric) throw std::runtime_error(rubric.error().message);
  return std::move(*rubric);
}

Rubric reduction_rubric() {
  return rubric_of("reduction");
}

Installation installation() {
  return {WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
}

ReferenceBench::ReferenceBench(const std::string& assignment)
    : assignment_(assignment_called(assignment)),
      rubric_(rubric_of(assignment)),
      engines_(find_engines(installation_, kStart)) {
  if (engines_.toolchains.empty()) throw std::runtime_error(engines_.missing.at(Engine::simulator).message);
  if (engines_.has(Engine::gpu)) {
    engine_ = Engine::gpu;
    engines_.toolchains.erase(Engine::simulator);  // nothing is built for it
  } else {
    why_no_gpu_ = engines_.missing.at(Engine::gpu).message;
  }
  auto submission = take_in(fs::path(WARPMARK_ROOT) / "reference" / assignment, rubric_, WARPMARK_ROOT);
  if (!submission) throw std::runtime_error(submission.error().message);
  submission_ = std::move(*submission);
  worker_.emplace(need(WorkerClient::start(installation_, engine_, false, kStart)));
}

const Loaded& ReferenceBench::load(const std::string& version, const std::string& type) {
  const std::string name = version + "." + type;
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  Rubric rubric = rubric_;
  rubric.types = {type};
  rubric.naive.clear();  // nothing is timed
  // The same cache as the commands', so that nothing is built twice.
  Libraries libraries({installation_, rubric, submission_, engines_, engine_, WARPMARK_CACHE, 1,
                       [&](const VersionRule& rule) { return rule.name == version; }, false,
                       [](const std::string&) {}});
  libraries.build();
  const BuiltTypes built = libraries.version(engine_, version);
  if (!built.causes().empty()) throw std::runtime_error(text_of(built.causes()));
  const build::Built& library = built.versions.at(type);
  auto loaded = need(judge::load(*worker_, library.library, built.adapters.at(type), name, version,
                                 library.uses_thrust, kCall));
  return loaded_.emplace(name, std::move(loaded)).first->second;
}

std::string ReferenceBench::run(const std::string& version, const Case& which) {
  const Loaded& loaded = load(version, which.type);
  return text_of(
      run_case(*worker_, loaded, *assignment_, {*assignment_, which, engine_}, {}, {}, kCall).causes);
}

std::map<std::string, std::string> ReferenceBench::run_all(const std::vector<std::string>& versions,
                                                           const Case& which) {
  const auto problem = assignment_->make(which);
  Buffers buffers(*problem, engine_, mix(which.seed));
  if (auto sent = buffers.send(*worker_, kCall); !sent) throw std::runtime_error(text_of({sent.error()}));
  std::map<std::string, std::string> wrong;
  Role& input = buffers.regions().front().spec.role;
  for (const std::string& version : versions) {
    // What the version before it has written must not pass for this one's answer.
    for (const auto& region : buffers.regions()) {
      if (region.spec.role == Role::input) continue;
      const auto sent = worker_->ask(wire::Fill{region.spec.name, true}, {region.image.fd()}, kCall);
      if (!sent) throw std::runtime_error(text_of({sent.error()}));
    }
    const Loaded& loaded = load(version, which.type);
    // It is gigabytes: what lies around it comes back each time, but all of it only after the last version.
    if (version != versions.back()) input = Role::scratch;
    const auto result = call_case(*worker_, loaded, *assignment_, which, *problem, buffers, {}, {}, kCall);
    input = Role::input;
    if (!result.causes.empty()) wrong[version] = text_of(result.causes);
  }
  return wrong;
}

}  // namespace warpmark::judge
