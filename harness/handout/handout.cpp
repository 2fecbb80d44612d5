#include "harness/handout/handout.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/stubs.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/rules/check.h"

namespace warpmark::handout {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTool = ".warpmark";

// What stands for @NAME@ in a text.
using Values = std::map<std::string, std::string>;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string filled(std::string text, const Values& values) {
  for (const auto& [name, value] : values) text = replaced(std::move(text), "@" + name + "@", value);
  return text;
}

std::string digest_of(const Files& files) {
  std::string all;
  for (const auto& [name, file] : files) all += fmt::format("{}  {}\n", sha256(file.text), name);
  return sha256(all);
}

bool is_hidden(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& part) { return part.native().starts_with('.'); });
}

// Every regular file below a folder that is not hidden, as `prefix`/path.
Result<void> add_folder(Files& files, const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path relative = entry->path().lexically_relative(folder);
    if (!entry->is_regular_file(error) || is_hidden(relative)) continue;
    auto text = read_file(entry->path());
    if (!text) return tl::unexpected(text.error());
    files[(fs::path(prefix) / relative).generic_string()] = {std::move(*text)};
  }
  if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
  return {};
}

Result<void> add_file(Files& files, const fs::path& path, const std::string& name) {
  auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  files[name] = {std::move(*text)};
  return {};
}

// Files of the reference that students get as they are: without a region to write.
Result<void> add_given(Files& files, const fs::path& reference, const std::string& prefix) {
  Files all;
  if (auto added = add_folder(all, reference, ""); !added) return added;
  for (auto& [name, file] : all) {
    if (is_reference_only(file.text)) continue;
    const auto stub = cut_stub(file.text, (reference / name).string());
    if (!stub) return tl::unexpected(stub.error());
    if (*stub == file.text) files[prefix + "/" + name] = std::move(file);
  }
  return {};
}

// Folders and files that instructors' commands alone need.
bool is_for_instructors(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kNames{"harness/class/",
                                                          "harness/handout/",
                                                          "harness/cli/calibrate_command.cpp",
                                                          "harness/cli/class_command.cpp",
                                                          "harness/cli/export_command.cpp",
                                                          "harness/cli/handout_command.cpp",
                                                          "harness/cli/new_command.cpp",
                                                          "harness/cli/stubs_command.cpp"};
  return std::ranges::any_of(kNames, [&](std::string_view each) { return name.starts_with(each); });
}

// Needed by Warpmark's own tests alone, which no handout holds.
bool is_for_tests(std::string_view package) {
  static constexpr std::array<std::string_view, 12> kNames{
      "libgmock-dev", "libgtest-dev", "libvalijson-dev", "clang-format", "libbenchmark-dev", "munge",
      "slurm-client", "slurmctld",    "slurmd",          "chromium",     "nodejs",           "npm"};
  return std::ranges::find(kNames, package) != kNames.end();
}

// Needed by the commands of instructors alone.
bool is_package_of_instructors(std::string_view package) {
  return package == "libarchive-dev" || package == "libsqlitecpp-dev" || package == "libyaml-cpp-dev";
}

// The wrapper holds the one list of packages: this copies it without those that only tests need, and collects
// the others.
struct Wrapper {
  std::string text;
  std::vector<std::string> packages;
};

Result<Wrapper> wrapper_of(const Source& source, Audience audience) {
  const auto text = read_file(source.installation.root / "warpmark");
  if (!text) return tl::unexpected(text.error());
  Wrapper wrapper;
  bool inside = false;
  for (const std::string& line : lines_of(*text)) {
    if (inside && line == ")") inside = false;
    if (!inside) {
      wrapper.text += line + "\n";
      if (line == "packages=(" || line == "optional_packages=(") inside = true;
      continue;
    }
    const std::size_t comment = std::min(line.find('#'), line.size());
    std::string kept;
    std::istringstream words(line.substr(0, comment));
    for (std::string word; words >> word;) {
      if (is_for_tests(word) || (audience == Audience::students && is_package_of_instructors(word))) continue;
      kept += "  " + word;
      wrapper.packages.push_back(word);
    }
    if (!kept.empty())
      wrapper.text += kept + (comment < line.size() ? "  " : "") + line.substr(comment) + "\n";
  }
  return wrapper;
}

std::string list_of_checks(const judge::Rubric& rubric) {
  std::string list;
  for (const judge::VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    for (const judge::Check check : version.checks)
      list += fmt::format("    {}.{}\n", version.name, judge::name_of(check));
  }
  if (!rubric.upload.empty()) list += fmt::format("    {}\n", judge::name_of(judge::Check::upload_once));
  if (!list.empty()) list.pop_back();
  return list;
}

Values values_of(const Source& source) {
  return {{"ASSIGNMENT", source.rubric.assignment},
          {"TITLE", source.rubric.title},
          {"VERSION", source.version},
          {"CHECKS", list_of_checks(source.rubric)}};
}

Result<void> add_filled(Files& files, const Source& source, const std::string& from, const std::string& name,
                        const Values& values, bool executable = false) {
  auto text = read_file(source.installation.root / "harness/handout/files" / from);
  if (!text) return tl::unexpected(text.error());
  files[name] = {filled(std::move(*text), values), executable};
  return {};
}

struct Filled {
  const char* from;
  const char* name;
  bool executable = false;
};

template <std::size_t count>
Result<void> add_all(Files& files, const Source& source, const std::array<Filled, count>& list,
                     const Values& values) {
  for (const Filled& one : list) {
    if (auto added = add_filled(files, source, one.from, one.name, values, one.executable); !added)
      return added;
  }
  return {};
}

// The students' files: the template, and the contract beside it, to read.
Result<void> add_submission(Files& files, const Source& source, const std::string& prefix,
                            const std::string& called) {
  const std::string& assignment = source.rubric.assignment;
  const fs::path root = source.installation.root;
  Files mine;
  if (auto added = add_folder(mine, root / "student_template" / assignment, ""); !added) return added;
  for (const std::string& contract :
       std::set<std::string>{source.rubric.contract, source.rubric.host.contract}) {
    if (auto added = add_file(mine, judge::assignment_folder(root, assignment) / contract, contract); !added)
      return added;
  }
  for (auto& [name, file] : mine) {
    if (name.ends_with(".md")) file.text = replaced(file.text, "student_template/" + assignment, called);
    files[prefix + name] = std::move(file);
  }
  return {};
}

}  // namespace

Result<Source> open_source(const judge::Installation& installation, const std::string& assignment,
                           const fs::path& rubric, const std::string& version) {
  const fs::path file =
      rubric.empty() ? judge::assignment_folder(installation.root, assignment) / "rubric.toml" : rubric;
  auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto parsed = judge::parse_rubric(*text, file.string(), assignment);
  if (!parsed) return tl::unexpected(parsed.error());
  return Source{installation, std::move(*parsed), std::move(*text), version};
}

Result<Files> tool_files(const Source& source, Audience audience) {
  const fs::path root = source.installation.root;
  const std::string& assignment = source.rubric.assignment;
  std::error_code error;
  if (!fs::exists(root / "harness/cli/CMakeLists.txt", error))
    return fail(fmt::format("{} is an installation without Warpmark's sources; run this command in a clone",
                            root.string()));
  Files files;
  if (auto added = add_folder(files, root / "harness", "harness"); !added)
    return tl::unexpected(added.error());
  if (audience == Audience::students)
    std::erase_if(files, [](const auto& entry) { return is_for_instructors(entry.first); });
  const std::string assignments = "harness/assignments/";
  std::erase_if(files, [&](const auto& entry) {
    const std::string& name = entry.first;
    if (!name.starts_with(assignments)) return false;
    const std::size_t slash = name.find('/', assignments.size());
    const bool in_a_folder = slash != std::string::npos;
    return in_a_folder && (name.substr(assignments.size(), slash - assignments.size()) != assignment ||
                           name.substr(slash).starts_with("/rubrics/"));
  });
  files[assignments + assignment + "/rubric.toml"].text = source.rubric_text;
  if (auto added = add_folder(files, root / "reports/templates", "reports/templates"); !added)
    return tl::unexpected(added.error());
  for (fs::directory_iterator entry(root / "reports", error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path name = entry->path().filename();
    const bool source_file = name.extension() == ".cpp" || name.extension() == ".h" ||
                             name.extension() == ".in" || name == "CMakeLists.txt";
    if (!entry->is_regular_file(error) || !source_file) continue;
    if (auto added = add_file(files, entry->path(), "reports/" + name.string()); !added)
      return tl::unexpected(added.error());
  }
  if (error) return fail(fmt::format("{}: {}", (root / "reports").string(), error.message()));
  if (auto added =
          add_folder(files, root / "student_template" / assignment, "student_template/" + assignment);
      !added)
    return tl::unexpected(added.error());
  if (auto added = add_given(files, root / "reference" / assignment, "reference/" + assignment); !added)
    return tl::unexpected(added.error());
  for (const char* name : {"CMakeLists.txt", "CMakePresets.json"}) {
    if (auto added = add_file(files, root / name, name); !added) return tl::unexpected(added.error());
  }
  auto wrapper = wrapper_of(source, audience);
  if (!wrapper) return tl::unexpected(wrapper.error());
  files["warpmark"] = {std::move(wrapper->text), true};
  return files;
}

Result<Files> handout_files(const Source& source) {
  const Audience audience = Audience::students;
  auto tool = tool_files(source, audience);
  if (!tool) return tl::unexpected(tool.error());
  const auto wrapper = wrapper_of(source, audience);
  if (!wrapper) return tl::unexpected(wrapper.error());
  // Built once on slow machines: the simulator keeps its own -O3.
  if (auto added = add_file(*tool, source.installation.root / "harness/handout/files/tool_presets.json",
                            "CMakePresets.json");
      !added)
    return tl::unexpected(added.error());
  Files files;
  // CI servers keep what was built from the same sources.
  files[fmt::format("{}/digest.txt", kTool)] = {digest_of(*tool) + "\n"};
  for (auto& [name, file] : *tool) files[fmt::format("{}/{}", kTool, name)] = std::move(file);
  const std::string& assignment = source.rubric.assignment;
  Values values = values_of(source);
  values["SUBMISSION"] = assignment;
  values["BUILD"] = "build";
  values["OUTPUTS"] = "warpmark-out";
  values["SOURCES"] = kTool;
  values["TOOL"] = kTool;
  values["PACKAGES"] = fmt::format("{}", fmt::join(wrapper->packages, " "));
  values["GRADER_IN_WORDS"] = "the one in .warpmark, which the first test builds";
  values["PREPARE"] = "\"${PROJECT_SOURCE_DIR}/warpmark\" --no-install";
  values["GRADER"] = "${PROJECT_SOURCE_DIR}/.warpmark/build/bin/warpmark-cli";
  static constexpr std::array<Filled, 14> kFiles{{{"README.md", "README.md"},
                                                  {"student.cmake", "CMakeLists.txt"},
                                                  {"CMakePresets.json", "CMakePresets.json"},
                                                  {"wrapper.sh", "warpmark", true},
                                                  {"gitignore", ".gitignore"},
                                                  {"clangd", ".clangd"},
                                                  {"compile_flags.txt", "compile_flags.txt"},
                                                  {"vscode_settings.json", ".vscode/settings.json"},
                                                  {"vscode_extensions.json", ".vscode/extensions.json"},
                                                  {"vscode_tasks.json", ".vscode/tasks.json"},
                                                  {"devcontainer.json", ".devcontainer/devcontainer.json"},
                                                  {"Containerfile", "Containerfile"},
                                                  {"github.yml", ".github/workflows/grade.yml"},
                                                  {"gitlab.yml", ".gitlab-ci.yml"}}};
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  if (auto added = add_submission(files, source, assignment + "/", assignment); !added)
    return tl::unexpected(added.error());
  return files;
}

Result<Files> submission_files(const Source& source, const Caller& caller) {
  Files files;
  if (auto added = add_submission(files, source, "", "."); !added) return tl::unexpected(added.error());
  Values values = values_of(source);
  values["SUBMISSION"] = ".";
  // Hidden: what lies in a submission's folder else belongs to the submission.
  values["BUILD"] = ".build";
  values["OUTPUTS"] = ".warpmark-out";
  values["SOURCES"] = source.installation.root.string();
  values["PROGRAM"] = caller.program;
  values["GRADER_IN_WORDS"] = "the one that made this folder";
  values["PREPARE"] = caller.prepare;
  values["GRADER"] = caller.grader.string();
  static constexpr std::array<Filled, 8> kFiles{{{"student.cmake", "CMakeLists.txt"},
                                                 {"CMakePresets.json", "CMakePresets.json"},
                                                 {"gitignore", ".gitignore"},
                                                 {"clangd", ".clangd"},
                                                 {"compile_flags.txt", "compile_flags.txt"},
                                                 {"vscode_settings.json", ".vscode/settings.json"},
                                                 {"vscode_extensions.json", ".vscode/extensions.json"},
                                                 {"vscode_tasks.json", ".vscode/tasks.json"}}};
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  // An assignment's own README stays; how to grade is said before it.
  const std::string own = files["README.md"].text;
  if (auto added = add_filled(files, source, "README.new.md", "README.md", values); !added)
    return tl::unexpected(added.error());
  if (!own.empty()) files["README.md"].text += "\n" + own;
  return files;
}

Result<Files> gradescope_files(const Source& source) {
  const Audience audience = Audience::instructors;
  auto tool = tool_files(source, audience);
  if (!tool) return tl::unexpected(tool.error());
  const auto wrapper = wrapper_of(source, audience);
  if (!wrapper) return tl::unexpected(wrapper.error());
  Files files;
  for (auto& [name, file] : *tool) files["warpmark/" + name] = std::move(file);
  Values values = values_of(source);
  values["PACKAGES"] = fmt::format("{}", fmt::join(wrapper->packages, " "));
  static constexpr std::array<Filled, 2> kFiles{
      {{"gradescope_setup.sh", "setup.sh", true}, {"gradescope_run_autograder", "run_autograder", true}}};
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  return files;
}

Result<void> write_folder(const Files& files, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return fail(fmt::format("{} exists and is not empty; name a new folder: nothing of yours is overwritten",
                            folder.string()));
  for (const auto& [name, file] : files) {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path(), error);
    if (error) return fail(fmt::format("{}: {}", path.parent_path().string(), error.message()));
    if (auto written = write_file(path, file.text); !written) return written;
    if (file.executable)
      fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, error);
  }
  return {};
}

}  // namespace warpmark::handout
