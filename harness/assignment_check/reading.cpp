#include "harness/assignment_check/reading.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/assignment_check/programs.h"
#include "harness/assignments/plain/adapter.h"
#include "harness/assignments/stubs.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/oracle/course_functions.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using judge::VersionRule;

// Largest input, in values, for which the CPU reference `expected` is called twice.
constexpr std::uint64_t kLargestCompared = 2'000'000;
// Longest time in seconds that drawing an input for the check `fast` and computing its answer may take, also
// on a machine with other work: a grading needs several answers, and a call of the course's function has 30
// s.
constexpr double kMostSecondsOfAnAnswer = 30;

AssignmentFinding open(std::string message, std::string file = {}, int line = 0, std::string details = {}) {
  return {Standing::open, std::move(message), std::move(file), line, std::move(details)};
}

AssignmentFinding fine(std::string message, std::string file = {}) {
  return {Standing::fine, std::move(message), std::move(file), 0, {}};
}

// Parses a message "file:line: rule", as the readers of TOML and of <solution> marks write it, into a
// finding.
AssignmentFinding placed(const std::string& message, const fs::path& folder = {}) {
  const std::size_t begin = message.find(':');
  const std::size_t end = begin == std::string::npos ? begin : message.find(": ", begin + 1);
  if (end == std::string::npos) return open(message);
  const auto line = number_in<int>(std::string_view(message).substr(begin + 1, end - begin - 1));
  if (!line) return open(message);
  return open(message.substr(end + 2), (folder / message.substr(0, begin)).string(), *line);
}

// Reports a version of the exercise whose solution file is missing, whose <solution> marks are wrong, or
// whose function the contract (the assignment's header) does not declare.
void read_version(const judge::Rubric& rubric, const VersionRule& version, const std::string& contract,
                  std::vector<AssignmentFinding>& findings) {
  const fs::path file = rubric.home.reference / version.file();
  const auto text = read_file(file);
  if (!text) {
    findings.push_back(
        open(fmt::format("the solution of {} is missing; write it, or remove its [[version]]", version.name),
             file.string()));
    return;
  }
  if (!rubric.program && contract.find(version.name) == std::string::npos && !version.host)
    findings.push_back(
        open(fmt::format("the contract does not declare {}; add `NAME_fn {};`", version.name, version.name),
             (rubric.home.folder / rubric.contract).string()));
  if (is_reference_only(*text) || version.reference_only) return;
  const auto stub = cut_stub(*text, version.file());
  if (!stub) {
    findings.push_back(placed(stub.error().message, rubric.home.reference));
  } else if (!version.given && *stub == *text) {
    findings.push_back(open(fmt::format("{} has no // <solution> marks, so that the template holds its "
                                        "solution; mark what students write, or set given = true",
                                        version.name),
                            file.string()));
  } else if (version.given && *stub != *text) {
    findings.push_back(open(
        fmt::format("{} is given, but has // <solution> marks; remove them, or given = true", version.name),
        file.string()));
  }
}

// Reports limits of `work` that a solution can keep by work that adds nothing to the answer.
void read_limits(const judge::Rubric& rubric, const VersionRule& version,
                 std::vector<AssignmentFinding>& findings) {
  for (const judge::WorkLimit& limit : version.work) {
    const auto by = judge::missing_bounds(limit, version.work);
    if (by.empty()) continue;
    findings.push_back(
        {Standing::remark,
         fmt::format("{}: the limit on {} can be kept by work that adds nothing to the answer; "
                     "limit {} from above as well",
                     version.name, rule_of(limit.counter).name, rule_of(by.front()).name),
         rubric.home.rules().string(), 0, ""});
  }
}

// Converts an AssignmentFault, whose message begins with "file:line: " where the place is known, into a
// finding.
AssignmentFinding of_fault(const AssignmentFault& fault) {
  std::string message = fault.what();
  std::string details;
  if (const std::size_t end = message.find('\n'); end != std::string::npos) {
    details = message.substr(end + 1);
    message.resize(end);
  }
  AssignmentFinding finding = placed(message);
  finding.details = std::move(details);
  return finding;
}

std::string numbered(const std::string& text) {
  std::string result;
  int number = 0;
  for (const std::string& line : lines_of(text)) result += fmt::format("{:>4}  {}\n", ++number, line);
  return result;
}

// Compiles the adapter, the code that calls students' functions, for every value type. If it does not
// compile, the finding names the line of its source, or of assignment.toml where the adapter is generated.
void build_adapter(const Setting& setting, bool host, std::vector<AssignmentFinding>& findings) {
  const judge::Rubric& rubric = setting.rubric;
  const Engine engine = host ? Engine::host : Engine::simulator;
  if (!setting.engines.has(engine)) {
    findings.push_back(
        {Standing::elsewhere,
         fmt::format("the adapter is not built: {}", setting.engines.missing.at(engine).message), "", 0, ""});
    return;
  }
  const judge::Submission none{rubric.home.reference, "", "", {}, {}};
  const auto builders = judge::make_builders(
      {setting.installation, rubric, none, setting.engines, engine, setting.options.cache, 1, {}, false, {}});
  for (const std::string& type : rubric.types) {
    const auto request =
        judge::request_of_adapter(setting.installation, rubric, setting.options.cache, host, type);
    const auto built = builders.at(engine).build(request);
    std::string source =
        rubric.plain ? numbered(plain::adapter_of(*rubric.plain, host, rubric.host.contract)) : "";
    if (!built) {
      findings.push_back(open(built.error().message));
    } else if (!built->causes.empty()) {
      const Cause& cause = built->causes.front();
      if (!rubric.plain) {
        findings.push_back(open(fmt::format("the adapter does not compile{}: {}",
                                            type.empty() ? "" : " for " + type, cause.message),
                                request.source.string(), cause.line, cause.details));
        return;
      }
      if (auto fault = plain::fault_of_struct(*rubric.plain, cause.message); !fault.empty()) {
        const int line = plain::line_of_struct(*rubric.plain, fault);
        findings.push_back(open(std::move(fault), rubric.plain->file, line));
        return;
      }
      const std::string& call =
          host && !rubric.plain->host_call.empty() ? rubric.plain->host_call : rubric.plain->call;
      if (cause.message.find("'" + rubric.plain->function_type + "'") != std::string::npos) {
        findings.push_back(open(
            fmt::format("{} declares no type {}: {}. A contract names the type of all versions {}_fn, after "
                        "the assignment's folder; `function` in assignment.toml names another one",
                        rubric.contract, rubric.plain->function_type, cause.message, rubric.plain->name),
            rubric.plain->file, rubric.plain->call_line, cause.details));
        return;
      }
      findings.push_back(open(
          fmt::format(
              "`call` does not compile{}: {}; it reads: {}. Compare it with the parameters of {} in {}{}",
              type.empty() ? "" : " for " + type, cause.message, call, rubric.plain->function_type,
              rubric.contract, setting.options.verbose ? "" : " (--verbose shows the generated adapter)"),
          rubric.plain->file, rubric.plain->call_line,
          setting.options.verbose ? cause.details + "\n" + source : cause.details));
      return;
    } else if (&type == &rubric.types.front()) {
      findings.push_back(fine(fmt::format("the adapter builds{}", host ? " for C++" : "")));
      if (setting.options.verbose) findings.back().details = source;
    }
  }
}

// Calls the CPU reference `expected` for a test case, with every byte of its outputs preset to `before`, and
// returns the outputs.
std::vector<std::vector<std::byte>> answers_of(const plain::Spec& spec, plain::Oracle& oracle,
                                               Problem& problem, const Case& which, std::byte before) {
  const auto specs = problem.buffers();
  std::vector<std::vector<std::byte>> contents;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    contents.emplace_back(specs[i].bytes, before);
    if (specs[i].role == Role::input || specs[i].role == Role::in_out) problem.fill(i, contents.back());
  }
  plain::OracleCall call{
      .function = "expected", .type = which.type, .buffers = {}, .scalars = problem.scalars()};
  for (std::size_t i = 0; i < specs.size(); ++i)
    call.buffers.push_back({spec.buffers[i].name, contents[i], specs[i].role != Role::input});
  oracle.call(call);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == Role::input || specs[i].role == Role::scratch) contents[i].clear();
  }
  return contents;
}

}  // namespace

std::optional<judge::Rubric> read_rules(const AssignmentHome& home, judge::WorkLimits limits,
                                        std::vector<AssignmentFinding>& findings) {
  auto rubric = judge::read_rubric(home, {}, limits);
  if (rubric) return std::move(*rubric);
  for (const std::string& line : lines_of(rubric.error().message)) findings.push_back(placed(line));
  return std::nullopt;
}

std::vector<AssignmentFinding> read_files(const judge::Rubric& rubric) {
  std::vector<AssignmentFinding> findings;
  const fs::path contract = rubric.home.folder / rubric.contract;
  const auto text = read_file(contract);
  if (rubric.program) findings = missing_files_of_cases(rubric);
  if (!text && !rubric.program)
    findings.push_back(open("the contract is missing; students include it", contract.string()));
  std::set<std::string> known;
  for (const VersionRule& version : rubric.versions) {
    read_version(rubric, version, text.value_or(""), findings);
    read_limits(rubric, version, findings);
    known.insert(version.file());
    if (!rubric.program) continue;
    for (std::string& name : judge::sources_in(rubric.home.reference, version)) known.insert(std::move(name));
  }
  if (!rubric.naive.empty() && rubric.find(rubric.naive) == nullptr)
    findings.push_back(open(fmt::format("naive is \"{}\", which is no [[version]]", rubric.naive),
                            rubric.home.rules().string()));
  if (!rubric.upload.empty()) known.insert(rubric.file_of(rubric.upload));
  std::error_code error;
  for (fs::directory_iterator it(rubric.home.reference, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::string ending = it->path().extension().string();
    if ((ending == ".cu" || ending == ".cpp") && !known.contains(name))
      findings.push_back({Standing::remark,
                          fmt::format("{} belongs to no [[version]], so nobody grades it", name),
                          it->path().string(), 0, ""});
  }
  if (rubric.plain && !fs::exists(rubric.home.folder / "expected.cpp", error))
    findings.push_back(open("expected.cpp is missing; it computes the right answer on the CPU",
                            (rubric.home.folder / "expected.cpp").string()));
  if (findings.empty())
    findings.push_back(fine(
        fmt::format("{} reads: {} versions, {}, solutions and their marks",
                    rubric.home.rules().filename().string(), rubric.versions.size(),
                    rubric.program ? fmt::format("{} cases", rubric.program->cases.size()) : "contract")));
  return findings;
}

std::vector<AssignmentFinding> build_course_code(const Setting& setting) {
  std::vector<AssignmentFinding> findings;
  const judge::Rubric& rubric = setting.rubric;
  if (rubric.has_device_versions()) build_adapter(setting, false, findings);
  if (rubric.has_host_versions()) build_adapter(setting, true, findings);
  if (!rubric.plain ||
      std::ranges::any_of(findings, [](const auto& finding) { return finding.standing == Standing::open; }))
    return findings;
  const auto oracle =
      judge::make_oracle(rubric.plain, {setting.installation, setting.options.cache, rubric.home.folder});
  try {
    if (oracle->defines("expected")) {
      findings.push_back(fine("expected.cpp builds"));
    } else {
      findings.push_back(open(
          fmt::format("it must define extern \"C\" {} with the name `expected`", rubric.plain->function_type),
          (rubric.home.folder / "expected.cpp").string()));
    }
    const bool bounds = std::ranges::any_of(
        rubric.plain->buffers, [](const plain::BufferRule& rule) { return rule.tolerance.expected; });
    if (bounds && !oracle->defines("tolerance"))
      findings.push_back(
          open("a buffer has tolerance = \"expected\", so it must also define extern \"C\" tolerance",
               (rubric.home.folder / "expected.cpp").string()));
  } catch (const AssignmentFault& fault) {
    findings.push_back(of_fault(fault));
  }
  return findings;
}

// Returns a finding for the first extreme secret size for which no input or no answer can be made: a grading
// that draws such a size would end without a grade.
std::optional<AssignmentFinding> impossible_corner(const Setting& setting, plain::Oracle& oracle) {
  const judge::Rubric& rubric = setting.rubric;
  const std::string& type = rubric.types.front();
  for (const Size& size : judge::secret_corners(rubric)) {
    for (const std::string& data : setting.assignment->data_classes(type)) {
      try {
        const Case which = setting.assignment->case_of(type, data, size, setting.options.seed);
        if (which.n <= kLargestCompared)
          answers_of(*rubric.plain, oracle, *setting.assignment->make(which), which, std::byte{0});
      } catch (const AssignmentFault& fault) {
        AssignmentFinding found = of_fault(fault);
        found.message = fmt::format(
            "correct.secret allows the size {}, for which there is no input or no answer: {}. Raise a lower "
            "bound "
            "in `secret`, or exclude the size with its `where`",
            to_text(size), found.message);
        return found;
      }
    }
  }
  return std::nullopt;
}

std::vector<AssignmentFinding> call_expected_twice(const Setting& setting) {
  std::vector<AssignmentFinding> findings;
  const judge::Rubric& rubric = setting.rubric;
  if (!rubric.plain) return findings;
  const auto oracle =
      judge::make_oracle(rubric.plain, {setting.installation, setting.options.cache, rubric.home.folder});
  std::size_t compared = 0;
  try {
    for (const Case& which :
         judge::correct_cases(rubric, *setting.assignment, Engine::simulator, {}, setting.options.seed)) {
      if (which.n > kLargestCompared || which.shift != 0) continue;
      const auto first =
          answers_of(*rubric.plain, *oracle, *setting.assignment->make(which), which, std::byte{0});
      const auto second =
          answers_of(*rubric.plain, *oracle, *setting.assignment->make(which), which, std::byte{0xAB});
      ++compared;
      for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] == second[i]) continue;
        findings.push_back(
            open(fmt::format("`expected` gives another {} when it is called again at size {}, data {}: it "
                             "must write every element, and depend on its inputs alone",
                             rubric.plain->buffers[i].name, to_text(which.sizes()), which.data),
                 (rubric.home.folder / "expected.cpp").string()));
        return findings;
      }
    }
  } catch (const AssignmentFault& fault) {
    findings.push_back(of_fault(fault));
    return findings;
  }
  if (auto corner = impossible_corner(setting, *oracle)) return {std::move(*corner)};
  findings.push_back(fine(fmt::format("`expected` agrees with itself in {} inputs", compared)));
  return findings;
}

std::vector<AssignmentFinding> time_answers_of_fast(const Setting& setting) {
  std::vector<AssignmentFinding> findings;
  const judge::Rubric& rubric = setting.rubric;
  const auto is_timed = [](const VersionRule& version) {
    return !version.host && version.has(judge::Check::fast);
  };
  if (!rubric.plain || std::ranges::none_of(rubric.versions, is_timed)) return findings;
  const std::string& type = rubric.fast.type;
  try {
    const auto problem = setting.assignment->make(setting.assignment->case_of(
        type, setting.assignment->data_classes(type).front(), rubric.fast.size, setting.options.seed));
    const auto specs = problem->buffers();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role != Role::input && specs[i].role != Role::in_out) continue;
      std::vector<std::byte> contents(specs[i].bytes);
      problem->fill(i, contents);
    }
    const double one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string what =
        fmt::format("at the size of `fast`, {}, one answer of `expected` takes {:.1f} s with its input",
                    to_text(rubric.fast.size), one);
    if (one <= kMostSecondsOfAnAnswer) {
      findings.push_back(fine(what));
    } else {
      findings.push_back(open(fmt::format("{}, at most {:.0f} s; lower fast.size, or make `expected` faster",
                                          what, kMostSecondsOfAnAnswer),
                              (rubric.home.folder / "expected.cpp").string()));
    }
  } catch (const AssignmentFault& fault) {
    findings.push_back(of_fault(fault));
  }
  return findings;
}

}  // namespace warpmark::assignment_check
