#include "harness/class/run/coordinator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/base/parallel.h"
#include "harness/class/run/files.h"
#include "harness/class/run/grader.h"
#include "harness/class/run/results.h"

namespace warpmark::classroom {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Returns the mean number of entries in the submissions' folders.
double files_each(const std::filesystem::path& submissions, const std::vector<const Taken*>& tasks) {
  std::ptrdiff_t all = 0;
  for (const Taken* task : tasks) {
    std::error_code error;
    const std::filesystem::directory_iterator entries(submissions / task->id, error);
    if (!error) all += std::distance(begin(entries), end(entries));
  }
  return tasks.empty() ? 0 : static_cast<double>(all) / static_cast<double>(tasks.size());
}

// Returns the processor time, in seconds, of all child processes that have ended, and of theirs.
double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

unsigned gradings_at_a_time(unsigned cores, std::size_t gpus, double files) {
  if (gpus == 0) return cores;
  // on each GPU: one measures, one computes, one compiles
  const double fewest = 3.0 * static_cast<double>(gpus);
  const double kept_busy = 6 * cores / std::max(1.0, files);
  return static_cast<unsigned>(
      std::lround(std::clamp<double>(kept_busy, std::min<double>(fewest, cores), cores)));
}

std::string what_it_came_to(const Outcome& outcome) {
  if (outcome.state != StudentState::graded) return outcome.cause ? outcome.cause->message : "no grade";
  const std::string open = outcome.score.open > 0 ? fmt::format(", {:g} open", outcome.score.open) : "";
  const std::string bonus = outcome.score.bonus > 0 ? fmt::format(" + {:g} bonus", outcome.score.bonus) : "";
  return fmt::format("{:g} of {:g} points{}{}", outcome.score.points, outcome.score.possible, bonus, open);
}

Coordinator::Coordinator(const judge::Installation& installation, ClassOptions options, Home& home,
                         const TakenClass& taken, Rules rules, Shelf shelf, GpuWatch watch)
    : installation_(installation),
      options_(std::move(options)),
      home_(home),
      taken_(taken),
      rules_(std::move(rules)),
      shelf_(shelf),
      cores_(std::max(1U, std::thread::hardware_concurrency())),
      devices_(device_names(rules_.gpus, variable("CUDA_VISIBLE_DEVICES"))),
      watch_(std::move(watch)) {}

Result<std::vector<const Taken*>> Coordinator::plan() {
  std::vector<const Taken*> tasks;
  std::size_t by_other_rules = 0;
  const auto current = home_.journal.outcomes(Shelf::current);
  const auto shadow = shelf_ == Shelf::shadow ? home_.journal.outcomes(shelf_) : current;
  for (const Taken& student : taken_.students) {
    if (student.content.empty()) continue;
    if (is_settled(student, shadow)) continue;
    if (shelf_ == Shelf::shadow && is_settled(student, current)) {
      home_.journal.set_outcome(shelf_, student.id, *home_.journal.outcome(Shelf::current, student.id));
      continue;
    }
    const auto found = current.find(student.id);
    if (shelf_ == Shelf::current && found != current.end() && found->second.content == student.content &&
        found->second.rules != rules_.digest) {
      ++by_other_rules;
    }
    tasks.push_back(&student);
  }
  if (by_other_rules > 0) {
    return fail(
        fmt::format("{} grades in {}, of unchanged submissions, come from another rubric, Warpmark version "
                    "or machine; `class --out {} --regrade` shows what would change before it changes",
                    by_other_rules, home_.out.string(), home_.out.string()));
  }
  return tasks;
}

bool Coordinator::grade(std::vector<const Taken*> tasks, const std::stop_token& stop,
                        ProgressFigures& figures) {
  const unsigned at_a_time = std::min<unsigned>(
      options_.jobs > 0
          ? options_.jobs
          : gradings_at_a_time(cores_, rules_.gpus, files_each(home_.out / "submissions", tasks)),
      static_cast<unsigned>(std::max<std::size_t>(1, tasks.size())));
  Progress progress(tasks.size(), ::isatty(STDERR_FILENO) != 0);
  const double before = processor_seconds();
  run_all(tasks, at_a_time, stop, &progress);
  figures = progress.figures();
  figures.processor_seconds = processor_seconds() - before;
  // Retries inconclusive and broken results once at the end, one at a time, because the conditions that
  // caused them may have been transient.
  const auto outcomes = home_.journal.outcomes(shelf_);
  std::erase_if(tasks, [&](const Taken* task) {
    const auto found = outcomes.find(task->id);
    return found == outcomes.end() || !found->second.again;
  });
  second_try_ = true;
  run_all(tasks, 1, stop, nullptr);
  return !stop.stop_requested() && trouble().empty();
}

bool Coordinator::is_settled(const Taken& student, const std::map<std::string, Outcome>& outcomes) const {
  const auto found = outcomes.find(student.id);
  return found != outcomes.end() && found->second.content == student.content &&
         found->second.rules == rules_.digest && !found->second.again &&
         found->second.state != StudentState::broken;
}

void Coordinator::run_all(const std::vector<const Taken*>& tasks, unsigned at_a_time,
                          const std::stop_token& stop, Progress* progress) {
  in_parallel(tasks.size(), at_a_time, [&](std::size_t i) {
    if (stop.stop_requested() || !trouble().empty()) return;
    GradeTask task;
    task.taken = tasks[i];
    task.submissions = home_.out / "submissions";
    task.work = home_.out / ".work" / tasks[i]->id;
    task.rubric = options_.rubric;
    task.assignment = taken_.place();
    task.seed = home_.journal.fact("seed");
    task.rules = rules_.digest;
    // Those on a GPU wait for each other, and leave their cores to others meanwhile.
    task.jobs = std::max(1U, (rules_.gpus > 0 ? 2 : 1) * cores_ / at_a_time);
    const auto lease = devices_.take();
    task.device = lease.name();
    auto outcome = grade_one(options_, sandbox::name_of(installation_.sandbox), task, stop);
    if (!outcome) return;
    if (second_try_) outcome->again = false;
    if (rules_.gpus > 0) {
      if (std::string lost = hold_against_gpus(watch_, *outcome); !lost.empty()) {
        const std::scoped_lock lock(trouble_mutex_);
        trouble_ = std::move(lost);
      }
    }
    home_.journal.set_outcome(shelf_, tasks[i]->id, *outcome);
    if (shelf_ == Shelf::current) show_one(*tasks[i], *outcome);
    if (progress != nullptr)
      progress->finished(tasks[i]->id, what_it_came_to(*outcome), outcome->state == StudentState::graded,
                         outcome->gpu_seconds);
  });
}

std::string Coordinator::trouble() const {
  const std::scoped_lock lock(trouble_mutex_);
  return trouble_;
}

void Coordinator::show_one(const Taken& taken, const Outcome& outcome) {
  TakenClass one;
  one.assignment = taken_.assignment;
  one.folder = taken_.folder;
  one.students = {taken};
  const ClassResult result = compose(one, {{taken.id, outcome}}, home_.journal.corrections(), rules_.rubric);
  write_student(home_.out, result.students.front(), taken_.assignment, outcome.grade, rules_.rubric.help,
                sight_of(home_.journal, taken));
}

}  // namespace warpmark::classroom
