#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/build/not_simulated.h"
#include "harness/build/program_warnings.h"
#include "harness/build/quoted_includes.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::program_analysis {
namespace {

namespace fs = std::filesystem;
using sandbox::Clock;

// Returns one compile request per file that the user named, or an error if a file is missing, empty or no
// CUDA source.
Result<std::vector<build::Request>> requests_for(const Options& options) {
  std::vector<build::Request> requests;
  for (const std::string& name : options.sources) {
    const fs::path path = name;
    if (auto usable = check_path(path, PathKind::file, "name the .cu files of one program"); !usable)
      return tl::unexpected(usable.error());
    const std::string extension = path.extension().string();
    constexpr std::array<std::string_view, 6> kKnown{".cu", ".c", ".cpp", ".cc", ".cxx", ".C"};
    if (std::ranges::find(kKnown, extension) == kKnown.end()) {
      return fail(
          fmt::format("{} is no CUDA program: its name has to end in .cu (or .c, .cpp, .cc, .cxx)", name));
    }
    const Result<std::string> text = read_file(path);
    if (!text) return tl::unexpected<Error>(text.error());
    if (text->find_first_not_of(" \t\r\n") == std::string::npos)
      return fail(fmt::format("{} is empty; a program needs a function main", name));
    build::Request request;
    request.source = fs::absolute(path);
    // A source file outside of the working folder is displayed without its folder.
    const std::string shown = path.lexically_normal().string();
    request.display_name = path.is_absolute() || shown.starts_with("..") ? path.filename().string() : shown;
    request.include_folders = options.include_folders;
    for (fs::path& folder : build::folders_included_from(request.source, options.include_folders))
      request.include_folders.push_back(std::move(folder));
    request.defines = options.defines;
    request.is_c = extension == ".c" && !build::needs_cuda_compiler(*text);
    requests.push_back(std::move(request));
  }
  return requests;
}

SourceFolders folders_of(const std::vector<build::Request>& requests) {
  SourceFolders folders;
  for (const build::Request& request : requests) {
    std::string source = request.source.lexically_normal().string();
    if (source.ends_with("/" + request.display_name))
      source.resize(source.size() - request.display_name.size());
    folders.emplace_back(source.ends_with('/') ? source : request.source.parent_path().string());
  }
  return folders;
}

}  // namespace

Result<tl::expected<Simulation, Unusable>> simulate(const Options& options) {
  const Clock::time_point start = Clock::now();
  const auto unusable = [](Unusable why) -> tl::expected<Simulation, Unusable> {
    return tl::unexpected(std::move(why));
  };
  const Result<std::vector<build::Request>> requests = requests_for(options);
  if (!requests) return unusable({{}, requests.error().message});
  Result<build::Toolchain> toolchain = build::find_toolchain(Engine::simulator);
  if (!toolchain) return unusable({{}, toolchain.error().message});

  options.progress(fmt::format("building with {}", toolchain->description));
  const TemporaryFolder built_in;
  const fs::path program = built_in.path() / fs::path(options.sources.front()).stem();
  const build::Builder builder(std::move(*toolchain), options.build);
  const Result<build::Built> built = builder.build_program(*requests, program);
  if (!built) return tl::unexpected<Error>(built.error());
  if (!built->causes.empty()) return unusable({built->causes, {}});

  std::vector<std::string> remarks;
  if (const auto warnings = read_file(build::warnings_beside(program))) remarks = lines_of(*warnings);
  Result<Simulation> result = analyse(options, program, folders_of(*requests), std::move(remarks));
  if (!result) return tl::unexpected<Error>(result.error());
  result->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return std::move(*result);
}

}  // namespace warpmark::program_analysis
