#include "harness/cli/ci_output.h"

#include <cerrno>
#include <cstdlib>
#include <random>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "reports/formats/autograders.h"
#include "reports/formats/ci.h"
#include "reports/reports.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 120;  // line width for the log of a CI server, in columns
constexpr const char* kCodeQualityFile = "gl-code-quality-report.json";

std::string secret_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// Appends `text` to the file that an environment variable names, if the variable is set. GitHub's steps share
// these files.
Result<void> append_to(const char* variable, std::string_view text) {
  const char* path = std::getenv(variable);
  if (path == nullptr || *path == '\0') return {};
  const UniqueFd file(::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!file) return fail(fmt::format("{} ({}): {}", path, variable, std::strerror(errno)));
  if (const int error = write_all(file.get(), text); error != 0)
    return fail(fmt::format("{} ({}): {}", path, variable, std::strerror(error)));
  return {};
}

// Returns `folder` relative to the repository's root, where CI jobs start.
fs::path from_the_top(const fs::path& folder) {
  const char* workspace = std::getenv("GITHUB_WORKSPACE");
  const fs::path top = workspace != nullptr && *workspace != '\0' ? fs::path(workspace) : fs::current_path();
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(folder, error);
  return error ? folder : absolute.lexically_proximate(fs::weakly_canonical(top, error));
}

}  // namespace

Result<void> present_to_ci(const std::string& server, const Grade& grade, const fs::path& folder,
                           const fs::path& out) {
  const std::string text = to_console(grade, {false, kWidth});
  const fs::path top = from_the_top(folder);
  if (server == kGitlab) {
    fmt::print("{}\n", text);
    return write_file(out / kCodeQualityFile, gitlab_code_quality(grade, top));
  }
  fmt::print("{}{}", without_commands(text, secret_token()), github_annotations(grade, top));
  if (auto done = append_to("GITHUB_STEP_SUMMARY", github_summary(grade)); !done) return done;
  return append_to("GITHUB_OUTPUT", fmt::format("result={}\n", base64(classroom_result(grade, nullptr))));
}

void say_unusable_to_ci(const std::string& server, const std::string& message) {
  if (server == kGithub) fmt::print("{}", github_error(message));
}

}  // namespace warpmark::cli
