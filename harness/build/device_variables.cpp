#include "harness/build/device_variables.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
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

struct DataNames {
  std::set<std::string> own;      // data of this object alone, which other files could name
  std::set<std::string> missing;  // undefined
};

Result<DataNames> data_names_of(const fs::path& object) {
  const Result<std::string> symbols = output_of("nm", {"--format=posix", fs::absolute(object).string()});
  if (!symbols) return tl::unexpected<Error>(symbols.error());
  DataNames names;
  std::istringstream lines(*symbols);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string kind;
    if (!(words >> name >> kind)) continue;
    if (kind == "U") names.missing.insert(name);
    if ((kind == "b" || kind == "d" || kind == "r") && !is_of_its_file(name)) names.own.insert(name);
  }
  return names;
}

Result<void> make_global(const fs::path& object, const std::set<std::string>& names) {
  if (names.empty()) return {};
  std::vector<std::string> arguments;
  for (const std::string& name : names) arguments.push_back("--globalize-symbol=" + name);
  arguments.push_back(fs::absolute(object).string());
  const Result<std::string> done = output_of("objcopy", arguments);
  if (!done) return tl::unexpected<Error>(done.error());
  return {};
}

}  // namespace

Result<void> export_device_variables(const fs::path& object) {
  const Result<DataNames> names = data_names_of(object);
  if (!names) return tl::unexpected<Error>(names.error());
  return make_global(object, names->own);
}

Result<std::vector<fs::path>> with_shared_variables(const std::vector<fs::path>& objects,
                                                    const fs::path& folder) {
  std::vector<DataNames> names;
  std::set<std::string> missing;
  for (const fs::path& object : objects) {
    Result<DataNames> read = data_names_of(object);
    if (!read) return tl::unexpected<Error>(read.error());
    missing.insert(read->missing.begin(), read->missing.end());
    names.push_back(std::move(*read));
  }
  std::vector<fs::path> shared;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::set<std::string> wanted;
    std::ranges::set_intersection(names[i].own, missing, std::inserter(wanted, wanted.end()));
    shared.push_back(objects[i]);
    if (wanted.empty()) continue;
    shared.back() = folder / fmt::format("shared_{}.o", i);
    std::error_code error;
    fs::copy_file(objects[i], shared.back(), error);
    if (error) return fail(fmt::format("cannot write {}: {}", shared.back().string(), error.message()));
    if (auto done = make_global(shared.back(), wanted); !done) return tl::unexpected<Error>(done.error());
  }
  return shared;
}

}  // namespace warpmark::build
