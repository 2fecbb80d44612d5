#include "harness/cli/terminal.h"

#include <charconv>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "reports/wording/text.h"

namespace warpmark::cli {

namespace {

// Limits on the width of a terminal, in columns; a reported width below the minimum is ignored.
constexpr int kNarrowestTerminal = 40;
constexpr int kWidestTerminal = 1000;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Returns true if the descriptor is a terminal that supports cursor movement and colours.
bool is_capable_terminal(int descriptor) {
  return ::isatty(descriptor) != 0 && environment("TERM") != "dumb";
}

int columns_of(int descriptor, int otherwise) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowestTerminal) return size.ws_col;
  const std::string columns = environment("COLUMNS");
  int width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool usable = error == std::errc{} && end == columns.data() + columns.size() &&
                      width >= kNarrowestTerminal && width <= kWidestTerminal;
  return usable ? width : otherwise;
}

}  // namespace

ConsoleStyle style_of_the_terminal(int descriptor) {
  ConsoleStyle style;
  style.colour = is_capable_terminal(descriptor) && environment("NO_COLOR").empty();
  style.width = columns_of(descriptor, style.width);
  return style;
}

std::function<void(const std::string&)> progress_printer() {
  auto mutex = std::make_shared<std::mutex>();
  const bool terminal = is_capable_terminal(STDERR_FILENO);
  const auto width = static_cast<std::size_t>(columns_of(STDERR_FILENO, 80));
  return [mutex, terminal, width](const std::string& line) {
    const std::scoped_lock lock(*mutex);
    // Cuts a progress line to the terminal's width, because the next line could not erase one that wraps.
    if (terminal) {
      fmt::print(stderr, "\r\033[2K{}", cut_to(line, width - 1));
    } else {
      fmt::print(stderr, "{}\n", line);
    }
    std::fflush(stderr);
  };
}

void end_progress() {
  if (is_capable_terminal(STDERR_FILENO)) fmt::print(stderr, "\r\033[2K");
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
