#include "harness/judge/programs/program_build.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fnmatch.h>

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

bool is_compiled(const std::string& name) {
  static constexpr std::array<std::string_view, 5> kEndings{".cu", ".cpp", ".cc", ".cxx", ".c"};
  return std::ranges::find(kEndings, fs::path(name).extension().string()) != kEndings.end();
}

bool is_header(const fs::path& file) {
  static constexpr std::array<std::string_view, 3> kEndings{".h", ".hpp", ".cuh"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

build::Settings settings_for(const Installation& installation, const Rubric& rubric, const fs::path& cache) {
  build::Settings settings;
  settings.cache = cache;
  settings.simulator_include = installation.simulator_headers();
  settings.simulator_library = installation.libraries / "libwarpmark_cudart.so";
  settings.compile_limit = rubric.limits.build;
  settings.sandbox = installation.sandbox;
  settings.hidden = {installation.root, installation.programs.parent_path()};
  return settings;
}

}  // namespace

std::vector<std::string> sources_in(const fs::path& folder, const VersionRule& version) {
  std::set<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.') || !is_compiled(name) ||
        it->symlink_status(ignored).type() != fs::file_type::regular)
      continue;
    const auto matches = [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    };
    if (std::ranges::any_of(version.sources, matches)) found.insert(name);
  }
  found.erase(version.file());
  std::vector<std::string> sources{version.file()};
  sources.insert(sources.end(), found.begin(), found.end());
  return sources;
}

bool needs_gpu(const VersionRule& version, const program::Spec& spec) {
  const bool no_kernels =
      std::ranges::all_of(spec.cases, [](const program::Case& one) { return one.kernels == 0; });
  const auto is_cpp = [](const std::string& source) {
    return is_compiled(source) && fs::path(source).extension() != ".cu";
  };
  return !no_kernels || !std::ranges::all_of(version.sources, is_cpp);
}

ProgramBuilder::ProgramBuilder(const Installation& installation, const Rubric& rubric, const Engines& engines,
                               const fs::path& cache, Engine engine)
    : builder_(engines.toolchains.at(engine), settings_for(installation, rubric, cache)),
      headers_(programs_.path() / "headers") {
  fs::create_directory(headers_);
  std::error_code error;
  const auto give = [&](const fs::path& header) {
    fs::copy_file(header, headers_ / header.filename(), fs::copy_options::overwrite_existing, error);
  };
  for (const fs::path& header : given_headers(rubric.home)) give(header);
  for (fs::directory_iterator it(rubric.home.folder, error), end; !error && it != end; it.increment(error)) {
    if (is_header(it->path()) && it->is_regular_file()) give(it->path());
  }
}

BuiltProgram ProgramBuilder::build(const fs::path& folder, const VersionRule& version) const {
  BuiltProgram result;
  result.folder = folder;
  std::vector<build::Request> requests;
  for (const std::string& name : sources_in(folder, version)) {
    build::Request request;
    request.source = folder / name;
    request.display_name = name;
    request.include_folders = {folder, headers_};
    request.is_c = request.source.extension() == ".c";
    requests.push_back(std::move(request));
  }
  const fs::path at = programs_.path() / std::to_string(count_++);
  fs::create_directory(at);
  const fs::path program = at / "program";
  auto built = builder_.build_program(std::move(requests), program);
  if (!built) {
    result.causes = {make_cause(CauseKind::internal, built.error().message)};
    return result;
  }
  result.causes = std::move(built->causes);
  result.seconds = built->seconds;
  if (result.causes.empty()) result.program = program;
  return result;
}

const ProgramBuilder& ProgramBuilders::of(Engine engine) {
  const std::scoped_lock lock(mutex_);
  auto& made = made_[engine];
  if (!made) made = std::make_unique<ProgramBuilder>(installation_, rubric_, engines_, cache_, engine);
  return *made;
}

}  // namespace warpmark::judge
