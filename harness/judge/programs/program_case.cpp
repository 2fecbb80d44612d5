#include "harness/judge/programs/program_case.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/build/worker_program.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using program_analysis::ProgramRun;
using program_analysis::RunOptions;
using program_analysis::Stopped;

constexpr std::size_t kMostPrinted = 4096;  // bytes of a failed program's stderr that a report contains
constexpr std::size_t kSpareBytes = std::size_t{1} << 20;

program_analysis::Isolation isolation_of(const CaseSettings& settings, std::size_t files) {
  const Installation& installation = settings.installation;
  program_analysis::Isolation isolation;
  isolation.level = installation.sandbox;
  isolation.hidden = {installation.root, installation.programs.parent_path()};
  isolation.folder_bytes = files + settings.spec.output_bytes + kSpareBytes;
  if (settings.engine != Engine::simulator) {
    isolation.gpu = settings.engine == Engine::gpu;
    if (isolation.gpu) isolation.runtime = build::toolkit_of(installation.worker(Engine::gpu));
    return isolation;
  }
  isolation.runtime = installation.libraries / "libwarpmark_cudart.so";
  for (const char* library : {"libwarpmark_routines.so", "libwarpmark_transforms.so"}) {
    if (fs::path opened = installation.libraries / library; fs::exists(opened))
      isolation.device_libraries.push_back(std::move(opened));
  }
  return isolation;
}

RunOptions options_of(const CaseSettings& settings, const program::Case& one, const ProgramFolders& folders) {
  RunOptions options;
  options.arguments = one.arguments;
  options.schedules = settings.schedules;
  options.timeout = settings.left;
  options.first_timeout = std::min(settings.spec.run_limit, settings.left);
  options.memory = sandbox::memory_of_the_machine() / 4 * 3;
  options.output = settings.spec.output_bytes;
  if (settings.engine == Engine::simulator) options.device = settings.installation.device();
  options.devices = settings.devices;
  options.input = folders.input();
  options.working = [&folders](int run) { return folders.make(run); };
  options.isolation = isolation_of(settings, folders.bytes());
  return options;
}

std::string name_of(const program::Output& output) {
  return output.name.empty() ? "standard output" : output.name;
}

}  // namespace

CaseRuns::CaseRuns(const CaseSettings& settings, const BuiltProgram& built, const program::Case& one)
    : settings_(settings),
      case_(one),
      folders_(one, settings.course),
      options_(options_of(settings, one, folders_)),
      analysis_(options_, built.program, {built.folder}) {}

Cause CaseRuns::of_this_case(Cause cause) const {
  cause.message += fmt::format(" (case {})", case_.name);
  cause.test = case_.name;
  if (first_ && cause.printed.empty()) cause.printed = first_->errors.substr(0, kMostPrinted);
  return cause;
}

Cause CaseRuns::cause_of(const program_analysis::ShownFinding& finding) const {
  Cause cause = make_cause(finding.kind, finding.message, finding.file);
  cause.line = finding.line;
  cause.other_line = finding.other_line;
  cause.excerpt = finding.excerpt;
  if (!finding.seen.empty()) cause.message += ", " + finding.seen;
  return of_this_case(std::move(cause));
}

// Returns why a program's first run did not end as it should: stopped, crashed, or with another exit status.
std::optional<Cause> CaseRuns::bad_ending() const {
  const auto seconds = std::chrono::duration<double>(options_.first_timeout).count();
  const auto mebibytes = [](std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  switch (first_->stopped) {
    case Stopped::time:
      return make_cause(
          CauseKind::timed_out,
          fmt::format("the program had not ended after {:.0f} s, the limit of one run: look for a "
                      "loop that does not end, or for input that it waits for",
                      seconds));
    case Stopped::memory:
      return make_cause(CauseKind::memory_limit,
                        fmt::format("the program took more than {:.0f} MiB of memory, the limit",
                                    mebibytes(options_.memory)));
    case Stopped::output:
      return make_cause(CauseKind::output_limit,
                        fmt::format("the program printed more than {} bytes, the limit: look for a loop that "
                                    "prints and does not end",
                                    options_.output));
    case Stopped::files:
      return make_cause(
          CauseKind::output_limit,
          fmt::format("the program's files took more than {:.1f} MiB, the limit: look for a loop "
                      "that writes or launches and does not end",
                      mebibytes(options_.isolation->folder_bytes)));
    case Stopped::processes:
      return make_cause(CauseKind::process_limit, "the program started too many processes");
    case Stopped::by_itself:
      break;
  }
  if (first_->ending.kind == sandbox::Ending::Kind::signalled && first_->ending.code == SIGXFSZ)
    return make_cause(CauseKind::output_limit,
                      fmt::format("a file of the program grew beyond {:.1f} MiB, the limit",
                                  mebibytes(options_.isolation->folder_bytes)));
  if (first_->ending.kind == sandbox::Ending::Kind::signalled)
    return make_cause(CauseKind::crashed, fmt::format("the program was ended by signal {} ({})",
                                                      first_->ending.code, ::strsignal(first_->ending.code)));
  if (first_->ending.kind != sandbox::Ending::Kind::exited)
    return make_cause(CauseKind::internal, sandbox::why_not_started(first_->ending));
  if (first_->ending.code == case_.status) return std::nullopt;
  Cause cause = make_cause(CauseKind::wrong_output,
                           fmt::format("the program ended with exit status {}, and {} is right",
                                       first_->ending.code, case_.status));
  cause.expected = std::to_string(case_.status);
  cause.actual = std::to_string(first_->ending.code);
  return cause;
}

std::vector<Cause> CaseRuns::correct(const CompareOutput& compare) {
  auto run = analysis_.first();
  if (!run) return {of_this_case(make_cause(CauseKind::internal, run.error().message))};
  first_ = std::move(*run);
  std::vector<Cause> causes;
  if (auto cause = bad_ending()) {
    causes.push_back(of_this_case(std::move(*cause)));
  } else {
    for (const program::Output& each : case_.outputs) {
      const auto actual = output(each);
      auto wrong = actual ? compare(each, *actual) : std::optional(actual.error());
      if (!wrong) continue;
      if (actual) wrong->message = fmt::format("{}: {}", name_of(each), wrong->message);
      causes.push_back(of_this_case(std::move(*wrong)));
    }
  }
  if (!causes.empty()) {
    add_explanations(causes);
  } else if (settings_.engine == Engine::simulator) {
    if (auto few = too_few_kernels()) causes.push_back(std::move(*few));
  }
  return causes;
}

std::optional<Cause> CaseRuns::too_few_kernels() const {
  const std::size_t launches = first_->journal.launches.size();
  if (launches >= case_.kernels) return std::nullopt;
  return of_this_case(make_cause(
      CauseKind::no_kernel,
      fmt::format("the output is right, but the program launched {} kernel{}, and the assignment asks for at "
                  "least {}: compute on the GPU",
                  launches == 0 ? "no" : std::to_string(launches), launches == 1 ? "" : "s", case_.kernels)));
}

// Adds simulator findings that explain why a program's output is wrong: the fault that ended a kernel, or the
// line of a crash. If the program uses something that the simulator does not support, that becomes the only
// reason: it is not the program's fault.
void CaseRuns::add_explanations(std::vector<Cause>& causes) const {
  for (const program_analysis::ShownFinding& finding : analysis_.findings_of(*first_)) {
    if (finding.kind == CauseKind::unsupported) {
      causes = {cause_of(finding)};
      return;
    }
    const bool crash = finding.kind == CauseKind::crashed;
    if (finding.note || rule_of(finding.kind).after != After::ends || (crash && finding.line == 0)) continue;
    if (crash) std::erase_if(causes, [](const Cause& cause) { return cause.kind == CauseKind::crashed; });
    causes.insert(causes.begin(), cause_of(finding));
  }
}

tl::expected<std::string, Cause> CaseRuns::output(const program::Output& output) const {
  if (output.name.empty()) return first_->output;
  return read_output(folders_.of(0), output.name, settings_.spec.output_bytes);
}

CaseRuns::Findings CaseRuns::clean(const Rubric& rubric) {
  Findings found;
  if (!first_) {
    auto run = analysis_.first();
    if (!run) {
      found.causes = {of_this_case(make_cause(CauseKind::internal, run.error().message))};
      return found;
    }
    first_ = std::move(*run);
  }
  const auto simulation = analysis_.further(*first_);
  if (!simulation) {
    found.causes = {of_this_case(make_cause(CauseKind::internal, simulation.error().message))};
    return found;
  }
  for (const program_analysis::ShownFinding& finding : simulation->findings) {
    const bool fails = is_remark(finding.kind) ? rubric.clean.fails(finding.kind) : !finding.note;
    (fails ? found.causes : found.notes).push_back(cause_of(finding));
  }
  return found;
}

}  // namespace warpmark::judge
