#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/judge/judge.h"
#include "harness/model/grade.h"
#include "harness/sandbox/level.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

// Values; far above any memory, and far below where a size in bytes overflows.
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 36;
constexpr unsigned kMostJobs = 1024;

struct Arguments {
  std::string submission;
  std::string assignment;
  std::string engine = "auto";
  std::string only = "*";
  std::string out;
  std::string rubric;
  std::string type;
  std::string seed;
  std::string sandbox = "auto";
  std::uint64_t size = 0;
  bool has_size = false;
  unsigned jobs = 0;
};

// Decimal, or hexadecimal after 0x, as a grade prints seeds.
std::optional<std::uint64_t> parse_seed(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A folder for the reports of a submission: its name, with nothing in it that a path or shell would stumble
// over.
fs::path default_out(const fs::path& root, const Grade& grade) {
  std::string name;
  for (const char c : grade.submission_name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    name += plain ? c : '_';
  }
  if (name.find_first_not_of('.') == std::string::npos) name = "submission";
  return root / "reports" / "out" / name;
}

Result<void> write_reports(const Grade& grade, const fs::path& out) {
  if (auto ready = make_folder(out); !ready) return ready;
  const std::pair<const char*, std::string> files[] = {
      {"grade.json", to_json(grade)}, {"index.html", to_html(grade)}, {"junit.xml", to_junit(grade)}};
  for (const auto& [name, text] : files) {
    if (auto written = write_file(out / name, text); !written) return written;
  }
  return {};
}

int unusable(const std::string& message) {
  fmt::print(stderr, "warpmark grade: {}\n", message);
  return kUnusable;
}

int grade(judge::Installation installation, const Arguments& arguments) {
  const auto level = sandbox::level_from(arguments.sandbox);
  installation.sandbox = level.value_or(sandbox::best_level());
  if (installation.sandbox > sandbox::best_level()) {
    const sandbox::Machine& machine = sandbox::machine();
    return unusable(fmt::format("--sandbox box: {}; {}", machine.trouble, machine.remedy));
  }
  judge::GradeOptions options;
  options.submission = arguments.submission;
  options.assignment = arguments.assignment;
  if (arguments.engine != "auto")
    options.engine = arguments.engine == "gpu" ? Engine::gpu : Engine::simulator;
  options.only = arguments.only;
  options.rubric = arguments.rubric;
  options.cache = installation.programs.parent_path() / "cache";
  options.jobs = arguments.jobs;
  options.focus.type = arguments.type;
  if (arguments.has_size) options.focus.size = arguments.size;
  if (!arguments.seed.empty()) {
    options.focus.seed = parse_seed(arguments.seed);
    if (!options.focus.seed)
      return unusable(fmt::format("--seed {}: not a number (decimal, or 0x...)", arguments.seed));
  }
  if (!arguments.out.empty()) {
    if (auto ready = make_folder(arguments.out); !ready) return unusable(ready.error().message);
  }
  options.progress = progress_printer();

  const auto graded = judge::grade_submission(installation, options);
  end_progress();
  if (!graded) return unusable(graded.error().message);
  const fs::path out =
      arguments.out.empty() ? default_out(installation.root, *graded) : fs::path(arguments.out);
  fmt::print("{}\n", to_console(*graded, style_of_the_terminal()));
  if (auto written = write_reports(*graded, out); !written) return unusable(written.error().message);
  fmt::print("report: {}\n", (fs::absolute(out) / "index.html").string());
  return graded->exit_status;
}

}  // namespace

Run add_grade_command(CLI::App& app, const judge::Installation& installation) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("grade", "Grade one submission and write grade.json, index.html and junit.xml");
  command->add_option("DIR", arguments->submission, "The folder with the .cu files")->required();
  command->add_option("--assignment", arguments->assignment,
                      "Which assignment it is (default: told by its files)");
  command->add_option("--engine", arguments->engine, "auto: the GPU if there is one, else the simulator")
      ->check(CLI::IsMember({"auto", "gpu", "simulator"}))
      ->capture_default_str();
  command
      ->add_option("--only", arguments->only,
                   "Only the checks whose id matches, e.g. v07_tree_sequential or '*.correct'")
      ->capture_default_str();
  command->add_option("--out", arguments->out, "Where the reports go (default: reports/out/<name>)");
  command->add_option("--rubric", arguments->rubric, "Another rubric than the assignment's own")
      ->check(CLI::ExistingFile);
  command->add_option("--type", arguments->type, "Only this value type");
  auto* size = command->add_option("--size", arguments->size, "Only this input size, in values")
                   ->check(CLI::Range(std::uint64_t{0}, kLargestSize));
  command->add_option("--seed", arguments->seed, "The seed that a failure was printed with");
  command
      ->add_option(
          "--sandbox", arguments->sandbox,
          "How compilers and the submission are held off from this machine: box (namespaces of their "
          "own), process (limits), none; auto: the best that works here")
      ->check(CLI::IsMember({"auto", "box", "process", "none"}))
      ->capture_default_str();
  command->add_option("--jobs", arguments->jobs, "How much to do at a time (default: one a core)")
      ->check(CLI::Range(1U, kMostJobs));
  return [arguments, size, installation] {
    arguments->has_size = size->count() != 0;
    return grade(installation, *arguments);
  };
}

}  // namespace warpmark::cli
