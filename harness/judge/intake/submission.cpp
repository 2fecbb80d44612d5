#include "harness/judge/intake/submission.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/tokens.h"
#include "harness/base/file.h"
#include "harness/judge/intake/intake.h"
#include "harness/judge/intake/near_names.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> version_files(const Rubric& rubric) {
  std::vector<std::string> names;
  for (const VersionRule& version : rubric.versions) names.push_back(version.file());
  return names;
}

std::vector<std::string> expected_files(const Rubric& rubric) {
  std::vector<std::string> names = version_files(rubric);
  if (!rubric.upload.empty()) names.push_back(rubric.file_of(rubric.upload));
  return names;
}

bool holds_any(const fs::path& folder, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    std::error_code ignored;
    return fs::exists(folder / name, ignored);
  });
}

bool includes_contract(const fs::path& folder, const Rubric& rubric) {
  const auto text = read_file(folder / rubric.file_of(rubric.upload));
  return text && text->find(rubric.contract) != std::string::npos;
}

// Returns a hash over names and contents of all files in a submission's folder that could be part of a
// library.
std::string hash_of(const fs::path& folder, const std::vector<fs::path>& files) {
  std::string all;
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    const std::string name = file.lexically_relative(folder).string();
    all += fmt::format("{}:{}\n{}\n", name.size(), name, sha256(text ? *text : ""));
  }
  return sha256(all);
}

SubmittedFile read_submitted(const fs::path& folder, const std::string& name, bool given,
                             const AssignmentHome& home) {
  SubmittedFile file;
  file.name = name;
  file.path = folder / file.name;
  std::error_code error;
  const fs::file_type type = fs::symlink_status(file.path, error).type();
  if (type == fs::file_type::not_found) {
    file.causes.push_back(
        make_cause(CauseKind::not_implemented, fmt::format("there is no file {}", file.name), file.name));
    return file;
  }
  // A submission's directory entry that is not a regular file is returned without contents: a directory, or
  // an entry that take_in() reports as refused.
  if (type != fs::file_type::regular) return file;
  auto text = read_file(file.path);
  if (!text) {
    file.causes.push_back(make_cause(CauseKind::compile_error, text.error().message, file.name));
    return file;
  }
  file.text = std::move(*text);
  if (given) return file;
  if (const auto stub = stub_of(home, file.name); stub && same_tokens(*stub, file.text)) {
    file.causes.push_back(make_cause(
        CauseKind::not_implemented,
        fmt::format("{} is still the template's: nothing has been written yet", file.name), file.name));
  }
  return file;
}

// Maps the names of files that a submission should contain but lacks to similarly named files in its folder.
std::map<std::string, std::string> near_files(const fs::path& folder, const Rubric& rubric) {
  std::set<std::string> wanted;
  for (const std::string& name : expected_files(rubric)) wanted.insert(name);
  std::map<std::string, std::string> near;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    const auto meant = near_name(name, wanted);
    if (!meant || it->symlink_status(ignored).type() != fs::file_type::regular) continue;
    std::string& found = near[*meant];
    found = found.empty() ? name : std::min(found, name);
  }
  return near;
}

// Handles files with nearly matching names: grades such a file if the rubric allows, else reports the
// probable name.
void remark_near_names(const Rubric& rubric, Submission& submission) {
  const auto near = near_files(submission.folder, rubric);
  for (auto& [version, file] : submission.files) {
    const std::string wanted = rubric.file_of(version);
    const auto meant = near.find(wanted);
    std::error_code ignored;
    if (meant == near.end() || fs::exists(fs::symlink_status(file.path, ignored))) continue;
    const std::string& name = meant->second;
    const bool same_ending = fs::path(name).extension() == fs::path(wanted).extension();
    auto text =
        rubric.takes_near_names && same_ending ? read_file(submission.folder / name) : fail("not taken");
    if (text) {
      file = {submission.folder / name, name, std::move(*text), {}};
      submission.remarks.push_back(fmt::format("{} was taken as {}", name, wanted));
    } else {
      const std::string remark =
          fmt::format("{} is not the name of a version; did you mean {}?", name, wanted);
      for (Cause& cause : file.causes) cause.message += fmt::format("; {} Rename it", remark);
      submission.remarks.push_back(remark);
    }
  }
}

// Notes the given headers that the submission did not change. Adds remarks on those that a kernel file
// includes and the assignment supplies, but the submission's folder lacks.
void look_at_given_headers(const Rubric& rubric, Submission& submission) {
  for (const fs::path& header : given_headers(rubric.home)) {
    const std::string name = header.filename().string();
    std::error_code ignored;
    const auto given = read_file(header);
    const auto own = read_own_file(submission.folder / name);
    if (given && (!own || *own == *given)) submission.given[name] = *given;
    if (fs::exists(fs::symlink_status(submission.folder / name, ignored))) continue;
    const bool included = std::ranges::any_of(
        submission.files, [&](const auto& file) { return file.second.text.find(name) != std::string::npos; });
    if (included)
      submission.remarks.push_back(name + " is not in the folder: the assignment's own was taken");
  }
}

// Reports refused directory entries. An entry with the name of a file that the student must write affects
// only that file's checks. Any other entry could be included by every kernel file and so affects all, because
// no compiler may follow it.
void refuse(const std::vector<RefusedFile>& refused, Submission& submission) {
  for (const RefusedFile& entry : refused) {
    const auto asked = std::find_if(submission.files.begin(), submission.files.end(),
                                    [&](const auto& file) { return file.second.name == entry.name; });
    for (auto& [name, file] : submission.files) {
      if (asked != submission.files.end() && name != asked->first) continue;
      const bool missing = !file.causes.empty() && file.causes.front().kind == CauseKind::not_implemented;
      if (missing) continue;
      file.causes.push_back(
          make_cause(CauseKind::compile_error, fmt::format("{} {}", entry.name, entry.why), entry.name));
    }
  }
  for (auto& [name, file] : submission.files) {
    std::error_code error;
    if (file.causes.empty() && fs::is_directory(fs::symlink_status(file.path, error))) {
      file.causes.push_back(make_cause(CauseKind::compile_error,
                                       fmt::format("{} is a folder, not a file", file.name), file.name));
    }
  }
}

// Returns a failure reason if a submission's folder contains a modified copy of the header with the function
// signatures, which would take precedence over the course's.
std::optional<Cause> own_contract(const fs::path& folder, const Rubric& rubric, const std::string& contract) {
  const auto own = read_file(folder / contract);
  if (!own) return std::nullopt;
  const auto ours = read_file(rubric.home.folder / contract);
  if (ours && same_tokens(*own, *ours)) return std::nullopt;
  return make_cause(
      CauseKind::compile_error,
      fmt::format(
          "the folder holds a {} of its own, which differs from the course's contract; remove it: the "
          "harness provides that header",
          contract),
      contract);
}

}  // namespace

Result<AssignmentHome> recognise_assignment(const fs::path& folder, const fs::path& root) {
  std::vector<AssignmentHome> found;
  // Assignments that may be meant although the submission's folder holds none of their kernel files: its
  // upload file includes their header.
  std::vector<AssignmentHome> by_contract;
  // Assignments that may be meant because the submission's folder holds a file with their upload function's
  // name, which several assignments may share.
  std::vector<AssignmentHome> by_upload;
  std::vector<std::string> below;
  std::vector<std::string> expected;
  const auto homes = all_assignments(root);
  if (!homes) return tl::unexpected(homes.error());
  for (const AssignmentHome& home : *homes) {
    const auto rubric = read_rubric(home);
    if (!rubric) return tl::unexpected(rubric.error());
    if (holds_any(folder, version_files(*rubric))) {
      found.push_back(home);
    } else if (holds_any(folder, expected_files(*rubric))) {
      (includes_contract(folder, *rubric) ? by_contract : by_upload).push_back(home);
    }
    expected.push_back(fmt::format("{} ({}, ...)", home.name, rubric->versions.front().file()));
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code unreadable;
      const std::string path = (folder / it->path().filename()).string();
      if (it->is_directory(unreadable) && holds_any(it->path(), expected_files(*rubric)) &&
          std::ranges::find(below, path) == below.end())
        below.push_back(path);
    }
  }
  if (found.empty()) found = std::move(by_contract.empty() ? by_upload : by_contract);
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const AssignmentHome& home : found) names.push_back(home.name);
    return fail(fmt::format("{} holds files of several assignments: {}; choose one with --assignment NAME",
                            folder.string(), fmt::join(names, ", ")));
  }
  if (!below.empty()) {
    return fail(fmt::format("{} holds no submission itself, but folders in it do; grade one of: {}",
                            folder.string(), fmt::join(below, ", ")));
  }
  return fail(
      fmt::format("{} holds no file of any assignment; known: {}. To begin: "
                  "warpmark new DIR --assignment NAME",
                  folder.string(), fmt::join(expected, ", ")));
}

std::vector<VersionRule> versions_in(const fs::path& folder, const Rubric& rubric) {
  std::vector<VersionRule> versions = rubric.versions;
  std::erase_if(versions, [&](const VersionRule& version) {
    std::error_code ignored;
    return version.reference_only &&
           fs::status(folder / version.file(), ignored).type() == fs::file_type::not_found;
  });
  return versions;
}

Rubric rubric_for(const Submission& submission, Rubric rubric) {
  std::erase_if(rubric.versions,
                [&](const VersionRule& version) { return !submission.files.contains(version.name); });
  return rubric;
}

Result<Submission> take_in(const fs::path& folder, const Rubric& rubric, const fs::path& root) {
  std::error_code error;
  Submission submission;
  submission.folder = fs::canonical(folder, error);
  if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
  const fs::path inside = submission.folder.lexically_relative(fs::canonical(root, error));
  const bool ours = !inside.empty() && *inside.begin() != "..";
  submission.name = ours && inside != "." ? inside.string() : submission.folder.filename().string();
  const auto intake = look_through(submission.folder);
  if (!intake) return tl::unexpected(intake.error());
  submission.hash = hash_of(submission.folder, intake->files);
  for (const VersionRule& version : versions_in(submission.folder, rubric)) {
    submission.files[version.name] =
        read_submitted(submission.folder, version.file(), version.given, rubric.home);
  }
  if (!rubric.upload.empty()) {
    submission.files[rubric.upload] =
        read_submitted(submission.folder, rubric.file_of(rubric.upload), false, rubric.home);
  }
  remark_near_names(rubric, submission);
  look_at_given_headers(rubric, submission);
  refuse(intake->refused, submission);
  for (const std::string& contract : std::set<std::string>{rubric.contract, rubric.host.contract}) {
    const auto cause = own_contract(submission.folder, rubric, contract);
    for (auto& [name, file] : submission.files) {
      if (cause && file.causes.empty()) file.causes = {*cause};
    }
  }
  return submission;
}

}  // namespace warpmark::judge
