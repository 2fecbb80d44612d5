#include "harness/judge/oracle/course_build.h"

#include <fmt/format.h>

#include "harness/judge/oracle/generated_source.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBuildLimit{120};
constexpr const char* kJudge = "judge.cpp";

build::Settings settings_of(const CourseFolder& course) {
  build::Settings settings;
  settings.cache = course.cache;
  settings.simulator_include = course.installation.simulator_headers();
  settings.simulator_library = course.installation.libraries / "libwarpmark_cudart.so";
  settings.compile_limit = kBuildLimit;
  settings.sandbox = course.installation.sandbox;
  return settings;
}

}  // namespace

fs::path CourseBuilder::built(const build::Request& request) {
  const std::string& name = request.display_name;
  if (!builder_) {
    const auto toolchain = build::find_toolchain(Engine::host);
    if (!toolchain)
      throw AssignmentFault(fmt::format("{} cannot be built: {}", name, toolchain.error().message));
    builder_.emplace(*toolchain, settings_of(course_));
  }
  build::Request own = request;
  own.trusted = true;
  const auto result = builder_->build(own);
  if (!result) throw AssignmentFault(fmt::format("{}: {}", name, result.error().message));
  if (!result->causes.empty()) {
    const Cause& cause = result->causes.front();
    const std::string where =
        cause.line > 0 ? fmt::format("{}:{}", cause.file.empty() ? name : cause.file, cause.line) : name;
    throw AssignmentFault(fmt::format("{}: {}{}{}", (course_.folder / where).string(), cause.message,
                                      cause.details.empty() ? "" : "\n", cause.details));
  }
  return result->library;
}

fs::path CourseBuilder::library(const fs::path& source, const std::string& name, const std::string& type,
                                const std::vector<std::string>& exports, const std::string& optimisation) {
  build::Request request{source,
                         name,
                         {course_.folder, course_.installation.simulator_headers(),
                          course_.installation.root / "harness/worker"},
                         type,
                         exports};
  request.flags = {optimisation, "-Wno-attributes"};
  return built(request);
}

fs::path CourseBuilder::judge(const std::vector<std::string>& sources) {
  const fs::path headers = course_.installation.libraries / "include";
  build::Request request{course_.folder / kJudge, kJudge, {course_.folder, headers}, "", {kMakeAssignment}};
  request.flags = {"-O2", "-DFMT_HEADER_ONLY"};
  for (const std::string& source : sources) {
    std::error_code error;
    if (!fs::exists(course_.folder / source, error) && !fs::exists(headers / source, error))
      throw AssignmentFault(
          fmt::format("{}: judge_sources names it, and there is no such file; remove it there",
                      (course_.folder / source).string()));
    // By its name below the include folders: with an absolute path, a moved folder would be built anew.
    request.flags.insert(request.flags.end(), {"-include", source});
  }
  return built(request);
}

fs::path CourseBuilder::adapter(const std::string& text, const std::string& type) {
  return library(generated_source(course_.cache, text, ".cpp"), "assignment.toml", type, {"warpmark_call"});
}

}  // namespace warpmark::judge
