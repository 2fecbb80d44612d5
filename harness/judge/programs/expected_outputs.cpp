#include "harness/judge/programs/expected_outputs.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kCheckerLimit{20};
constexpr std::size_t kMostSaid = 1000;  // maximum number of bytes of an output checker's message in a report

std::string read_of_course(const fs::path& file, const std::string& use) {
  auto text = read_file(file);
  if (!text) throw AssignmentFault(fmt::format("{}; {}", text.error().message, use));
  return std::move(*text);
}

std::string what_came(const Cause& cause) {
  const std::string where = cause.line > 0 ? fmt::format("{}:{}: ", cause.file, cause.line) : "";
  return where + cause.message + (cause.details.empty() ? "" : "\n" + cause.details);
}

}  // namespace

fs::path recorded_place(const std::string& version, const program::Case& one, const program::Output& output) {
  return fs::path(kRecorded) / version / one.name / (output.name.empty() ? "stdout" : output.name);
}

std::string ExpectedOutputs::of(const VersionRule& version, const program::Case& one,
                                const program::Output& output) {
  if (!output.expected.empty())
    return read_of_course(settings_.course / output.expected,
                          fmt::format("the case {} expects what it holds", one.name));
  const fs::path recorded = settings_.course / recorded_place(version.name, one, output);
  std::error_code error;
  if (fs::exists(recorded, error)) return read_of_course(recorded, "it was recorded for a handout");
  const std::scoped_lock lock(mutex_);
  const auto& outputs = outputs_of_reference(version, one);
  const auto place = std::ranges::find(one.outputs, output.name, &program::Output::name);
  return outputs.at(static_cast<std::size_t>(place - one.outputs.begin()));
}

const BuiltProgram& ExpectedOutputs::reference(const VersionRule& version) {
  if (const auto found = references_.find(version.name); found != references_.end()) return found->second;
  const fs::path& folder = rubric_.home.reference;
  std::error_code error;
  if (!fs::exists(folder / version.file(), error))
    throw AssignmentFault(
        fmt::format("{} is missing: its output is the right one of the cases that name no "
                    "expected file",
                    (folder / version.file()).string()));
  BuiltProgram built = builder_.build(folder, version);
  if (!built.causes.empty())
    throw AssignmentFault(fmt::format("the reference of {} cannot be built: {}", version.name,
                                      what_came(built.causes.front())));
  return references_.emplace(version.name, std::move(built)).first->second;
}

const std::vector<std::string>& ExpectedOutputs::outputs_of_reference(const VersionRule& version,
                                                                      const program::Case& one) {
  const auto key = std::pair(version.name, one.name);
  if (const auto found = outputs_.find(key); found != outputs_.end()) return found->second;
  CaseSettings settings = settings_;
  settings.left = settings.spec.run_limit;
  CaseRuns runs(settings, reference(version), one);
  const auto causes = runs.correct([](const program::Output&, const std::string&) { return std::nullopt; });
  if (!causes.empty())
    throw AssignmentFault(
        fmt::format("{}:{}: the reference of {} fails, so that nothing is known to be right: "
                    "{}",
                    settings_.spec.file, one.line, version.name, what_came(causes.front())));
  std::vector<std::string> outputs;
  for (const program::Output& each : one.outputs) {
    auto text = runs.output(each);
    if (!text)
      throw AssignmentFault(fmt::format("the reference of {}: {}", version.name, text.error().message));
    outputs.push_back(std::move(*text));
  }
  return outputs_[key] = std::move(outputs);
}

std::optional<Cause> ExpectedOutputs::compare(const VersionRule& version, const program::Case& one,
                                              const program::Output& output, const std::string& actual) {
  const std::string expected = of(version, one, output);
  if (!settings_.spec.checker.empty()) return check(one, expected, actual);
  const auto found = program::difference(settings_.spec.comparison, expected, actual);
  if (!found) return std::nullopt;
  Cause cause = make_cause(CauseKind::wrong_output, found->what);
  cause.expected = found->expected;
  cause.actual = found->actual;
  return cause;
}

// Builds the course's output checker, a C++ program without kernels, unless it is built already; returns its
// path.
const fs::path& ExpectedOutputs::checker() {
  const std::scoped_lock lock(mutex_);
  if (!checker_.program.empty()) return checker_.program;
  VersionRule rule;
  rule.name = "checker";
  rule.sources = {settings_.spec.checker.filename().string()};
  const fs::path file = settings_.course / settings_.spec.checker;
  checker_ = builder_.build(file.parent_path(), rule);
  if (!checker_.causes.empty())
    throw AssignmentFault(fmt::format("{}: the checker cannot be built: {}", file.string(),
                                      what_came(checker_.causes.front())));
  return checker_.program;
}

std::optional<Cause> ExpectedOutputs::check(const program::Case& one, const std::string& expected,
                                            const std::string& actual) {
  const fs::path program = checker();
  const TemporaryFolder folder;
  fs::path input = "/dev/null";
  if (!one.input.empty()) input = settings_.course / one.input;
  if (one.input.empty() && !one.files.empty()) input = settings_.course / one.files.front();
  for (const auto& [name, text] : {std::pair{"expected", &expected}, {"actual", &actual}}) {
    if (auto written = write_file(folder.path() / name, *text); !written)
      throw AssignmentFault(written.error().message);
    fs::permissions(folder.path() / name, fs::perms(0644));
  }
  sandbox::Command command;
  command.argv = {program.string(), input.string(), (folder.path() / "expected").string(),
                  (folder.path() / "actual").string()};
  command.environment = {{"LC_ALL", "C.UTF-8"}};
  command.level = settings_.installation.sandbox;
  command.box.read_only = {program, settings_.installation.libraries / "libwarpmark_cudart.so",
                           folder.path() / "expected", folder.path() / "actual"};
  if (input != "/dev/null") command.box.read_only.push_back(input);
  command.memory_cap = sandbox::memory_of_the_machine() / 2;
  const auto finished = sandbox::run(command, kCheckerLimit);
  const std::string checker_name = (settings_.course / settings_.spec.checker).string();
  if (!finished) throw AssignmentFault(fmt::format("{}: {}", checker_name, finished.error().message));
  const sandbox::Ending& ending = finished->ending;
  const bool exited = ending.kind == sandbox::Ending::Kind::exited;
  if (finished->timed_out || !exited || ending.code > 1)
    throw AssignmentFault(fmt::format(
        "{}: on the case {} the checker {}; it must end with 0 (right) or 1 (wrong)", checker_name, one.name,
        finished->timed_out ? fmt::format("had not ended after {} s", kCheckerLimit.count())
        : exited            ? fmt::format("ended with exit status {}", ending.code)
                 : fmt::format("was ended by signal {} ({})", ending.code, ::strsignal(ending.code))));
  if (ending.code == 0) return std::nullopt;
  std::string said = ending.output.substr(0, kMostSaid);
  said.erase(said.find_last_not_of(" \t\r\n") + 1);
  return make_cause(CauseKind::wrong_output, said.empty() ? "the course's checker finds it wrong" : said);
}

}  // namespace warpmark::judge
