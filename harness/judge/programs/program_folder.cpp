#include "harness/judge/programs/program_folder.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

std::string kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::symlink:
      return "a symbolic link";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "no regular file";
  }
}

}  // namespace

ProgramFolders::ProgramFolders(const program::Case& one, fs::path course)
    : case_(one), course_(std::move(course)) {
  for (const fs::path& file : case_.files) {
    std::error_code error;
    const auto size = fs::file_size(course_ / file, error);
    if (!error) bytes_ += size;
  }
}

fs::path ProgramFolders::make(int run) const {
  fs::path folder = of(run);
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::all);
  for (const fs::path& file : case_.files) {
    const fs::path copy = folder / file.filename();
    std::error_code error;
    fs::copy_file(course_ / file, copy, error);
    if (!error) fs::permissions(copy, fs::perms(0666), error);
    if (error)
      throw AssignmentFault(fmt::format("{}: the case {} needs this file: {}", (course_ / file).string(),
                                        case_.name, error.message()));
  }
  return folder;
}

fs::path ProgramFolders::input() const {
  if (case_.input.empty()) return "/dev/null";
  fs::path copy = folder_.path() / "input";
  std::error_code error;
  fs::copy_file(course_ / case_.input, copy, fs::copy_options::overwrite_existing, error);
  if (error)
    throw AssignmentFault(fmt::format("{}: the case {} needs this file as its standard input: {}",
                                      (course_ / case_.input).string(), case_.name, error.message()));
  return copy;
}

fs::path ProgramFolders::of(int run) const {
  return folder_.path() / fmt::format("run{}", run);
}

tl::expected<std::string, Cause> read_output(const fs::path& folder, const std::string& name,
                                             std::size_t most) {
  fs::path place = folder;
  for (const fs::path& part : fs::path(name)) {
    place /= part;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(place, error).type();
    if (type == fs::file_type::not_found)
      return tl::unexpected(
          make_cause(CauseKind::not_written, fmt::format("the program did not write {}", name)));
    const bool last = place == folder / name;
    if (error || type != (last ? fs::file_type::regular : fs::file_type::directory))
      return tl::unexpected(make_cause(
          CauseKind::wrong_output, fmt::format("{} is {}; the program must write a regular file", name,
                                               error ? "not readable: " + error.message()
                                               : last || type != fs::file_type::regular ? kind_of(type)
                                                                                        : "below a file")));
  }
  std::error_code error;
  const auto size = fs::file_size(place, error);
  if (!error && size > most)
    return tl::unexpected(
        make_cause(CauseKind::output_limit,
                   fmt::format("{} has {} bytes, and at most {} are allowed", name, size, most)));
  auto text = read_own_file(place);
  if (!text)
    return tl::unexpected(make_cause(
        CauseKind::wrong_output, fmt::format("{} cannot be read; the program must write a regular file of "
                                             "its own",
                                             name)));
  return std::move(*text);
}

}  // namespace warpmark::judge
