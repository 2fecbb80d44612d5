#include "harness/judge/intake/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/plain/plain.h"
#include "harness/base/file.h"
#include "harness/judge/oracle/course_functions.h"
#include "harness/judge/oracle/course_judge.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

std::string fault_of_upload(const Opened& opened) {
  if (opened.rubric.upload.empty()) return {};
  const std::string& type = opened.rubric.types.front();
  const std::string data = opened.assignment->data_classes(type).front();
  const auto problem =
      opened.assignment->make(opened.assignment->case_of(type, data, opened.rubric.upload_once.size, 0));
  if (uploaded_buffer(problem->buffers())) return {};
  return fmt::format("upload names \"{}\", but the assignment marks no buffer as uploaded; remove the line",
                     opened.rubric.upload);
}

Result<Opened> with_submission(Opened opened, const fs::path& folder, const Installation& installation) {
  auto submission = take_in(folder, opened.rubric, installation.root);
  if (!submission) return tl::unexpected(submission.error());
  opened.submission = std::move(*submission);
  return opened;
}

}  // namespace

Result<std::unique_ptr<Assignment>> make_assignment(const Rubric& rubric, const Installation& installation,
                                                    const fs::path& cache) {
  if (rubric.plain)
    return plain::make_assignment(rubric.plain,
                                  make_oracle(rubric.plain, {installation, cache, rubric.home.folder}));
  if (rubric.program)
    return fail(fmt::format("{}: the submissions of {} are programs, which this command cannot take",
                            rubric.home.rules().string(), rubric.assignment));
  std::error_code error;
  if (fs::exists(rubric.home.folder / "judge.cpp", error))
    return load_course_judge(rubric, {installation, cache, rubric.home.folder});
  return fail(fmt::format(
      "{}: it describes no call, and there is no judge.cpp; add call and [[buffer]], or write one",
      rubric.home.rules().string()));
}

Result<Opened> open_submission(const fs::path& folder, const std::string& assignment, const fs::path& rubric,
                               const Installation& installation, const fs::path& cache) {
  const auto usable = check_path(folder, PathKind::folder,
                                 "name the folder that holds the .cu files (warpmark class takes archives)");
  if (!usable) return tl::unexpected(usable.error());
  const auto home = assignment.empty() ? recognise_assignment(folder, installation.root)
                                       : find_assignment(installation.root, assignment);
  if (!home) return tl::unexpected(home.error());
  Opened opened;
  opened.assignment_name = home->name;
  auto read = read_rubric(*home, rubric);
  if (!read) return tl::unexpected(read.error());
  opened.rubric = std::move(*read);
  if (opened.rubric.program) return with_submission(std::move(opened), folder, installation);
  auto made = make_assignment(opened.rubric, installation, cache);
  if (!made) return tl::unexpected(made.error());
  opened.assignment = std::move(*made);
  const std::string file = (rubric.empty() ? home->rules() : rubric).string();
  for (const std::string& type : opened.rubric.types) {
    if (opened.assignment->data_classes(type).empty())
      return fail(fmt::format("{}: types names \"{}\", which the assignment does not know", file, type));
  }
  if (const std::string fault = fault_of_upload(opened); !fault.empty())
    return fail(fmt::format("{}: {}", file, fault));
  return with_submission(std::move(opened), folder, installation);
}

Result<void> check_size(const std::optional<Size>& size, const Opened& opened) {
  const auto names = opened.assignment->size_names();
  if (!size || size->parts.size() == names.size()) return {};
  return fail(fmt::format("--size {}: a size of {} has {} parts: {}", to_text(*size), opened.assignment_name,
                          names.size(), fmt::join(names, ",")));
}

}  // namespace warpmark::judge
