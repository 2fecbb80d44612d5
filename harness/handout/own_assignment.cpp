#include "harness/handout/own_assignment.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "harness/assignments/stubs.h"
#include "harness/assignments/toml_table.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/passed.h"

namespace warpmark::handout {
namespace {

namespace fs = std::filesystem;

bool is_header(const fs::path& file) {
  static constexpr std::array<std::string_view, 6> kHeaders{".h", ".hh", ".hpp", ".cuh", ".inl", ".tcc"};
  return std::ranges::find(kHeaders, file.extension().string()) != kHeaders.end();
}

// Returns true for the course's source files in an assignment's folder: functions that make inputs and
// expected results, CPU baselines, headers, or all of an assignment with a judge.cpp.
bool is_of_the_course(const fs::path& file, const judge::Rubric& rubric) {
  const std::string name = file.filename().string();
  if (is_header(file)) return true;
  if (rubric.plain)
    return name == "expected.cpp" || name == "data.cpp" ||
           std::ranges::find(rubric.plain->cpu, name, &plain::CpuBaseline::file) != rubric.plain->cpu.end();
  return !rubric.program && (file.extension() == ".cpp" || name == "adapter.cu");  // it has a judge.cpp
}

Result<void> add(Files& files, const fs::path& file, const std::string& name) {
  auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  files[name] = {std::move(*text)};
  return {};
}

// Adds to a handout those regular files directly in `folder` for which `wanted` returns true; a missing
// folder counts as empty.
template <class Wanted>
Result<void> add_files_in(Files& files, const fs::path& folder, const std::string& prefix,
                          const Wanted& wanted) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!it->is_regular_file(error) || name.starts_with('.') || !wanted(it->path())) continue;
    if (auto added = add(files, it->path(), prefix + name); !added) return added;
  }
  if (error) return fail(folder.string() + ": " + error.message());
  return {};
}

// Adds to a handout the files that students complete, below stubs/, and the course's solution files that
// contain nothing for students to write, below reference/.
Result<void> add_given(Files& files, const AssignmentHome& home, const std::string& prefix) {
  const auto cut = cut_stubs(home.reference);
  if (!cut) return tl::unexpected(cut.error());
  for (const auto& [name, stub] : *cut) {
    const auto own = stub_of(home, name);
    if (own) files[prefix + "stubs/" + name] = {*own};
    const auto reference = read_file(home.reference / name);
    if (!reference) return tl::unexpected(reference.error());
    const bool given = own ? *own == *reference : stub == *reference && is_header(name);
    if (given) files[prefix + "reference/" + name] = {*reference};
  }
  return {};
}

// Returns the line numbers, from 1, of an assignment file's list of equivalent mutants. A handout must omit
// these lines, because they quote the solutions.
std::set<std::size_t> lines_of_solutions(const std::vector<std::string>& lines, const toml::array& list) {
  std::set<std::size_t> found;
  const auto take = [&](std::size_t first, std::size_t last) {
    for (std::size_t line = first; line <= last && line <= lines.size(); ++line) found.insert(line);
  };
  const auto is_header = [&](std::size_t line) { return trimmed(lines.at(line - 1)).starts_with('['); };
  const std::size_t first = list.source().begin.line;
  if (first > 0 && !is_header(first)) {
    take(first, list.source().end.line);
    return found;
  }
  for (const toml::node& entry : list) {  // a table [[equivalent]] extends to the next header
    std::size_t last = entry.source().begin.line;
    while (last < lines.size() && !is_header(last + 1)) ++last;
    take(entry.source().begin.line, last);
  }
  return found;
}

Result<std::string> without_solutions(const std::string& text, const std::string& file) {
  return parse_toml<std::string>(text, file, [&](TomlTable top) {
    if (top.find("equivalent") == nullptr) return text;
    const std::vector<std::string> lines = lines_of(text);
    const auto left_out = lines_of_solutions(lines, top.list("equivalent"));
    std::string kept;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!left_out.contains(i + 1)) kept += lines[i] + "\n";
    }
    return kept;
  });
}

// Adds to a handout the test case files of a program assignment that its recipient (students or graders) may
// see, and the reference solution's recorded outputs.
Result<void> add_cases(Files& files, const Source& source, const std::string& rules,
                       const std::string& prefix) {
  const auto spec = parse_toml<program::Spec>(rules, kAssignmentFile,
                                              [](TomlTable top) { return program::read_spec(top); });
  if (!spec) return tl::unexpected(spec.error());
  for (const fs::path& file : spec->files()) {
    if (auto added = add(files, source.rubric.home.folder / file, prefix + file.generic_string()); !added)
      return added;
  }
  for (const auto& [place, text] : source.recorded) files[prefix + place.generic_string()] = {text};
  return {};
}

// Returns the text of the comment in a source file's first line, for a table; empty if there is none.
std::string first_comment(std::string_view text) {
  std::string comment;
  if (!text.starts_with("// ")) return comment;
  for (const char c : text.substr(3, text.find('\n') - 3))
    comment += c == '|' ? std::string("\\|") : std::string(1, c);
  return comment;
}

}  // namespace

Result<std::string> rules_for(const std::string& text, const judge::Rubric& rubric, Reader reader,
                              const std::string& file) {
  auto rules = without_solutions(text, file);
  if (!rules || !rubric.program || reader == Reader::grader) return rules;
  return program::without_secret_cases(*rules, file);
}

Result<void> add_own_assignment(Files& files, const Source& source, Reader reader,
                                const std::string& prefix) {
  const judge::Rubric& rubric = source.rubric;
  const AssignmentHome& home = rubric.home;
  const auto text = read_file(home.rules());
  if (!text) return tl::unexpected(text.error());
  auto rules = rules_for(*text, rubric, reader, home.rules().string());
  if (!rules) return tl::unexpected(rules.error());
  if (rubric.program) {
    if (auto added = add_cases(files, source, *rules, prefix); !added) return added;
  }
  files[prefix + kAssignmentFile] = {std::move(*rules)};
  for (const std::string& contract : std::set<std::string>{rubric.contract, rubric.host.contract}) {
    if (contract.empty()) continue;
    if (auto added = add(files, home.folder / contract, prefix + contract); !added) return added;
  }
  if (auto added = add_files_in(files, home.folder, prefix,
                                [&](const fs::path& file) { return is_of_the_course(file, rubric); });
      !added)
    return added;
  const auto recorded = judge::recorded_work(rubric);
  if (!recorded) return tl::unexpected(recorded.error());
  if (!recorded->missing) {
    if (auto added = add(files, home.folder / kReferenceFile, prefix + kReferenceFile); !added) return added;
  }
  const auto is_threshold = [](const fs::path& file) { return file.extension() == ".toml"; };
  if (auto added = add_files_in(files, home.folder / "thresholds", prefix + "thresholds/", is_threshold);
      !added)
    return added;
  return add_given(files, home, prefix);
}

std::string short_readme(const judge::Rubric& rubric, const Files& files) {
  std::string text = fmt::format("# {}\n\n", rubric.title);
  if (!rubric.contract.empty())
    text += fmt::format("[{0}]({0}) says what each version computes. ", rubric.contract);
  text +=
      "Write the versions in this order; their `TODO` comments say what is missing.\n\n| file | "
      "|\n|---|---|\n";
  for (const judge::VersionRule& version : rubric.versions) {
    const auto file = files.find(version.file());
    if (version.reference_only || file == files.end()) continue;
    text += fmt::format("| `{}` | {}{} |\n", version.file(), version.given ? "given. " : "",
                        first_comment(file->second.text));
  }
  return text;
}

}  // namespace warpmark::handout
