#include "harness/class/slurm/task.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/class/run/coordinator.h"
#include "harness/class/run/gpu_watch.h"
#include "harness/class/run/grader.h"
#include "harness/class/run/rules.h"
#include "harness/class/slurm/exchange.h"
#include "harness/sandbox/level.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

std::string this_node() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// Returns the number of cores that Slurm assigned to this task.
unsigned cores_of_the_task() {
  for (const char* name : {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string_view text = value;
    unsigned cores = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), cores).ec == std::errc{} && cores > 0)
      return cores;
  }
  return 1;
}

std::string machine_text(const judge::Engines& engines) {
  std::string text;
  for (const auto& [engine, toolchain] : engines.toolchains) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", engines.devices.at(engine).name,
                        toolchain.description);
  }
  return text;
}

class Task {
 public:
  Task(const judge::Installation& installation, fs::path out, SlurmPlan plan)
      : out_(std::move(out)),
        plan_(std::move(plan)),
        trouble_(look_at_node(installation)),
        watch_(watch_gpus(installation, 1)) {
    options_.engine = plan_.engine;
    options_.program = installation.programs / "warpmark-cli";
  }

  // Grades a student and writes the result; fails if it cannot be written.
  Result<void> grade(const Taken& student, bool last_try, const std::stop_token& stop) {
    const auto found = read_result(out_, plan_, student);
    if (found && !found->outcome.again) return {};
    // Skips a student for whom an earlier start of this Slurm task wrote an inconclusive or broken result;
    // the second pass over the students retries it.
    if (found && !last_try) return {};
    GradeTask task;
    task.taken = &student;
    task.submissions = out_ / "submissions";
    task.work = slurm_folder(out_) / "work" / student.id;
    task.rubric = plan_.rubric;
    task.assignment = plan_.taken.place();
    task.seed = plan_.seed;
    task.rules = plan_.rules;
    task.jobs = cores_of_the_task();
    auto outcome = trouble_.empty() ? grade_one(options_, sandbox::name_of(level_), task, stop)
                                    : without_grade(task, StudentState::broken, "internal", trouble_);
    if (!outcome) return {};
    // Once a GPU of the node has disappeared, this task grades no further students.
    if (trouble_.empty() && plan_.engine == "gpu") trouble_ = hold_against_gpus(watch_, *outcome);
    if (last_try) outcome->again = false;
    fmt::print("{}: {}\n", student.id, what_it_came_to(*outcome));
    std::fflush(stdout);
    return write_result(out_, student.id, {std::move(*outcome), machine_});
  }

  [[nodiscard]] bool is_graded(const Taken& student) const {
    const auto found = read_result(out_, plan_, student);
    return found && found->outcome.state != StudentState::broken;
  }
  [[nodiscard]] std::vector<const Taken*> share(std::uint64_t number) const {
    std::vector<const Taken*> mine;
    for (std::size_t i = number - 1; i < plan_.taken.students.size(); i += plan_.tasks)
      mine.push_back(&plan_.taken.students[i]);
    return mine;
  }
  [[nodiscard]] std::uint64_t tasks() const { return plan_.tasks; }

 private:
  // Returns why this node cannot grade anything; empty if it can.
  std::string look_at_node(const judge::Installation& installation) {
    level_ = plan_.trusts ? sandbox::best_level() : sandbox::Level::box;
    if (level_ != sandbox::best_level()) {
      return fmt::format("node {} has no sandbox for submissions: {}; {}", this_node(),
                         sandbox::machine().trouble, sandbox::machine().remedy);
    }
    const auto rules = rules_of(installation, {}, plan_.taken.place(), plan_.rubric, plan_.engine);
    if (!rules || rules->digest != plan_.rules) {
      return fmt::format(
          "node {} has another Warpmark at {} than the machine that submitted the job; install the same "
          "version on all nodes, and run `warpmark class` again with --resume",
          this_node(), installation.programs.string());
    }
    const judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit);
    machine_ = machine_text(engines);
    const Engine wanted = plan_.engine == "gpu" ? Engine::gpu : Engine::simulator;
    if (engines.has(wanted)) return "";
    return fmt::format("node {}: {}", this_node(), engines.missing.at(wanted).message);
  }

  fs::path out_;
  SlurmPlan plan_;
  ClassOptions options_;
  sandbox::Level level_ = sandbox::Level::box;
  std::string machine_;
  std::string trouble_;
  GpuWatch watch_;
};

}  // namespace

Result<bool> run_task(const judge::Installation& installation, const fs::path& out, std::uint64_t number,
                      const std::stop_token& stop) {
  auto plan = read_plan(out);
  if (!plan) return tl::unexpected(plan.error());
  if (number == 0 || number > plan->tasks)
    return fail(
        fmt::format("task {}: the plan in {} has {} tasks", number, slurm_folder(out).string(), plan->tasks));
  fmt::print("task {} on {}\n", number, this_node());
  Task task(installation, out, std::move(*plan));
  const auto mine = task.share(number);
  bool complete = true;
  // A second pass over the task's students retries inconclusive and broken results.
  for (const bool last_try : {false, true}) {
    for (const Taken* student : mine) {
      if (stop.stop_requested()) return false;
      if (auto written = task.grade(*student, last_try, stop); !written)
        return tl::unexpected(written.error());
    }
  }
  for (const Taken* student : mine) complete = complete && task.is_graded(*student);
  return complete && !stop.stop_requested();
}

}  // namespace warpmark::classroom
