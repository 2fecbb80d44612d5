#include "tests/reference/bench.h"

#include <stdexcept>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/build/builder.h"
#include "harness/judge/submission.h"

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

std::unique_ptr<Assignment> reduction() {
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name == "reduction") return entry.make();
  }
  throw std::logic_error("the table of assignments lacks reduction");
}

Rubric reduction_rubric() {
  auto rubric = read_rubric(assignment_folder(WARPMARK_ROOT, "reduction") / "rubric.toml", "reduction");
  if (!rubric) throw std::runtime_error(rubric.error().message);
  return std::move(*rubric);
}

Installation installation() {
  return {WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
}

Bench::Bench() {
  Engines engines = find_engines(installation(), kStart);
  if (engines.toolchains.empty()) throw std::runtime_error(engines.missing.at(Engine::simulator));
  if (engines.has(Engine::gpu)) {
    engine_ = Engine::gpu;
  } else {
    why_no_gpu_ = engines.missing.at(Engine::gpu);
  }
  build::Settings settings;
  settings.cache = WARPMARK_CACHE;  // the same as the commands', so that nothing is built twice
  settings.simulator_include = fs::path(WARPMARK_ROOT) / "harness/simulator/include";
  settings.simulator_library = fs::path(WARPMARK_LIB) / "libwarpmark_cudart.so";
  builder_.emplace(engines.toolchains.at(engine_), settings);
  worker_.emplace(need(WorkerClient::start(installation(), engine_, false, kStart)));
}

fs::path Bench::build(const std::string& file, const std::string& type, bool& uses_thrust) {
  const fs::path contract = assignment_folder(WARPMARK_ROOT, "reduction");
  const fs::path folder = fs::path(WARPMARK_ROOT) / "reference/reduction";
  build::Request request{folder / (file + ".cu"), file + ".cu", {contract, folder}, type, {file}};
  if (file == "adapter") {
    request = {contract / "adapter.cu", "adapter.cu", {contract, WARPMARK_ROOT}, type, {"warpmark_call"}};
  }
  auto built = builder_->build(request);
  if (!built) throw std::runtime_error(built.error().message);
  if (!built->causes.empty()) throw std::runtime_error(text_of(built->causes));
  uses_thrust = built->uses_thrust;
  return built->library;
}

const Loaded& Bench::load(const std::string& version, const std::string& type) {
  const std::string name = version + "." + type;
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  bool uses_thrust = false;
  const fs::path adapter = build("adapter", type, uses_thrust);
  const fs::path library = build(version, type, uses_thrust);
  auto loaded = need(judge::load(*worker_, library, adapter, name, version, uses_thrust, kCall));
  return loaded_.emplace(name, std::move(loaded)).first->second;
}

std::string Bench::run(const std::string& version, const Case& which) {
  const Loaded& loaded = load(version, which.type);
  return text_of(run_case(*worker_, loaded, *assignment_, which, {}, engine_, {}, kCall).causes);
}

std::map<std::string, std::string> Bench::run_all(const std::vector<std::string>& versions,
                                                  const Case& which) {
  const auto problem = assignment_->make(which);
  const Buffers buffers(*problem, engine_, mix(which.seed));
  if (auto sent = buffers.send(*worker_, kCall); !sent) throw std::runtime_error(text_of({sent.error()}));
  std::map<std::string, std::string> wrong;
  for (const std::string& version : versions) {
    // What the version before it has written must not pass for this one's answer.
    if (auto sent = buffers.send_outputs(*worker_, kCall); !sent) {
      throw std::runtime_error(text_of({sent.error()}));
    }
    const Loaded& loaded = load(version, which.type);
    const auto result = call_case(*worker_, loaded, *assignment_, which, *problem, buffers, {}, {}, kCall);
    if (!result.causes.empty()) wrong[version] = text_of(result.causes);
  }
  return wrong;
}

}  // namespace warpmark::judge
