#include "harness/class/slurm/exchange.h"

#include <stdexcept>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/model/class_json.h"

namespace warpmark {

namespace classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "Run `warpmark class` again with --resume.";

void write_for_tasks(const fs::path& file, const std::string& text) {
  if (auto written = write_file(file, text); !written) throw std::runtime_error(written.error().message);
}

std::string text_of(const auto& model) {
  return model::Writer::json_of(model).dump(-1, ' ', false, model::Json::error_handler_t::replace);
}

fs::path result_folder(const fs::path& out, const std::string& id) {
  return slurm_folder(out) / "results" / id;
}

}  // namespace

void describe(auto&& archive, Of<SlurmPlan> auto& value) {
  WARPMARK_MEMBERS(shelf, tasks, engine, rubric, seed, rules, trusts);
}

void describe(auto&& archive, Of<TaskResult> auto& value) {
  auto& outcome = value.outcome;
  WARPMARK_MEMBERS(machine);
  archive.member("content", outcome.content);
  archive.member("rules", outcome.rules);
  archive.member("state", outcome.state);
  archive.member("cause", outcome.cause);
  archive.member("points", outcome.score.points);
  archive.member("possible", outcome.score.possible);
  archive.member("open", outcome.score.open);
  archive.member("needs_gpu", outcome.score.needs_gpu);
  archive.optional("bonus", outcome.score.bonus);
  archive.member("exit_status", outcome.exit_status);
  archive.member("doubt", outcome.doubt);
  archive.member("again", outcome.again);
}

fs::path slurm_folder(const fs::path& out) {
  return out / "slurm";
}

fs::path task_log(const fs::path& out, std::uint64_t task) {
  return slurm_folder(out) / "log" / fmt::format("{}.txt", task);
}

void write_plan(const fs::path& out, const SlurmPlan& plan) {
  fs::create_directories(slurm_folder(out) / "log");
  write_for_tasks(slurm_folder(out) / "students.json", to_json(plan.taken));
  write_for_tasks(slurm_folder(out) / "plan.json", text_of(plan));
}

Result<SlurmPlan> read_plan(const fs::path& out) {
  const auto text = read_file(slurm_folder(out) / "plan.json");
  if (!text) return tl::unexpected(text.error());
  auto plan = model::read_file_of<SlurmPlan>(*text, "a plan of Slurm's tasks", kRemedy);
  const auto students = read_file(slurm_folder(out) / "students.json");
  if (!plan) return plan;
  if (!students) return tl::unexpected(students.error());
  auto taken = taken_from_json(*students);
  if (!taken) return tl::unexpected(taken.error());
  plan->taken = std::move(*taken);
  return plan;
}

Result<void> write_result(const fs::path& out, const std::string& id, const TaskResult& result) {
  const fs::path folder = result_folder(out, id);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
  // Writes the grade before the outcome file, so that an existing outcome file implies a complete grade.
  if (!result.outcome.grade.empty()) {
    if (auto written = write_file(folder / "grade.json", result.outcome.grade); !written) return written;
  }
  return write_file(folder / "outcome.json", text_of(result));
}

Result<TaskResult> read_result(const fs::path& out, const SlurmPlan& plan, const Taken& student) {
  const fs::path folder = result_folder(out, student.id);
  const auto text = read_file(folder / "outcome.json");
  if (!text) return tl::unexpected(text.error());
  auto result = model::read_file_of<TaskResult>(*text, "a task's result", kRemedy);
  if (!result) return result;
  Outcome& outcome = result->outcome;
  if (outcome.content != student.content || outcome.rules != plan.rules)
    return fail("belongs to another submission, or was graded by other rules");
  if (outcome.state == StudentState::graded) {
    auto grade = read_file(folder / "grade.json");
    if (!grade) return tl::unexpected(grade.error());
    outcome.grade = std::move(*grade);
  }
  return result;
}

std::vector<std::string> result_ids(const fs::path& out) {
  std::vector<std::string> ids;
  std::error_code error;
  for (fs::directory_iterator it(slurm_folder(out) / "results", error), end; !error && it != end;
       it.increment(error))
    ids.push_back(it->path().filename().string());
  return ids;
}

}  // namespace classroom
}  // namespace warpmark
