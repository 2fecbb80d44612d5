#include "harness/judge/selection.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fnmatch.h>

#include "harness/base/text.h"

namespace warpmark::judge {
namespace {

constexpr std::string_view kOfStudent = "warpmark grade .";
// Option appended to a printed command line if the user's installation lacks the assignment: the assignment's
// path in the handout (the folder given to students), relative to the submission's folder.
constexpr std::string_view kCarried = " --assignment ../.warpmark/assignment/";

// Quotes a word for a POSIX shell or, if it contains control characters, for bash ($'...').
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:+=@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  const bool control =
      std::any_of(word.begin(), word.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (control) {
    std::string text = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < ' ' || byte == 0x7f || c == '\'' || c == '\\') {
        text += fmt::format("\\x{:02x}", byte);
      } else {
        text += c;
      }
    }
    return text + "'";
  }
  return fmt::format("'{}'", replaced(word, {{'\'', "'\\''"}}));
}

}  // namespace

bool Selection::matches(const CheckKey& key) const {
  const std::string id = id_of(course_.rubric.assignment, key);
  const std::string short_id = id.substr(course_.rubric.assignment.size() + 1);
  const std::string& alone = key.version.empty() ? short_id : key.version;
  const auto matches = [&](const std::string& text) {
    return ::fnmatch(course_.only.c_str(), text.c_str(), 0) == 0;
  };
  return matches(id) || matches(short_id) || matches(alone);
}

bool Selection::wants(const VersionRule& version, Check check) const {
  return version.has(check) && matches({version.name, check});
}

bool Selection::wants_upload() const {
  return !course_.rubric.upload.empty() && matches(upload_key());
}

bool Selection::runs(const VersionRule& version) const {
  return wants_upload() || std::any_of(version.checks.begin(), version.checks.end(),
                                       [&](Check check) { return wants(version, check); });
}

std::string program_from(const std::filesystem::path& folder, const std::filesystem::path& program) {
  const std::string near = program.lexically_proximate(folder).string();
  if (program.is_absolute() && near.size() > program.string().size()) return program.string();
  return near.find('/') == std::string::npos ? "./" + near : near;
}

namespace {

Size size_of(const Cause& cause) {
  if (cause.sizes.empty()) return *cause.n;
  std::vector<std::uint64_t> parts;
  for (const SizePart& part : cause.sizes) parts.push_back(part.value);
  return Size(std::move(parts));
}

}  // namespace

std::string command_again(const GradeOptions& options, const std::string& assignment, const CheckKey& key,
                          const Cause& cause) {
  const bool looks_like_an_option = options.submission.string().starts_with('-');
  const std::string submission = (looks_like_an_option ? "./" : "") + options.submission.string();
  std::string command = options.for_student
                            ? std::string(kOfStudent)
                            : fmt::format("{} grade {}", quoted(options.program), quoted(submission));
  command += " --only " + quoted(id_of(assignment, key));
  const bool own = options.assignment.find('/') != std::string::npos;
  if (own && options.for_student) command += std::string(kCarried) + quoted(assignment);
  if (!options.assignment.empty() && !options.for_student)
    command += " --assignment " + quoted(options.assignment);
  if (options.engine) command += fmt::format(" --engine {}", name_of(*options.engine));
  if (!options.on.empty() && !options.for_student) command += " --on " + quoted(options.on);
  if (!options.rubric.empty() && !options.for_student)
    command += " --rubric " + quoted(options.rubric.string());
  if (!cause.type.empty() && key != upload_key()) command += " --type " + cause.type;
  for (const auto& file : options.data.files)
    command += (&file == &options.data.files.front() ? " --data " : " ") + quoted(file.string());
  if (options.data.k) command += fmt::format(" --k {}", *options.data.k);
  // Omits --size for wrong_when_called_again: reproducing that failure may need earlier calls with other
  // sizes.
  if (cause.n && options.data.files.empty() && cause.kind != CauseKind::wrong_when_called_again)
    command += fmt::format(" --size {}", to_text(size_of(cause)));
  if (!cause.test.empty()) command += " --case " + cause.test;
  if (!cause.seed.empty()) command += " --seed " + cause.seed;
  return command;
}

std::string command_of_instructor(const std::string& of_student, const std::string& program,
                                  const std::string& submission, const std::string& more) {
  if (!of_student.starts_with(kOfStudent)) return of_student;
  std::string rest = of_student.substr(kOfStudent.size());
  if (const std::size_t at = rest.find(kCarried); at != std::string::npos)
    rest.erase(at, std::min(rest.find(' ', at + kCarried.size()), rest.size()) - at);
  return fmt::format("{} grade {}{}{}", quoted(program), quoted(submission), rest, more);
}

}  // namespace warpmark::judge
