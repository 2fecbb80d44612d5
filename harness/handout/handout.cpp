#include "harness/handout/handout.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/stubs.h"
#include "harness/base/file.h"
#include "harness/handout/own_assignment.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/rules/check.h"

namespace warpmark::handout {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMachinery = ".warpmark";  // folder of files that students need not look at
constexpr const char* kCarried = "assignment";   // folder of an assignment that the tool does not have
// Characters of an assignment's name that mean nothing in the languages of a handout's files: CMake, YAML,
// sh.
constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

// Maps each NAME to the text that replaces @NAME@ in the files of a handout.
using Values = std::map<std::string, std::string>;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string filled(std::string text, const Values& values) {
  for (const auto& [name, value] : values) text = replaced(std::move(text), fmt::format("@{}@", name), value);
  return text;
}

bool is_hidden(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& part) { return part.native().starts_with('.'); });
}

// Adds to a handout every regular file below a folder that is not hidden, as `prefix`/path.
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

// Returns the Debian packages that an assignment's submissions need, and that Warpmark's package lists only
// under Recommends, so that they may not be installed with it.
std::string further_packages(const judge::Rubric& rubric) {
  std::set<std::string> names;
  for (const judge::VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    if (!version.uses.empty()) names.insert("libthrust-dev");
    if (version.host) names.insert({"libclang-rt-dev", "libomp-dev"});
    if (!version.ranks.empty()) names.insert({"libopenmpi-dev", "openmpi-bin"});
  }
  return fmt::format("{}", fmt::join(names, " "));
}

bool is_archive(const Package& package) {
  return package.name.ends_with(".tar.xz");
}

std::string package_name(const Package& package, const std::string& version) {
  return package.name.empty() ? fmt::format("warpmark_{}_amd64.deb", version) : package.name;
}

// Returns the shell commands, on one line, with which a student installs a Warpmark package (a local file or
// a URL).
std::string install_command(const Package& package, const std::string& version) {
  const std::string deb = package_name(package, version);
  std::string address = package.address.substr(0, package.address.find('#'));
  if (address.find_first_of("?&") != std::string::npos) address = "'" + address + "'";
  if (is_archive(package))
    return address.empty() ? fmt::format("tar -xJf {}/{} -C ~", kMachinery, package.name)
                           : fmt::format("curl -fL {} | tar -xJ -C ~", address);
  if (!address.empty()) return fmt::format("curl -fLo {} {} && sudo apt-get install ./{}", deb, address, deb);
  if (package.name.empty()) return fmt::format("sudo apt-get install ./{}", deb);
  return fmt::format("sudo apt-get install ./{}/{}", kMachinery, deb);
}

// Returns the texts that replace the @NAME@ placeholders about the Warpmark package in a handout's files.
Values values_of(const Package& package, const std::string& version) {
  const std::string command = install_command(package, version);
  Values values;
  values["PACKAGE"] = package.address.empty() ? package.name : package.address;
  if (package.name.empty()) {
    values["PACKAGE_IN_WORDS"] =
        "This handout names no Warpmark package: set the variable WARPMARK_PACKAGE to the address of a .deb "
        "or .tar.xz, or this fails.";
    values["HOW_TO_GET_IT"] = "Get its package from your course, and: " + command;
    values["INSTALLING"] = fmt::format(
        "Your course names its package, here {}; another version has another name. Once:\n\n```\n{}\n```",
        package_name(package, version), command);
    return values;
  }
  values["PACKAGE_IN_WORDS"] =
      fmt::format("Warpmark is installed from {}; the variable WARPMARK_PACKAGE names another package.",
                  package.address.empty() ? fmt::format("{}/{}", kMachinery, package.name) : package.address);
  values["HOW_TO_GET_IT"] = "Install it: " + command;
  values["INSTALLING"] = fmt::format("Once:\n\n```\n{}\n```", command);
  if (is_archive(package)) {
    values["INSTALLING"] +=
        "\n\n`~/warpmark-*/bin/warpmark` is then the program that is called `warpmark` below; it names the "
        "Debian packages that are missing.";
    if (package.address.empty())
      values["INSTALLING"] += " For `ctest` alone this is not needed: `cmake` unpacks the archive itself.";
  }
  return values;
}

Values values_of(const Source& source) {
  return {{"ASSIGNMENT", source.rubric.assignment},
          {"TITLE", source.rubric.title},
          {"VERSION", source.version},
          {"FURTHER_PACKAGES", further_packages(source.rubric)},
          {"CHECKS", list_of_checks(source.rubric)}};
}

// Sets how a handout's files name the assignment: by its name if Warpmark includes it, otherwise by `folder`,
// which CMakeLists.txt prefixes with `base`.
void name_assignment(Values& values, const Source& source, const std::string& base,
                     const std::string& folder) {
  const AssignmentHome& home = source.rubric.home;
  values["ASSIGNMENT_OPTION"] = home.built_in ? home.name : folder;
  values["CONTRACT_FOLDER"] = home.built_in ? "${home}/harness/assignments/" + home.name : base + folder;
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

// Adds to a handout the files that students start from: the assignment's own folder of incomplete files if it
// has one, else the model solution with the solution parts removed.
Result<void> add_stubs(Files& files, const AssignmentHome& home) {
  std::error_code error;
  if (fs::exists(home.stubs, error)) return add_folder(files, home.stubs, "");
  auto stubs = cut_stubs(home.reference);
  if (!stubs) return tl::unexpected(stubs.error());
  for (auto& [name, text] : *stubs) files[name].text = std::move(text);
  if (const fs::path readme = home.folder / "README.md"; fs::exists(readme, error))
    return add_file(files, readme, "README.md");
  return {};
}

// Adds to a handout the files that students edit: the assignment's template, and the headers that declare its
// functions. grade: the command line that grades these files.
Result<void> add_submission(Files& files, const Source& source, const std::string& prefix,
                            const std::string& program, const std::string& grade) {
  const AssignmentHome& home = source.rubric.home;
  const std::string& assignment = home.name;
  Files mine;
  if (auto added = add_stubs(mine, home); !added) return added;
  for (const std::string& contract :
       std::set<std::string>{source.rubric.contract, source.rubric.host.contract}) {
    if (contract.empty()) continue;
    if (auto added = add_file(mine, home.folder / contract, contract); !added) return added;
  }
  if (!mine.contains("README.md")) mine["README.md"].text = short_readme(source.rubric, mine);
  for (auto& [name, file] : mine) {
    if (name.ends_with(".md")) {
      file.text = replaced(file.text, "./warpmark grade student_template/" + assignment, grade);
      file.text = replaced(file.text, "./warpmark ", program + " ");
    }
    files[prefix + name] = std::move(file);
  }
  return {};
}

// Returns the name of the first kernel version that students write themselves, which the README's example
// commands use.
std::string version_to_write(const judge::Rubric& rubric) {
  const auto found = std::ranges::find_if(rubric.versions, [](const judge::VersionRule& version) {
    return !version.given && !version.reference_only;
  });
  return found == rubric.versions.end() ? "" : found->name;
}

// Returns the command-line option that grades a single test case, for a README's example: a medium one of the
// input sizes that the check `correct` uses, or the first test case of a CUDA program.
std::string some_size(const judge::Rubric& rubric) {
  if (rubric.program) return "--case " + rubric.program->cases.front().name;
  const auto& sizes = rubric.correct.sizes;
  return "--size " + to_text(sizes[sizes.size() / 2]);
}

// Fails if an assignment's name, which is that of its folder, would break files of a handout.
Result<void> check_name(const AssignmentHome& home) {
  if (home.name.find_first_not_of(kPlain) == std::string::npos && !home.name.starts_with('-')) return {};
  return fail(fmt::format(
      "{}: the folder's name is the assignment's name, which stands in CMakeLists.txt and scripts "
      "of a handout: rename it, to letters, digits, _ and -",
      home.folder.string()));
}

// Fails if what students start from holds a whole solution that they should write.
Result<void> check_marks(const judge::Rubric& rubric) {
  const AssignmentHome& home = rubric.home;
  for (const judge::VersionRule& version : rubric.versions) {
    if (version.given || version.reference_only) continue;
    const auto is_whole = [&](const std::string& file) {
      const auto reference = read_file(home.reference / file);
      if (!reference || is_reference_only(*reference)) return false;
      const auto stub = stub_of(home, file);
      return stub && *stub == *reference;
    };
    const auto files = rubric.program ? judge::sources_in(home.reference, version)
                                      : std::vector<std::string>{version.file()};
    if (!std::ranges::all_of(files, is_whole)) continue;
    return fail(fmt::format(
        "{}: {}, so that students would get the solution of {}; mark what they write with // <solution> and "
        "// </solution>, or set given = true in its [[version]]",
        (home.reference / version.file()).string(),
        fs::exists(home.stubs) ? "the same file stands in " + home.stubs.string() : "it has no marks",
        version.name));
  }
  return {};
}

}  // namespace

Result<Source> open_source(const judge::Installation& installation, const std::string& assignment,
                           const fs::path& rubric, const std::string& version) {
  const auto home = find_assignment(installation.root, assignment);
  if (!home) return tl::unexpected(home.error());
  if (auto fit = check_name(*home); !fit) return tl::unexpected(fit.error());
  auto text = read_file(rubric.empty() ? home->rules() : rubric);
  if (!text) return tl::unexpected(text.error());
  auto parsed = judge::read_rubric(*home, rubric);
  if (!parsed) return tl::unexpected(parsed.error());
  if (auto marked = check_marks(*parsed); !marked) return tl::unexpected(marked.error());
  auto shown = home->built_in ? text : rules_for(*text, *parsed, Reader::grader, home->rules().string());
  if (!shown) return tl::unexpected(shown.error());
  return Source{installation, std::move(*parsed), std::move(*shown), rubric.empty(), version};
}

Result<Files> handout_files(const Source& source, const Package& package) {
  const std::string& assignment = source.rubric.assignment;
  const bool carries = !source.rubric.home.built_in;
  const std::string carried = fmt::format("{}/{}/{}", kMachinery, kCarried, assignment);
  const std::string grade = fmt::format("warpmark grade {}{} --rubric rubric.toml", assignment,
                                        carries ? " --assignment " + carried : "");
  Values values = values_of(source);
  values.merge(values_of(package, source.version));
  name_assignment(values, source, "${PROJECT_SOURCE_DIR}/", carried);
  values["CONTAINER_ASSIGNMENT"] = carries ? "/opt/handout/" + carried : assignment;
  values["SUBMISSION"] = assignment;
  values["BUILD"] = "build";
  values["OUTPUTS"] = "warpmark-out";
  values["RUBRIC_OPTION"] = " --rubric rubric.toml";
  values["GRADE"] = grade;
  values["FIRST_VERSION"] = version_to_write(source.rubric);
  values["SIZE"] = some_size(source.rubric);
  values["OF_ASSIGNMENT"] = carries ? " --assignment " + carried : "";
  values["MADE_BY"] = "";
  values["MADE_BY_IN_WORDS"] = "";
  static constexpr std::array<Filled, 14> kFiles{{{"README.md", "README.md"},
                                                  {"student.cmake", "CMakeLists.txt"},
                                                  {"CMakePresets.json", "CMakePresets.json"},
                                                  {"gitignore", ".gitignore"},
                                                  {"clangd", ".clangd"},
                                                  {"vscode_settings.json", ".vscode/settings.json"},
                                                  {"vscode_extensions.json", ".vscode/extensions.json"},
                                                  {"vscode_tasks.json", ".vscode/tasks.json"},
                                                  {"devcontainer.json", ".devcontainer/devcontainer.json"},
                                                  {"Containerfile", "Containerfile"},
                                                  {"github.yml", ".github/workflows/grade.yml"},
                                                  {"gitlab.yml", ".gitlab-ci.yml"},
                                                  {"install.sh", ".warpmark/install", true},
                                                  {"grade.sh", ".warpmark/grade", true}}};
  Files files;
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  if (auto added = add_submission(files, source, assignment + "/", "warpmark", grade); !added)
    return tl::unexpected(added.error());
  if (carries) {
    if (auto added = add_own_assignment(files, source, Reader::student, carried + "/"); !added)
      return tl::unexpected(added.error());
  }
  // The handout contains its own rubric, so that a later package with another rubric grades it the same way.
  auto rubric = carries ? rules_for(source.rubric_text, source.rubric, Reader::student, "rubric.toml")
                        : Result<std::string>(source.rubric_text);
  if (!rubric) return tl::unexpected(rubric.error());
  files["rubric.toml"] = {std::move(*rubric)};
  if (!package.bytes.empty()) files[fmt::format("{}/{}", kMachinery, package.name)] = {package.bytes};
  return files;
}

Result<Files> submission_files(const Source& source, const Caller& caller) {
  // In a generated submission folder, the rubric file's name starts with a dot, because all other files count
  // as the submission.
  const std::string rubric = source.own_rubric ? "" : " --rubric .rubric.toml";
  const AssignmentHome& home = source.rubric.home;
  const std::string grade =
      fmt::format("{} grade .{}{}", caller.program,
                  home.built_in ? "" : fmt::format(" --assignment '{}'", home.folder.string()), rubric);
  Files files;
  if (auto added = add_submission(files, source, "", caller.program, grade); !added)
    return tl::unexpected(added.error());
  if (!source.own_rubric) files[".rubric.toml"] = {source.rubric_text};
  Values values = values_of(source);
  values.merge(values_of(Package{}, source.version));
  name_assignment(values, source, "", home.folder.string());
  values["SUBMISSION"] = ".";
  values["BUILD"] = ".build";
  values["OUTPUTS"] = ".warpmark-out";
  values["RUBRIC_OPTION"] = rubric;
  values["GRADE"] = grade;
  values["MADE_BY"] = caller.absolute.string();
  values["MADE_BY_IN_WORDS"] = "the one that made this folder, else ";
  static constexpr std::array<Filled, 7> kFiles{{{"student.cmake", "CMakeLists.txt"},
                                                 {"CMakePresets.json", "CMakePresets.json"},
                                                 {"gitignore", ".gitignore"},
                                                 {"clangd", ".clangd"},
                                                 {"vscode_settings.json", ".vscode/settings.json"},
                                                 {"vscode_extensions.json", ".vscode/extensions.json"},
                                                 {"vscode_tasks.json", ".vscode/tasks.json"}}};
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  // In a generated submission folder, README.md consists of Warpmark's instructions for grading, followed by
  // the assignment's own README.
  const std::string own = files["README.md"].text;
  if (auto added = add_filled(files, source, "README.new.md", "README.md", values); !added)
    return tl::unexpected(added.error());
  if (!own.empty()) files["README.md"].text += "\n" + own;
  return files;
}

Result<Files> gradescope_files(const Source& source, const Package& package) {
  if (package.name.empty())
    return fail(
        "an autograder installs Warpmark's package: name it with --package FILE or its address. A release "
        "includes it, and ./warpmark package DIR in a clone makes it");
  const AssignmentHome& home = source.rubric.home;
  Values values = values_of(source);
  values.merge(values_of(package, source.version));
  values["ASSIGNMENT_OPTION"] = home.built_in ? home.name : fmt::format("$work/{}/{}", kCarried, home.name);
  values["COPIED"] = home.built_in
                         ? "\"$home/source/rubric.toml\""
                         : fmt::format("\"$home/source/rubric.toml\" \"$home/source/{}\"", kCarried);
  static constexpr std::array<Filled, 3> kFiles{{{"gradescope_setup.sh", "setup.sh", true},
                                                 {"gradescope_run_autograder", "run_autograder", true},
                                                 {"install.sh", "install", true}}};
  Files files;
  if (auto added = add_all(files, source, kFiles, values); !added) return tl::unexpected(added.error());
  if (!home.built_in) {
    if (auto added =
            add_own_assignment(files, source, Reader::grader, fmt::format("{}/{}/", kCarried, home.name));
        !added)
      return tl::unexpected(added.error());
  }
  files["rubric.toml"] = {source.rubric_text};
  if (!package.bytes.empty()) files[package.name] = {package.bytes};
  return files;
}

Result<void> write_folder(const Files& files, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return fail(
        fmt::format("{} exists and is not empty; name a new folder: existing files are never overwritten",
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
