#include "harness/judge/judge.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/judge/grading.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/joined.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/passed.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/programs/program_grading.h"
#include "harness/judge/rounding.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/selection.h"
#include "harness/judge/speed/fitting.h"
#include "harness/judge/speed/predicted.h"
#include "harness/judge/workers/engines.h"

namespace warpmark::judge {

namespace {

// Returns the grade as it is reported: with help on what passed, and as the student's copy, if one was asked
// for.
Result<Grade> reported(Grade grade, const GradeOptions& options, const Opened& opened) {
  if (grade.checks.empty())
    return fail(fmt::format("--only {} selects no check of {}", options.only, opened.assignment_name));
  add_passed(grade, opened.rubric);
  if (!options.attempt) return grade;
  return copy_for_student(std::move(grade), opened.rubric.help,
                          {static_cast<std::int64_t>(std::time(nullptr)), *options.attempt});
}

// Returns the part of a grade that needs a GPU, on a machine without one: nothing runs.
Grade part_without_gpu(const Course& course, const Submission& submission, const Engines& engines) {
  Outcomes outcomes({});
  const auto record = [&](const CheckKey& key) {
    outcomes.record(key, Engine::gpu, {{engines.missing.at(Engine::gpu)}, 0});
  };
  for (const VersionRule& version : course.rubric.versions) {
    for (const Check check : version.checks) record({version.name, check});
  }
  record(upload_key());
  return outcomes.assemble(course, submission, engines.only(Engine::gpu), Engine::gpu);
}

bool is_part_without_gpu(const GradeOptions& options, const Engines& engines) {
  return options.gpu_part && !options.engine && !engines.has(Engine::gpu);
}

Result<Grade> grade_opened_programs(const Installation& installation, const GradeOptions& options,
                                    const Opened& opened) {
  Rubric asked = rubric_for(opened.submission, opened.rubric);
  if (options.gpu_part) asked = gpu_part_of(std::move(asked));
  const Course course = resolve(asked, std::nullopt, {options.focus, options.only});
  const bool timed_on_host = std::ranges::any_of(course.rubric.versions, [&](const VersionRule& version) {
    return version.has(Check::fast) && !needs_gpu(version, *course.rubric.program);
  });
  const Engines engines = find_engines(installation, kEngineLimit, timed_on_host);
  if (is_part_without_gpu(options, engines))
    return reported(part_without_gpu(course, opened.submission, engines), options, opened);
  auto grade = grade_programs(installation, options, course, opened.submission, engines);
  if (!grade) return grade;
  return reported(std::move(*grade), options, opened);
}

// Replaces the assignment's generated inputs by the user's files. Returns `focus`, the user's choice of test
// inputs, with its input size set to that of the files.
Result<Focus> take_data(const DataFiles& data, Opened& opened, Focus focus) {
  if (data.files.empty()) return focus;
  auto own = opened.assignment->with_files(data);
  if (!own) return tl::unexpected(own.error());
  opened.assignment = std::move(own->assignment);
  focus.size = own->size;
  return focus;
}

// Returns how many worker processes may use the GPU at the same time, each with the largest tested input.
unsigned jobs_on(const Device& gpu, unsigned asked, const Rubric& rubric, const Assignment& assignment) {
  std::uint64_t bytes = 0;
  for (const auto* sizes : {&rubric.correct.sizes, &rubric.correct.gpu_sizes}) {
    for (const Size& size : *sizes) {
      const std::string& type = rubric.types.front();
      const auto buffers =
          assignment.make(assignment.case_of(type, assignment.data_classes(type).front(), size, 0))
              ->buffers();
      bytes = std::max(bytes, timed_bytes(buffers));
    }
  }
  const unsigned jobs = asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
  return jobs_that_fit(jobs, gpu.free_bytes, bytes);
}

}  // namespace

Result<Grade> grade_submission(const Installation& installation, const GradeOptions& options) try {
  auto opened =
      open_submission(options.submission, options.assignment, options.rubric, installation, options.cache);
  if (!opened) return tl::unexpected(opened.error());
  const Rubric& rubric = opened->rubric;
  if (rubric.program) return grade_opened_programs(installation, options, *opened);
  if (!options.focus.test.empty())
    return fail(
        fmt::format("--case {}: only assignments whose submissions are programs have cases; --size "
                    "chooses an input of {}",
                    options.focus.test, opened->assignment_name));
  const std::string& type = options.focus.type;
  if (!type.empty() && std::find(rubric.types.begin(), rubric.types.end(), type) == rubric.types.end()) {
    return fail(fmt::format("--type {}: the rubric grades {}", type, fmt::join(rubric.types, ", ")));
  }

  if (auto sound = check_size(options.focus.size, *opened); !sound) return tl::unexpected(sound.error());
  const auto focus = take_data(options.data, *opened, options.focus);
  if (!focus) return tl::unexpected(focus.error());

  const bool host_alone = options.engine == Engine::host;
  if (host_alone && !rubric.has_host_versions())
    return fail(fmt::format("--engine host: {} has no versions of C++", opened->assignment_name));
  Engines engines =
      find_engines(installation, kEngineLimit, rubric.has_host_versions() || rubric.has_ranks());
  if (rubric.has_ranks()) look_for_mpi(engines);
  const Engine main_engine = options.engine && !host_alone ? *options.engine
                             : engines.has(Engine::gpu)    ? Engine::gpu
                                                           : Engine::simulator;
  if (options.engine == Engine::gpu && !engines.has(Engine::gpu)) {
    return fail(fmt::format("--engine gpu: {}; leave the option out to grade on the simulator",
                            engines.missing.at(Engine::gpu).message));
  }
  Rubric asked = rubric_for(opened->submission, rubric);
  if (host_alone) {
    std::erase_if(asked.versions, [](const VersionRule& version) { return !version.host; });
    asked.upload.clear();
  }
  if (options.gpu_part) {
    asked = gpu_part_of(std::move(asked));
    engines = engines.only(main_engine);
    engines.missing.try_emplace(
        Engine::simulator,
        make_cause(CauseKind::no_gpu, "the version needs more GPUs than this machine has"));
  }
  Course course = resolve(asked, std::nullopt, {*focus, options.only});
  if (is_part_without_gpu(options, engines))
    return reported(part_without_gpu(course, opened->submission, engines), options, *opened);
  GradeOptions fitting = options;
  if (main_engine == Engine::gpu) {
    fitting.jobs = jobs_on(engines.devices.at(Engine::gpu), options.jobs, asked, *opened->assignment);
    auto basis = speed_basis({installation, course, *opened->assignment, opened->submission, engines,
                              options.cache, fitting.jobs, [&](const std::string& line) {
                                if (options.progress) options.progress(line);
                              }});
    if (!basis) return tl::unexpected(basis.error());
    course = resolve(asked, basis->thresholds, {*focus, options.only, 0, basis->conditions});
  }
  const std::uint64_t seed = options.focus.seed.value_or(seed_from_the_system());
  Grade grade = Grading(installation, fitting, course, *opened->assignment, opened->submission, engines,
                        main_engine, seed)
                    .run();
  // Students, who never grade the reference, read nothing of tolerances.
  if (std::error_code error; std::filesystem::equivalent(options.submission, rubric.home.reference, error)) {
    for (CheckResult& check : grade.checks) {
      for (Cause& cause : check.causes) cause.message += tolerance_advice(rubric, cause);
    }
  }
  return reported(std::move(grade), options, *opened);
} catch (const AssignmentFault& fault) {
  return fail(fault.what());
}

}  // namespace warpmark::judge
