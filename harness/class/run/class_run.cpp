#include "harness/class/run/class_run.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/parallel.h"
#include "harness/class/alike/class_alike.h"
#include "harness/class/journal/lock.h"
#include "harness/class/run/files.h"
#include "harness/class/run/grader.h"
#include "harness/class/run/results.h"
#include "harness/class/run/rules.h"
#include "harness/class/run/take_in.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/plan.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfinished = "unfinished";  // "intake", "grading", or nothing

// The folder, its lock and its journal.
struct Home {
  fs::path out;
  Lock lock;
  Journal journal;
};

Result<Home> open_home(const fs::path& out) {
  std::error_code error;
  fs::create_directories(out, error);
  if (error)
    return fail(fmt::format("{}: {}; choose another folder with --out DIR", out.string(), error.message()));
  auto lock = Lock::take(out);
  if (!lock) return tl::unexpected(lock.error());
  auto journal = Journal::open(out);
  if (!journal) return tl::unexpected(journal.error());
  return Home{fs::canonical(out), std::move(*lock), std::move(*journal)};
}

Result<Home> open_existing(const fs::path& out) {
  if (!Journal::exists(out))
    return fail(fmt::format("{} holds no class; grade one first with `class INPUT... --out`", out.string()));
  return open_home(out);
}

std::string what_it_came_to(const Outcome& outcome) {
  if (outcome.state != StudentState::graded) return outcome.cause ? outcome.cause->message : "no grade";
  const std::string open = outcome.score.open > 0 ? fmt::format(", {:g} open", outcome.score.open) : "";
  return fmt::format("{:g} of {:g} points{}", outcome.score.points, outcome.score.possible, open);
}

class Coordinator {
 public:
  Coordinator(const judge::Installation& installation, ClassOptions options, Home& home, TakenClass taken,
              Rules rules, Shelf shelf)
      : installation_(installation),
        options_(std::move(options)),
        home_(home),
        taken_(std::move(taken)),
        rules_(std::move(rules)),
        shelf_(shelf),
        cores_(std::max(1U, std::thread::hardware_concurrency())) {}

  // The students to grade: those whose submission has no grade by these rules. The others keep theirs.
  Result<std::vector<const Taken*>> plan() {
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
          fmt::format("{} grades in {} were made by another rubric, Warpmark or machine, of submissions that "
                      "have not changed; "
                      "`class --out {} --regrade` shows what would change before it changes",
                      by_other_rules, home_.out.string(), home_.out.string()));
    }
    return tasks;
  }

  // Whether all of it was done.
  bool grade(std::vector<const Taken*> tasks, const std::stop_token& stop, ProgressFigures& figures) {
    const unsigned at_a_time =
        std::min<unsigned>(options_.jobs > 0 ? options_.jobs : cores_,
                           static_cast<unsigned>(std::max<std::size_t>(1, tasks.size())));
    Progress progress(tasks.size(), ::isatty(STDERR_FILENO) != 0);
    run_all(tasks, at_a_time, stop, &progress);
    figures = progress.figures();
    // Noise and our own faults may be of the moment: a second try at the end, one at a time.
    const auto outcomes = home_.journal.outcomes(shelf_);
    std::erase_if(tasks, [&](const Taken* task) {
      const auto found = outcomes.find(task->id);
      return found == outcomes.end() || !found->second.again;
    });
    second_try_ = true;
    run_all(tasks, 1, stop, nullptr);
    return !stop.stop_requested();
  }

 private:
  [[nodiscard]] bool is_settled(const Taken& student, const std::map<std::string, Outcome>& outcomes) const {
    const auto found = outcomes.find(student.id);
    return found != outcomes.end() && found->second.content == student.content &&
           found->second.rules == rules_.digest && !found->second.again &&
           found->second.state != StudentState::broken;
  }

  void run_all(const std::vector<const Taken*>& tasks, unsigned at_a_time, const std::stop_token& stop,
               Progress* progress) {
    in_parallel(tasks.size(), at_a_time, [&](std::size_t i) {
      if (stop.stop_requested()) return;
      GradeTask task;
      task.taken = tasks[i];
      task.submissions = home_.out / "submissions";
      task.work = home_.out / ".work" / tasks[i]->id;
      task.rubric = options_.rubric;
      task.assignment = taken_.assignment;
      task.seed = home_.journal.fact("seed");
      task.rules = rules_.digest;
      task.jobs = std::max(1U, cores_ / at_a_time);
      auto outcome = grade_one(options_, sandbox::name_of(installation_.sandbox), task, stop);
      if (!outcome) return;
      if (second_try_) outcome->again = false;
      home_.journal.set_outcome(shelf_, tasks[i]->id, *outcome);
      if (shelf_ == Shelf::current) show_one(*tasks[i], *outcome);
      if (progress != nullptr)
        progress->finished(tasks[i]->id, what_it_came_to(*outcome), outcome->state == StudentState::graded);
    });
  }

  // One student's files, from what was just committed.
  void show_one(const Taken& taken, const Outcome& outcome) {
    TakenClass one;
    one.assignment = taken_.assignment;
    one.students = {taken};
    const ClassResult result =
        compose(one, {{taken.id, outcome}}, home_.journal.corrections(), rules_.rubric);
    write_student(home_.out, result.students.front(), taken_.assignment, outcome.grade);
  }

  const judge::Installation& installation_;
  ClassOptions options_;
  Home& home_;
  TakenClass taken_;
  Rules rules_;
  Shelf shelf_;
  unsigned cores_;
  std::atomic<bool> second_try_ = false;
};

std::string seed_text(std::uint64_t seed) {
  return fmt::format("{:#x}", seed);
}

// What the journal says of the run before, in place of what was not given again.
Result<ClassOptions> stored_options(const Journal& journal, ClassOptions options) {
  ClassOptions stored = options;
  if (!read_options(journal.fact("options"), stored))
    return fail("the run before has left no options; give the inputs again");
  stored.rubric = journal.fact("rubric");
  stored.out = options.out;
  return stored;
}

// The class of a run: taken in anew, or what the journal has of the run before.
Result<TakenClass> class_of(const judge::Installation& installation, const ClassOptions& options, Mode mode,
                            Journal& journal) {
  const bool keeps = mode == Mode::regrade || (mode == Mode::resume && journal.fact(kUnfinished) != "intake");
  if (keeps) {
    auto taken = journal.taken();
    if (taken) return std::move(*taken);
  }
  const auto known = known_assignments(installation);
  if (!known) return tl::unexpected(known.error());
  std::map<std::string, std::string> facts{
      {"options", to_json(options)},
      {"rubric", options.rubric.empty() ? "" : fs::absolute(options.rubric).string()},
      {kUnfinished, "intake"}};
  // A resumed run keeps its seed, so that it comes to what it would have come to.
  if (mode != Mode::resume) facts["seed"] = seed_text(options.seed.value_or(judge::seed_from_the_system()));
  journal.set_facts(facts);
  return take_in_class(options, *known, journal);
}

Result<Rules> rules_for(const judge::Installation& installation, const ClassOptions& options,
                        const TakenClass& taken) {
  const judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit);
  if (options.engine == "gpu" && !engines.has(Engine::gpu)) {
    return fail(fmt::format("--engine gpu: {}; leave the option out to grade on the simulator",
                            engines.missing.at(Engine::gpu).message));
  }
  return rules_of(installation, engines, taken.assignment, options.rubric, options.engine);
}

// The rubric that the grades which count were made by, as it was then.
fs::path rubric_copy(const fs::path& folder) {
  return folder / "rubric.toml";
}

void keep_rubric(const judge::Installation& installation, const ClassOptions& options,
                 const TakenClass& taken, const fs::path& folder) {
  const fs::path file = options.rubric.empty()
                            ? judge::assignment_folder(installation.root, taken.assignment) / "rubric.toml"
                            : options.rubric;
  fs::create_directories(folder);
  const auto text = read_file(file);
  const auto written = text ? write_file(rubric_copy(folder), *text) : tl::unexpected(text.error());
  if (!written) throw std::runtime_error(written.error().message);
}

// The class as the journal has it, written out anew.
Result<ClassResult> write_all(const judge::Installation& installation, Home& home) {
  const auto taken = home.journal.taken();
  if (!taken) return fail(fmt::format("{} holds no class", home.out.string()));
  const auto rubric = judge::read_rubric(rubric_copy(home.out), taken->assignment);
  if (!rubric) return tl::unexpected(rubric.error());
  ClassResult result =
      compose(*taken, home.journal.outcomes(Shelf::current), home.journal.corrections(), *rubric);
  result.alike = alike_in_class(*taken, home.out / "submissions", *rubric, installation.root);
  for (const StudentResult& student : result.students) {
    const auto outcome =
        student.grade.empty() ? std::nullopt : home.journal.outcome(Shelf::current, student.id);
    write_student(home.out, student, result.assignment, outcome ? outcome->grade : "");
  }
  write_alike(home.out, result.alike);
  write_class(home.out, result);
  return result;
}

Result<ClassRun> shown_again(const judge::Installation& installation, Home& home) {
  auto result = write_all(installation, home);
  if (!result) return tl::unexpected(result.error());
  ClassRun run;
  run.result = std::move(*result);
  return run;
}

// Grades into a shelf what it lacks, and shows the class or what would change in it.
Result<ClassRun> grade_class(const judge::Installation& installation, const ClassOptions& options,
                             Shelf shelf, Home& home, const TakenClass& taken, const std::stop_token& stop) {
  auto rules = rules_for(installation, options, taken);
  if (!rules) return tl::unexpected(rules.error());
  Coordinator coordinator(installation, options, home, taken, std::move(*rules), shelf);
  const bool shadow = shelf == Shelf::shadow;
  if (shadow) home.journal.set_facts({{"shadow_rubric", options.rubric.string()}, {"shadow", "begun"}});
  auto tasks = coordinator.plan();
  if (!tasks) return tl::unexpected(tasks.error());
  keep_rubric(installation, options, taken, shadow ? home.out / "regrade" : home.out);
  if (!shadow) home.journal.set_fact(kUnfinished, "grading");
  ClassRun run;
  run.interrupted = !coordinator.grade(std::move(*tasks), stop, run.figures);
  auto result = write_all(installation, home);
  if (!result) return tl::unexpected(result.error());
  run.result = std::move(*result);
  if (shadow) {
    run.changes = changes_in(home.journal, taken);
    write_changes(home.out, run.changes);
  }
  if (!run.interrupted) home.journal.set_fact(shadow ? "shadow" : kUnfinished, shadow ? "complete" : "");
  return run;
}

}  // namespace

Result<ClassRun> run_class(const judge::Installation& installation, ClassOptions options, Mode mode,
                           const std::stop_token& stop) {
  const bool begins = mode == Mode::grade || (mode == Mode::resume && !options.inputs.empty());
  auto home = begins ? open_home(options.out) : open_existing(options.out);
  if (!home) return tl::unexpected(home.error());
  options.out = home->out;
  // What died before it had written anything down has nothing to be resumed: it begins.
  if (begins && home->journal.fact("options").empty()) mode = Mode::grade;
  if (mode != Mode::grade) {
    const fs::path wanted_rubric = options.rubric;
    auto stored = stored_options(home->journal, options);
    if (!stored) return tl::unexpected(stored.error());
    options = std::move(*stored);
    if (mode == Mode::regrade && !wanted_rubric.empty()) options.rubric = fs::absolute(wanted_rubric);
  }
  auto taken = class_of(installation, options, mode, home->journal);
  if (!taken) return tl::unexpected(taken.error());
  auto run = grade_class(installation, options, mode == Mode::regrade ? Shelf::shadow : Shelf::current, *home,
                         *taken, stop);
  for (const char* scratch : {".work", ".intake"}) {
    std::error_code ignored;
    fs::remove_all(home->out / scratch, ignored);
  }
  return run;
}

Result<ClassRun> finish_regrade(const judge::Installation& installation, const fs::path& out, bool apply) {
  auto home = open_existing(out);
  if (!home) return tl::unexpected(home.error());
  const std::string shadow = home->journal.fact("shadow");
  if (shadow.empty())
    return fail(fmt::format("{} holds no regrade; make one with --regrade", home->out.string()));
  if (apply && shadow != "complete")
    return fail("the regrade was interrupted; finish it with --regrade before it is applied");
  if (apply) {
    // The rubric first: killed in between, --apply can be given again.
    fs::copy_file(rubric_copy(home->out / "regrade"), rubric_copy(home->out),
                  fs::copy_options::overwrite_existing);
    home->journal.apply_shadow();
  } else {
    home->journal.discard_shadow();
  }
  fs::remove_all(home->out / "regrade");
  return shown_again(installation, *home);
}

Result<ClassRun> correct_by_hand(const judge::Installation& installation, const fs::path& out,
                                 const std::string& id, const std::optional<Correction>& correction) {
  auto home = open_existing(out);
  if (!home) return tl::unexpected(home.error());
  const auto taken = home->journal.taken();
  const bool known =
      taken && std::ranges::any_of(taken->students, [&](const Taken& each) { return each.id == id; });
  if (!known)
    return fail(
        fmt::format("no student has the id {}; the ids are in {}", id, (home->out / "grades.csv").string()));
  if (correction) {
    home->journal.correct(id, *correction);
  } else if (!home->journal.withdraw_correction(id)) {
    return fail(fmt::format("{} has no correction", id));
  }
  return shown_again(installation, *home);
}

}  // namespace warpmark::classroom
