#include "harness/class/slurm/spread.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/class/run/coordinator.h"
#include "harness/remote/shell.h"
#include "harness/remote/slurm.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using remote::Batch;
using remote::EndedTask;
using remote::QueuedTask;
using remote::Slurm;

// Journal key of the state of a class's Slurm job array: "submitting", then the array's ID; empty if no array
// is in progress.
constexpr const char* kOpen = "slurm";
constexpr const char* kMachine = "machine";  // journal key of the machine that graded the first student
constexpr const char* kSubmitting = "submitting";
constexpr std::chrono::milliseconds kLookInterval{1000};  // time between two checks for new results
// Number of checks for new results per call of squeue, which puts more load on the cluster.
constexpr int kLooksAQuery = 5;

// Returns the instructor's sbatch options for the import job, without those for GPUs and extra cores, which
// the import does not need.
std::vector<std::string> options_of_import(std::vector<std::string> options) {
  std::erase_if(options, [](const std::string& each) {
    return each.starts_with("--gres") || each.starts_with("--gpus") || each.starts_with("--cpus-per-task") ||
           each.starts_with("--exclusive");
  });
  return options;
}

// Returns a message for the students of a task that ended without a result.
std::string why_no_grade(const fs::path& out, const std::string& job, std::uint64_t task,
                         const std::map<std::size_t, EndedTask>& ended) {
  const auto found = ended.find(task);
  return remote::why_without_result(fmt::format("Slurm's task {}_{}", job, task),
                                    found == ended.end() ? nullptr : &found->second, task_log(out, task)) +
         ". --resume grades the student";
}

// Returns the number of students who handed in something that can be graded.
std::size_t gradable(const Journal& journal) {
  const auto taken = journal.taken();
  if (!taken) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(taken->students, [](const Taken& student) { return !student.content.empty(); }));
}

// Stores one student's result in the journal. Adds a remark for the instructor if the result comes from
// another kind of machine (GPU, compilers) than the first result.
void take_over(Home& home, const SlurmPlan& plan, const Taken& student, TaskResult result) {
  Outcome& outcome = result.outcome;
  if (outcome.state == StudentState::graded) {
    const std::string first = home.journal.fact(kMachine);
    if (first.empty()) home.journal.set_fact(kMachine, result.machine);
    if (!first.empty() && first != result.machine) {
      outcome.doubt += fmt::format(
          "{}was graded on {}, the first student of the class on {}: use nodes of one kind, with "
          "--slurm-options \"--constraint=...\"",
          outcome.doubt.empty() ? "" : "; ", result.machine, first);
    }
  }
  home.journal.set_outcome(plan.shelf, student.id, outcome);
}

void take_results_over(Home& home, const SlurmPlan& plan) {
  for (const Taken& student : plan.taken.students) {
    if (auto result = read_result(home.out, plan, student))
      take_over(home, plan, student, std::move(*result));
  }
}

// Marks the Slurm run as complete and removes the tasks' files, whose contents are now in the journal.
void close_run(Home& home) {
  home.journal.set_fact(kOpen, "");
  std::error_code ignored;
  for (const char* part : {"results", "work"}) fs::remove_all(slurm_folder(home.out) / part, ignored);
}

// Returns the class's queued jobs and tasks, without the calling job itself.
Result<std::vector<QueuedTask>> others_queued(const Slurm& slurm, const fs::path& out) {
  auto queue = slurm.queued(job_name(out));
  if (!queue) return queue;
  if (const char* own = std::getenv("SLURM_JOB_ID"))
    std::erase_if(*queue, [&](const QueuedTask& task) { return task.job == own; });
  return queue;
}

}  // namespace

std::string job_name(const fs::path& out) {
  return "warpmark-" + sha256(out.string()).substr(0, 12);
}

bool is_spread(const Home& home) {
  return !home.journal.fact(kOpen).empty();
}

Result<SlurmJobs> submit_class(const ClassOptions& options, Home& home, SlurmPlan plan) {
  const auto slurm = Slurm::find();
  if (!slurm) return tl::unexpected(slurm.error());
  plan.tasks = std::min(plan.taken.students.size(), slurm->largest_array());
  if (plan.taken.students.size() == gradable(home.journal)) home.journal.set_fact(kMachine, "");
  const fs::path folder = slurm_folder(home.out);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  write_plan(home.out, plan);
  const std::string program = remote::shell_quoted(options.program.string()) + " class --out " +
                              remote::shell_quoted(home.out.string());
  remote::write_job_script(folder / "task.sh", program + " --slurm-task \"$SLURM_ARRAY_TASK_ID\"");
  remote::write_job_script(folder / "import.sh", program + " --slurm-import");

  Batch batch{job_name(home.out),
              folder,
              "task.sh",
              "log/%a.txt",
              plan.tasks,
              options.jobs,
              "",
              remote::options_with_gpu(options.slurm_options, plan.engine == "gpu")};
  Batch import{job_name(home.out),
               folder,
               "import.sh",
               "log/import.txt",
               0,
               0,
               "",
               options_of_import(options.slurm_options)};
  home.journal.set_fact(kOpen, kSubmitting);
  const auto refused = [&](const Error& error) {
    slurm->cancel(job_name(home.out));
    home.journal.set_fact(kOpen, "");
    return fail(fmt::format(
        "Slurm rejected the class: {}. Nothing is queued; the submissions are stored: continue with --resume",
        error.message));
  };
  const auto array = slurm->submit(batch);
  if (!array) return refused(array.error());
  import.after = *array;
  const auto last = slurm->submit(import);
  if (!last) return refused(last.error());
  home.journal.set_fact(kOpen, *array);
  return SlurmJobs{*array, *last, plan.tasks};
}

Result<void> settle_slurm(Home& home) {
  if (!is_spread(home)) return {};
  const auto slurm = Slurm::find();
  if (!slurm)
    return fail(fmt::format("{} was submitted to Slurm. {}", home.out.string(), slurm.error().message));
  const auto queue = others_queued(*slurm, home.out);
  if (!queue) {
    return fail(fmt::format("{} was submitted to Slurm, which does not say whether its jobs still run: {}",
                            home.out.string(), queue.error().message));
  }
  if (!queue->empty()) {
    std::set<std::string> jobs;
    for (const QueuedTask& task : *queue) jobs.insert(task.job);
    return fail(
        fmt::format("{} is being graded by Slurm: {} tasks of the jobs {} wait or run; wait for them, or "
                    "end them with: scancel --name={}",
                    home.out.string(), queue->size(), fmt::join(jobs, ", "), job_name(home.out)));
  }
  if (const auto plan = read_plan(home.out)) take_results_over(home, *plan);
  close_run(home);
  return {};
}

Result<void> import_results(Home& home) {
  const std::string job = home.journal.fact(kOpen);
  if (job.empty()) return fail(fmt::format("{} has nothing to import", home.out.string()));
  const auto plan = read_plan(home.out);
  if (!plan) return tl::unexpected(plan.error());
  take_results_over(home, *plan);
  const auto slurm = Slurm::find();
  const auto ended = slurm ? slurm->ended(job) : std::map<std::size_t, EndedTask>{};
  for (std::size_t i = 0; i < plan->taken.students.size(); ++i) {
    const Taken& student = plan->taken.students[i];
    if (read_result(home.out, *plan, student)) continue;
    Outcome outcome;
    outcome.content = student.content;
    outcome.rules = plan->rules;
    outcome.state = StudentState::broken;
    outcome.again = true;
    outcome.cause = StudentCause{"internal", why_no_grade(home.out, job, i % plan->tasks + 1, ended)};
    home.journal.set_outcome(plan->shelf, student.id, outcome);
  }
  close_run(home);
  return {};
}

Result<bool> follow(const fs::path& out, const std::stop_token& stop, ProgressFigures& figures) {
  const auto slurm = Slurm::find();
  const auto plan = read_plan(out);
  if (!slurm) return tl::unexpected(slurm.error());
  if (!plan) return tl::unexpected(plan.error());
  Progress progress(plan->taken.students.size(), ::isatty(STDERR_FILENO) != 0);
  std::map<std::string, const Taken*> awaited;
  for (const Taken& student : plan->taken.students) awaited[student.id] = &student;
  for (int look = 1; !stop.stop_requested(); ++look) {
    // Lists the result folder once per polling interval instead of testing for each student's file, because
    // each file access is expensive on a shared file system.
    for (const std::string& id : result_ids(out)) {
      const auto student = awaited.find(id);
      if (student == awaited.end()) continue;
      const auto result = read_result(out, *plan, *student->second);
      if (!result || result->outcome.again) continue;
      awaited.erase(student);
      progress.finished(id, what_it_came_to(result->outcome), result->outcome.state == StudentState::graded,
                        0);
    }
    figures = progress.figures();
    if (look % kLooksAQuery == 0) {
      const auto queue = slurm->queued(job_name(out));
      // Ignores an error of squeue (Slurm's controller is unreachable), because the next query may succeed.
      if (queue && queue->empty()) {
        // Counts all students as done, including those whose results were imported before this run.
        figures.done = figures.total;
        return true;
      }
    }
    std::this_thread::sleep_for(kLookInterval);
  }
  return false;
}

}  // namespace warpmark::classroom
