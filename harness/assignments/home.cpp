#include "harness/assignments/home.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/stubs.h"
#include "harness/base/file.h"
#include "harness/base/text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

AssignmentHome own_home(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  const fs::path trimmed = whole.has_filename() ? whole : whole.parent_path();
  return {trimmed.filename().string(), trimmed, trimmed / "reference", trimmed / "stubs", false};
}

bool is_assignment(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kAssignmentFile, error);
}

// Returns the subfolders that contain an assignment.toml, sorted.
std::vector<fs::path> assignments_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_assignment(it->path())) found.push_back(it->path());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

fs::path AssignmentHome::rules() const {
  return folder / kAssignmentFile;
}

Result<std::vector<AssignmentHome>> all_assignments(const fs::path& root) {
  std::vector<AssignmentHome> homes;
  const char* search = std::getenv(kSearchPath);
  std::string_view rest = search == nullptr ? "" : search;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.empty()) continue;
    std::error_code error;
    if (!fs::is_directory(folder, error))
      return fail(fmt::format("{} names {}, which is no folder; correct the variable, or unset it",
                              kSearchPath, folder));
    for (const fs::path& found : assignments_in(folder)) homes.push_back(own_home(found));
  }
  for (const fs::path& folder : assignments_in(root / "harness/assignments")) {
    const std::string name = folder.filename().string();
    if (std::ranges::find(homes, name, &AssignmentHome::name) != homes.end()) continue;
    homes.push_back({name, folder, root / "reference" / name, root / "student_template" / name, true});
  }
  std::ranges::stable_sort(homes, {}, &AssignmentHome::name);
  return homes;
}

Result<AssignmentHome> find_assignment(const fs::path& root, const std::string& name_or_folder) {
  const bool is_path = name_or_folder.find('/') != std::string::npos || name_or_folder == ".";
  if (is_path || is_assignment(name_or_folder)) {
    std::error_code error;
    if (!fs::is_directory(name_or_folder, error))
      return fail(fmt::format("{} is no folder; --assignment takes the name of an assignment, or its folder",
                              name_or_folder));
    if (!is_assignment(name_or_folder))
      return fail(
          fmt::format("{} holds no {}, so it is no assignment; begin one with: warpmark assignment new NAME",
                      name_or_folder, kAssignmentFile));
    return own_home(name_or_folder);
  }
  const auto homes = all_assignments(root);
  if (!homes) return tl::unexpected(homes.error());
  std::vector<std::string> names;
  for (const AssignmentHome& home : *homes) {
    if (home.name == name_or_folder) return home;
    names.push_back(home.name);
  }
  return fail(
      fmt::format("no assignment is called {}; there are: {}", name_or_folder, fmt::join(names, ", ")));
}

std::string default_assignment(const fs::path& root) {
  const std::string text = read_file(root / "harness/assignments/default").value_or("");
  std::string_view rest = text;
  return std::string(trimmed(take_line(rest)));
}

Result<std::string> stub_of(const AssignmentHome& home, const std::string& file) {
  std::error_code error;
  if (fs::exists(home.stubs, error)) return read_file(home.stubs / file);
  const auto text = read_file(home.reference / file);
  if (!text) return text;
  return cut_stub(*text, file);
}

std::vector<fs::path> given_headers(const AssignmentHome& home) {
  static constexpr std::array<std::string_view, 3> kEndings{".h", ".hpp", ".cuh"};
  std::vector<fs::path> headers;
  std::error_code error;
  for (fs::directory_iterator it(home.reference, error), end; !error && it != end; it.increment(error)) {
    const fs::path& file = it->path();
    if (std::ranges::find(kEndings, file.extension().string()) == kEndings.end()) continue;
    const auto reference = read_file(file);
    const auto given = stub_of(home, file.filename().string());
    if (given && reference && *given == *reference) headers.push_back(file);
  }
  std::ranges::sort(headers);
  return headers;
}

}  // namespace warpmark
