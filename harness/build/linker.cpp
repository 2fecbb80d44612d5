#include "harness/build/linker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kAnswerLimit{20};
constexpr const char* kObject = "object.o";
constexpr const char* kLibrary = "library.so";
// Linkers to try, fastest first: lld is slower to start because it loads all of LLVM.
constexpr std::array<const char*, 2> kLinkers{"gold", "lld"};

std::vector<std::string> shown_by(const fs::path& driver, std::vector<std::string> arguments,
                                  const char* linker, const fs::path& folder) {
  sandbox::Command command;
  command.argv = {driver.string(), "-###", std::string("-fuse-ld=") + linker};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = {{"PATH", driver.parent_path().string() + ":/usr/bin:/bin"}, {"LC_ALL", "C"}};
  command.folder = folder;
  const Result<sandbox::Finished> finished = sandbox::run(command, kAnswerLimit);
  if (!finished || finished->timed_out || finished->ending.kind != sandbox::Ending::Kind::exited ||
      finished->ending.code != 0) {
    return {};
  }
  return last_command_shown(finished->ending.output);
}

}  // namespace

std::vector<std::string> last_command_shown(std::string_view output) {
  while (output.ends_with('\n')) output.remove_suffix(1);
  const std::size_t line = output.rfind('\n');
  if (line != std::string_view::npos) output.remove_prefix(line + 1);
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const char next = output[i];
    if (next == '"') {
      inside = !inside;
      if (inside) words.emplace_back();
    } else if (inside) {
      if (next == '\\' && i + 1 < output.size()) ++i;
      words.back() += output[i];
    } else if (next != ' ') {
      return {};
    }
  }
  return inside ? std::vector<std::string>{} : words;
}

Linker Linker::find(const fs::path& driver, const DriverArguments& arguments) {
  Linker linker;
  const TemporaryFolder folder;
  // Creates an empty object file, because `clang -###` prints the linker's command line only if the input
  // file exists.
  if (!write_file(folder.path() / kObject, "")) return linker;
  for (const char* name : kLinkers) {
    const std::optional<fs::path> program = sandbox::find_program(std::string("ld.") + name);
    // Skips linkers outside /usr: the sandbox shows no other system programs.
    if (!program || !is_below(*program, "/usr")) continue;
    std::vector<std::string> command = shown_by(driver, arguments(kObject, kLibrary), name, folder.path());
    const bool whole =
        std::ranges::count(command, kObject) == 1 && std::ranges::count(command, kLibrary) == 1;
    if (!whole || command.front() != program->string()) continue;
    linker.command_ = std::move(command);
    break;
  }
  return linker;
}

std::vector<std::string> Linker::command(const fs::path& object, const fs::path& library) const {
  std::vector<std::string> command = command_;
  std::ranges::replace(command, std::string(kObject), object.string());
  std::ranges::replace(command, std::string(kLibrary), library.string());
  return command;
}

}  // namespace warpmark::build
