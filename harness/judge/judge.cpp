#include "harness/judge/judge.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include "harness/assignments/assignment.h"
#include "harness/judge/engines.h"
#include "harness/judge/grading.h"
#include "harness/judge/submission.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr auto kEngineLimit = std::chrono::seconds(30);  // for a worker to say hello; CUDA starts in 0.2 s

std::uint64_t seed_from_the_system() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  return seed;
}

const Assignment* find_assignment(const std::string& name, std::unique_ptr<Assignment>& holder) {
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name == name) return (holder = entry.make()).get();
  }
  return nullptr;
}

}  // namespace

Result<Grade> grade_submission(const Installation& installation, const GradeOptions& options) {
  std::error_code error;
  if (!fs::exists(options.submission, error)) {
    return fail(fmt::format("{}: there is no such folder", options.submission.string()));
  }
  if (!fs::is_directory(options.submission, error)) {
    return fail(fmt::format("{} is not a folder; name the folder that holds the .cu files",
                            options.submission.string()));
  }
  std::string name = options.assignment;
  if (name.empty()) {
    auto recognised = recognise_assignment(options.submission, installation.root);
    if (!recognised) return tl::unexpected(recognised.error());
    name = std::move(*recognised);
  }
  std::unique_ptr<Assignment> holder;
  const Assignment* assignment = find_assignment(name, holder);
  if (assignment == nullptr) {
    std::string known;
    for (const AssignmentEntry& entry : assignments())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
    return fail(fmt::format("no assignment is called {}; known: {}", name, known));
  }
  const fs::path rubric_file =
      options.rubric.empty() ? assignment_folder(installation.root, name) / "rubric.toml" : options.rubric;
  auto rubric = read_rubric(rubric_file, name);
  if (!rubric) return tl::unexpected(rubric.error());
  *rubric = rubric_for(std::move(*rubric), options.submission);
  for (const std::string& type : rubric->types) {
    if (assignment->data_classes(type).empty()) {
      return fail(fmt::format("{}: types names \"{}\", which the assignment does not know",
                              rubric_file.string(), type));
    }
  }
  const std::string& type = options.focus.type;
  if (!type.empty() && std::find(rubric->types.begin(), rubric->types.end(), type) == rubric->types.end()) {
    return fail(fmt::format("--type {}: the rubric grades {}", type, fmt::join(rubric->types, ", ")));
  }
  auto submission = take_in(options.submission, *rubric, installation.root);
  if (!submission) return tl::unexpected(submission.error());

  const Engines engines = find_engines(installation, kEngineLimit);
  const Engine main_engine =
      options.engine.value_or(engines.has(Engine::gpu) ? Engine::gpu : Engine::simulator);
  if (options.engine == Engine::gpu && !engines.has(Engine::gpu)) {
    return fail(fmt::format("--engine gpu: {}; leave the option out to grade on the simulator",
                            engines.missing.at(Engine::gpu).message));
  }
  const std::uint64_t seed = options.focus.seed.value_or(seed_from_the_system());
  Grade grade =
      Grading(installation, options, *rubric, *assignment, *submission, engines, main_engine, seed).run();
  if (grade.checks.empty()) return fail(fmt::format("--only {} selects no check of {}", options.only, name));
  return grade;
}

}  // namespace warpmark::judge
