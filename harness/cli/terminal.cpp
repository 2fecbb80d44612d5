#include "harness/cli/terminal.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/cli/commands.h"

namespace warpmark::cli {

ConsoleStyle style_of_the_terminal(int descriptor) {
  ConsoleStyle style;
  if (::isatty(descriptor) == 0) return style;
  style.colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) style.width = size.ws_col;
  return style;
}

std::function<void(const std::string&)> progress_printer() {
  auto mutex = std::make_shared<std::mutex>();
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  return [mutex, terminal](const std::string& line) {
    const std::scoped_lock lock(*mutex);
    fmt::print(stderr, "{}{}{}", terminal ? "\r\033[2K" : "", line, terminal ? "" : "\n");
    std::fflush(stderr);
  };
}

void end_progress() {
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[2K");
}

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error)
    return fail(
        fmt::format("{}: {}; choose another folder with --out DIR", folder.string(), error.message()));
  return {};
}

int unusable(std::string_view command, std::string_view message) {
  fmt::print(stderr, "warpmark {}: {}\n", command, message);
  return kUnusable;
}

}  // namespace warpmark::cli
