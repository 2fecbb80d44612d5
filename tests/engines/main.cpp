// Grades the fixtures of all corpora on the GPU and on the simulator, and prints each difference in verdict,
// first cause and line. README.md says how.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/judge/workers/engines.h"
#include "tests/engines/choice.h"
#include "tests/engines/differences.h"
#include "tests/engines/runner.h"
#include "tests/mistakes/graded.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark;
using namespace warpmark::engines;

constexpr int kUnusable = 2;
constexpr int kNotRun = 77;  // as the other tests that need a GPU: SKIP_RETURN_CODE of ctest

struct Arguments {
  Choice choice;
  std::string engines = "gpu,simulator";
  std::string into;
  std::vector<std::string> merged;
  std::vector<std::string> classes;
  std::string reasons = WARPMARK_REASONS;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency() / 2);
  unsigned seconds = 24 * 3600;
  bool lists = false;
  // Of a process that grades one fixture.
  std::string grade, run, to;
  unsigned threads = 1;
};

int complain(const std::string& message) {
  fmt::print(stderr, "engines_table: {}\n", message);
  return kUnusable;
}

std::vector<std::string> ids_of(const std::vector<const Fixture*>& fixtures) {
  std::vector<std::string> ids;
  for (const Fixture* each : fixtures) ids.push_back(each->id());
  return ids;
}

int report(const Comparison& comparison) {
  fmt::print("{}", to_text(comparison));
  return comparison.is_settled() ? 0 : 1;
}

int compare_classes(const std::vector<std::string>& folders) {
  std::vector<Record> records;
  for (const std::string& folder : folders) {
    auto of_class = records_of_class(folder, folder);
    if (!of_class) return complain(of_class.error().message);
    std::ranges::move(*of_class, std::back_inserter(records));
  }
  std::set<std::string> students;
  for (const Record& record : records) students.insert(record.fixture);
  const std::vector<std::string> all(students.begin(), students.end());
  return report(compare(records, folders, all, all, {}));
}

int grade_one(const std::vector<Fixture>& all, const Arguments& arguments) {
  const auto found = std::ranges::find(all, arguments.grade, &Fixture::id);
  if (found == all.end()) return complain("there is no fixture " + arguments.grade);
  const auto graded = grade_into(*found, arguments.run, arguments.threads, arguments.to);
  return graded ? 0 : complain(graded.error().message);
}

bool has_gpu() {
  return judge::find_engines({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, judge::kEngineLimit)
      .has(Engine::gpu);
}

// Grades what has no record in the folder yet.
void grade_missing(const std::vector<const Fixture*>& fixtures, const std::vector<std::string>& runs,
                   const Arguments& arguments, const fs::path& into) {
  std::set<std::pair<std::string, std::string>> there;
  for (const Record& record : read_records({into})) there.insert({record.fixture, record.run});
  Plan plan;
  for (const Fixture* fixture : fixtures) {
    for (const std::string& run : runs) {
      if (!there.contains({fixture->id(), run})) plan.tasks.push_back({fixture, run});
    }
  }
  plan.program = fs::read_symlink("/proc/self/exe");
  plan.records = into / fmt::format("{}.{}.jsonl", std::time(nullptr), ::getpid());
  plan.jobs = arguments.jobs;
  plan.threads = std::max(1U, std::thread::hardware_concurrency() / arguments.jobs);
  plan.limit = std::chrono::seconds(arguments.seconds);
  run(plan);
}

int table(const Arguments& arguments) {
  const TemporaryFolder own;
  if (auto written = mistakes::write_shapes(own.path()); !written) return complain(written.error().message);
  const auto all = all_fixtures();
  if (!all) return complain(all.error().message);
  if (!arguments.grade.empty()) return grade_one(*all, arguments);
  const auto fixtures = chosen(*all, arguments.choice);
  if (fixtures.empty()) return complain("no fixture of that name; --list prints them all");
  if (arguments.lists) {
    for (const Fixture* each : fixtures) fmt::print("{}\n", each->id());
    return 0;
  }
  const auto reasons = read_reasons(arguments.reasons);
  if (!reasons) return complain(reasons.error().message);
  const auto runs = runs_of(arguments.engines);
  std::vector<fs::path> folders(arguments.merged.begin(), arguments.merged.end());
  const TemporaryFolder scratch;
  if (folders.empty()) {
    if (arguments.engines.find("gpu") != std::string::npos && !has_gpu()) {
      fmt::print("not run: no CUDA device\n");
      return kNotRun;
    }
    folders = {arguments.into.empty() ? scratch.path() : fs::path(arguments.into)};
    fs::create_directories(folders.front());
    grade_missing(fixtures, runs, arguments, folders.front());
  }
  std::vector<std::string> known;
  for (const Fixture& each : *all) known.push_back(each.id());
  return report(compare(read_records(folders), runs, ids_of(fixtures), known, *reasons));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Grades every fixture of the corpora on both engines, without `fast`, and prints what differs");
  app.add_option("--corpus", arguments.choice.corpora,
                 "Only these: mistakes, odd, hostile, honest, submissions, pictures")
      ->check(CLI::IsMember({"mistakes", "odd", "hostile", "honest", "submissions", "pictures"}));
  app.add_option("--only", arguments.choice.only, "Only fixtures whose name, or corpus/name, matches");
  app.add_option_function<std::string>(
      "--shard",
      [&](const std::string& text) {
        if (!read_shard(text, arguments.choice)) throw CLI::ValidationError("--shard I/N", "I is 1 to N");
      },
      "Only the I-th of N parts of them: I/N");
  app.add_option("--jobs", arguments.jobs, "Grades at a time (default: half of the cores)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seconds", arguments.seconds, "Stop after so many seconds; --into continues later");
  app.add_option(
      "--into", arguments.into,
      "Append the records, a line of JSON per grade, to a file in this folder, and grade only what has no "
      "record there");
  app.add_option("--merge", arguments.merged,
                 "Grade nothing: print the table of the records in these folders");
  app.add_option("--engines", arguments.engines,
                 "The runs to compare: gpu,simulator (default); gpu,gpu,simulator")
      ->check([](const std::string& text) {
        const bool right = std::ranges::all_of(CLI::detail::split(text, ','), [](const std::string& name) {
          return name == "gpu" || name == "simulator" || name == kStandIn;
        });
        return right ? std::string() : "gpu, simulator and stand-in, with commas between them";
      });
  app.add_option("--reasons", arguments.reasons, "The table of reasons")->check(CLI::ExistingFile);
  app.add_option("--classes", arguments.classes,
                 "Compare these output folders of `warpmark class` instead, student by student")
      ->expected(2, CLI::detail::expected_max_vector_size);
  app.add_flag("--list", arguments.lists, "Print the fixtures that would be graded");
  for (auto& [name, text] :
       {std::pair{"--grade", &arguments.grade}, {"--run", &arguments.run}, {"--to", &arguments.to}})
    app.add_option(name, *text)->group("");
  app.add_option("--threads", arguments.threads)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUnusable;
  }
  try {
    return arguments.classes.empty() ? table(arguments) : compare_classes(arguments.classes);
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
