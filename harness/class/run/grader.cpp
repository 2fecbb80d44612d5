#include "harness/class/run/grader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <map>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"
#include "harness/remote/grade_process.h"
#include "harness/sandbox/process.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Time limit of one grading process. A rubric's own limits add up to far less, so exceeding this one is a
// fault of Warpmark.
constexpr std::chrono::minutes kLimit{60};
constexpr std::chrono::milliseconds kLook{100};  // time between two checks for a stop request
constexpr std::chrono::seconds kGrace{2};
constexpr std::uintmax_t kRoom = 1 << 20;  // free bytes; a disk with less counts as full
constexpr int kUnusable = 2;

std::map<std::string, std::string> environment() {
  static constexpr std::array kept{"PATH",
                                   "HOME",
                                   "USER",
                                   "LANG",
                                   "CUDA_PATH",
                                   "CUDA_HOME",
                                   "TMPDIR",
                                   "CUDA_VISIBLE_DEVICES",
                                   "CUDA_DEVICE_ORDER",
                                   "XDG_CACHE_HOME",
                                   "XDG_RUNTIME_DIR"};
  std::map<std::string, std::string> all;
  for (const char* name : kept) {
    if (const char* value = std::getenv(name)) all[name] = value;
  }
  return all;
}

sandbox::Command command_for(const ClassOptions& options, const std::string& sandbox, const GradeTask& task) {
  sandbox::Command command;
  // The prefix "./" keeps a student's ID from being parsed as an option of `warpmark grade`.
  command.argv = {options.program.string(),
                  "grade",
                  "./" + task.taken->id,
                  "--assignment",
                  task.assignment,
                  "--engine",
                  options.engine,
                  "--sandbox",
                  sandbox,
                  "--for-student",
                  "--out",
                  task.work.string(),
                  "--seed",
                  task.seed,
                  "--jobs",
                  fmt::format("{}", task.jobs)};
  if (!task.rubric.empty()) command.argv.insert(command.argv.end(), {"--rubric", task.rubric.string()});
  command.environment = environment();
  if (!task.device.empty()) command.environment["CUDA_VISIBLE_DEVICES"] = task.device;
  command.folder = task.submissions;
  return command;
}

void throw_if_full(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < kRoom)
    throw std::system_error(ENOSPC, std::generic_category(), folder.string());
}

Outcome import_grade(const GradeTask& task, int status) {
  const auto text = read_file(task.work / "grade.json");
  auto grade = text ? grade_from_json(*text) : tl::unexpected(text.error());
  if (!grade) return without_grade(task, StudentState::broken, "internal", grade.error().message);
  grade->submission_name = task.taken->person.name.empty() ? task.taken->id : task.taken->person.name;
  for (const std::string& remark : task.taken->remarks) {
    if (std::ranges::find(grade->remarks, remark) == grade->remarks.end()) grade->remarks.push_back(remark);
  }
  Outcome outcome;
  outcome.content = task.taken->content;
  outcome.rules = task.rules;
  outcome.grade = to_json(*grade);
  outcome.score = grade->score;
  outcome.exit_status = grade->exit_status;
  outcome.doubt = doubt_of(*grade);
  outcome.again = status == 3;
  if (grade->timing) outcome.gpu_seconds = grade->timing->exclusive_seconds;
  return outcome;
}

}  // namespace

Outcome without_grade(const GradeTask& task, StudentState state, std::string kind, std::string message) {
  Outcome outcome;
  outcome.content = task.taken->content;
  outcome.rules = task.rules;
  outcome.state = state;
  outcome.cause = StudentCause{std::move(kind), std::move(message)};
  outcome.again = state == StudentState::broken;
  return outcome;
}

std::string doubt_of(const Grade& grade) {
  double points = 0;
  // Maps each reason for undecided points to the IDs of the checks that have it.
  std::map<std::string_view, std::vector<std::string>> checks;
  for (const CheckResult& check : grade.checks) {
    if (check.open <= 0 || check.causes.empty()) continue;
    const CauseKind kind = check.causes.front().kind;
    if (kind == CauseKind::no_gpu) continue;
    points += check.open;
    checks[name_of(kind)].push_back(check.id);
  }
  std::string text;
  for (const auto& [reason, ids] : checks) {
    const std::size_t shown = std::min<std::size_t>(ids.size(), 3);
    text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", reason,
                        fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                        ids.size() > shown ? fmt::format(" and {} more", ids.size() - shown) : "");
  }
  return text.empty()
             ? text
             : fmt::format("{:g} points are open for another reason than a missing GPU: {}", points, text);
}

std::optional<Outcome> grade_one(const ClassOptions& options, const std::string& sandbox,
                                 const GradeTask& task, const std::stop_token& stop) {
  fs::remove_all(task.work);
  fs::create_directories(task.work);
  auto process = sandbox::Process::start(command_for(options, sandbox, task));
  if (!process) return without_grade(task, StudentState::broken, "internal", process.error().message);
  const auto deadline = sandbox::Clock::now() + kLimit;
  std::optional<sandbox::Ending> ending;
  while (!ending && sandbox::Clock::now() < deadline) {
    if (stop.stop_requested()) {
      process->kill();
      return std::nullopt;
    }
    ending = process->wait_until(sandbox::Clock::now() + kLook);
  }
  if (!ending) {
    process->kill();
    return without_grade(task, StudentState::broken, "internal",
                         fmt::format("the grading did not end in {} minutes", kLimit.count()));
  }
  const bool exited = ending->kind == sandbox::Ending::Kind::exited;
  // Waits briefly for a stop request: a signal to the whole process tree may end the grading process before
  // this process is notified.
  const auto grace = sandbox::Clock::now() + kGrace;
  while (!exited && sandbox::Clock::now() < grace) {
    if (stop.stop_requested()) return std::nullopt;
    std::this_thread::sleep_for(kLook);
  }
  if (!exited || ending->code >= kUnusable) throw_if_full(task.work);
  Outcome outcome;
  if (exited && ending->code == kUnusable) {
    outcome =
        without_grade(task, StudentState::unusable, "refused", remote::message_of_grade(ending->output));
  } else if (exited && ending->code <= 3) {
    outcome = import_grade(task, ending->code);
  } else {
    const std::string why = sandbox::why_not_started(*ending);
    outcome = without_grade(
        task, StudentState::broken, "internal",
        fmt::format("the grading ended with {} {}: {}", exited ? "status" : "signal", ending->code,
                    why.empty() ? remote::message_of_grade(ending->output) : why));
  }
  fs::remove_all(task.work);
  return outcome;
}

}  // namespace warpmark::classroom
