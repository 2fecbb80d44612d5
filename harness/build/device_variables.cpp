#include "harness/build/device_variables.h"

#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "harness/sandbox/process.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBinutilsLimit{60};

Result<std::string> output_of(const char* name, std::vector<std::string> arguments) {
  const auto program = sandbox::find_program(name);
  if (!program) return fail(fmt::format("there is no {}: apt-get install binutils", name));
  sandbox::Command command;
  command.argv = {program->string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = {{"LC_ALL", "C"}};
  command.output_cap = std::size_t{64} << 20;
  const Result<sandbox::Finished> finished = sandbox::run(command, kBinutilsLimit);
  if (!finished) return tl::unexpected<Error>(finished.error());
  if (finished->ending.kind != sandbox::Ending::Kind::exited || finished->ending.code != 0)
    return fail(fmt::format("{} failed: {}", name, finished->ending.output));
  return finished->ending.output;
}

// Returns true for the mangled name of a variable that no other file can name (Itanium C++ ABI: _ZL is
// static, _ZZ local to a function), or of one that the compiler made.
bool is_of_its_file(std::string_view name) {
  return name.starts_with("_ZL") || name.starts_with("_ZZ") || name.starts_with("_ZGV") ||
         name.find("_GLOBAL__N_") != std::string_view::npos || name.starts_with("__cuda") ||
         name.starts_with(".") || name.starts_with("GCC_except_table");
}

}  // namespace

Result<void> export_device_variables(const fs::path& object) {
  const Result<std::string> symbols = output_of("nm", {"--format=posix", fs::absolute(object).string()});
  if (!symbols) return tl::unexpected<Error>(symbols.error());
  std::vector<std::string> arguments;
  std::istringstream lines(*symbols);
  std::string name;
  std::string kind;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    // b, d and r: data of this file alone.
    if (words >> name >> kind && (kind == "b" || kind == "d" || kind == "r") && !is_of_its_file(name))
      arguments.push_back("--globalize-symbol=" + name);
  }
  if (arguments.empty()) return {};
  arguments.push_back(fs::absolute(object).string());
  const Result<std::string> done = output_of("objcopy", arguments);
  if (!done) return tl::unexpected<Error>(done.error());
  return {};
}

}  // namespace warpmark::build
