#include "harness/judge/intake/opening.h"

#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

Result<std::unique_ptr<Assignment>> make_assignment(const std::string& name) {
  std::string known;
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name == name) return entry.make();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  return fail(fmt::format("no assignment is called {}; known: {}", name, known));
}

// Returns the reason why the rubric's upload function cannot be audited; empty if it can, or there is none.
std::string fault_of_upload(const Opened& opened) {
  if (opened.rubric.upload.empty()) return {};
  const std::string& type = opened.rubric.types.front();
  const std::string data = opened.assignment->data_classes(type).front();
  const auto problem = opened.assignment->make({type, data, opened.rubric.upload_once.size, 0, 0});
  if (uploaded_buffer(problem->buffers())) return {};
  return fmt::format("upload names \"{}\", but the assignment marks no buffer as uploaded; remove the line",
                     opened.rubric.upload);
}

}  // namespace

Result<Opened> open_submission(const fs::path& folder, const std::string& assignment, const fs::path& rubric,
                               const fs::path& root) {
  const auto usable = check_path(folder, PathKind::folder,
                                 "name the folder that holds the .cu files (warpmark class takes archives)");
  if (!usable) return tl::unexpected(usable.error());
  Opened opened;
  opened.assignment_name = assignment;
  if (assignment.empty()) {
    auto recognised = recognise_assignment(folder, root);
    if (!recognised) return tl::unexpected(recognised.error());
    opened.assignment_name = std::move(*recognised);
  }
  const std::string& name = opened.assignment_name;
  auto made = make_assignment(name);
  if (!made) return tl::unexpected(made.error());
  opened.assignment = std::move(*made);
  const fs::path rubric_file = rubric.empty() ? assignment_folder(root, name) / "rubric.toml" : rubric;
  auto read = read_rubric(rubric_file, name);
  if (!read) return tl::unexpected(read.error());
  opened.rubric = std::move(*read);
  for (const std::string& type : opened.rubric.types) {
    if (opened.assignment->data_classes(type).empty()) {
      return fail(fmt::format("{}: types names \"{}\", which the assignment does not know",
                              rubric_file.string(), type));
    }
  }
  if (const std::string fault = fault_of_upload(opened); !fault.empty()) {
    return fail(fmt::format("{}: {}", rubric_file.string(), fault));
  }
  auto submission = take_in(folder, opened.rubric, root);
  if (!submission) return tl::unexpected(submission.error());
  opened.submission = std::move(*submission);
  return opened;
}

}  // namespace warpmark::judge
