#include "harness/build/toolchain.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/build/builder.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

constexpr int kOldestClang = 14;  // major version of the oldest clang tested, Debian 12's (2026)
// Newest version N for which the search for a compiler tries clang++-N; plain clang++ may be newer.
constexpr int kNewestClang = 22;
constexpr std::chrono::seconds kCompilerAnswerLimit{30};

constexpr std::string_view kClangRemedy =
    "The simulator compiles with clang++ 14 or newer and its NVPTX back end: apt-get install clang (or name "
    "one in WARPMARK_CLANG).";
constexpr std::string_view kNvccRemedy =
    "Grading on a GPU needs the CUDA toolkit's nvcc: install it "
    "(https://developer.nvidia.com/cuda-downloads), put it on "
    "PATH or name it in WARPMARK_NVCC.";

std::string version_part(std::string_view output, std::string_view before) {
  const std::size_t at = output.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = output.substr(at + before.size());
  const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  return std::string(rest.substr(0, end));
}

std::optional<std::string> answer(const fs::path& program, const std::string& question) {
  sandbox::Command command;
  command.argv = {program.string(), question};
  command.environment = {{"PATH", program.parent_path().string() + ":/usr/bin:/bin"}, {"LC_ALL", "C"}};
  const Result<sandbox::Finished> finished = sandbox::run(command, kCompilerAnswerLimit);
  if (!finished || finished->timed_out || finished->ending.kind != sandbox::Ending::Kind::exited ||
      finished->ending.code != 0) {
    return std::nullopt;
  }
  return finished->ending.output;
}

std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return fmt::format("{} missing", file.string());
  return fmt::format("{} {} {}.{:09}", file.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

Toolchain toolchain_of(Engine engine, const fs::path& compiler, std::string description) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler, error);
  std::string identity = fmt::format("{}; {}", description, identity_of(error ? compiler : real));
  if (engine == Engine::gpu) {
    const char* host = std::getenv("NVCC_CCBIN");
    identity += fmt::format("; {}", identity_of(host != nullptr ? fs::path(host) : fs::path("/usr/bin/g++")));
  }
  return {engine, compiler, std::move(description), std::move(identity)};
}

// Resolves a compiler that the user named by path or by program name on PATH.
std::optional<fs::path> named_compiler(const std::string& name) {
  if (name.find('/') == std::string::npos) return sandbox::find_program(name);
  std::error_code error;
  const fs::path path = fs::absolute(name, error);
  if (error || !fs::is_regular_file(path, error) || access(path.c_str(), X_OK) != 0) return std::nullopt;
  return path;
}

// Returns the clang programs to try, in order of preference.
std::vector<fs::path> clang_candidates() {
  std::vector<std::string> names{"clang++"};
  for (int version = kNewestClang; version >= kOldestClang; --version)
    names.push_back(fmt::format("clang++-{}", version));
  std::vector<fs::path> found;
  for (const std::string& name : names) {
    if (std::optional<fs::path> path = sandbox::find_program(name)) found.push_back(std::move(*path));
  }
  return found;
}

std::vector<fs::path> nvcc_candidates() {
  std::vector<fs::path> found;
  // All in PATH, because the first may be the stand-in (warpmark env).
  const char* listed = std::getenv("PATH");
  std::istringstream path_folders(listed == nullptr ? "" : listed);
  for (std::string folder; std::getline(path_folders, folder, ':');) {
    if (!fs::path(folder).is_absolute()) continue;
    if (std::optional<fs::path> path = named_compiler(fs::path(folder) / "nvcc"))
      found.push_back(std::move(*path));
  }
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && fs::path(value).is_absolute()) folders.emplace_back(value);
  }
  folders.emplace_back("/usr/local/cuda");
  for (const fs::path& folder : folders) {
    if (std::optional<fs::path> path = named_compiler(folder / "bin/nvcc")) found.push_back(std::move(*path));
  }
  return found;
}

// Returns true if Thrust is in a compiler's default include folder.
bool system_has_thrust() {
  std::error_code error;
  return fs::exists("/usr/include/thrust/version.h", error) ||
         fs::exists("/usr/local/include/thrust/version.h", error);
}

fs::path find_thrust_of_toolkit() {
  if (system_has_thrust()) return {};
  for (const fs::path& nvcc : nvcc_candidates()) {
    fs::path folder = nvcc.parent_path().parent_path() / "include/cccl";
    std::error_code error;
    if (fs::exists(folder / "thrust/version.h", error)) return folder;
  }
  return {};
}

Result<Toolchain> check_clang(const fs::path& path) {
  const std::optional<std::string> output = answer(path, "--version");
  const std::optional<std::string> version = output ? clang_version(*output) : std::nullopt;
  if (!version) return fail(fmt::format("{} is not clang. {}", path.string(), kClangRemedy));
  if (major_version(*version) < kOldestClang) {
    return fail(fmt::format("{} is clang {}, too old. {}", path.string(), *version, kClangRemedy));
  }
  const std::optional<std::string> targets = answer(path, "--print-targets");
  if (!targets || targets->find("nvptx64") == std::string::npos) {
    return fail(
        fmt::format("{} (clang {}) has no NVPTX back end. {}", path.string(), *version, kClangRemedy));
  }
  return toolchain_of(Engine::simulator, path, "clang " + *version);
}

Result<Toolchain> check_nvcc(const fs::path& path) {
  const std::optional<std::string> output = answer(path, "--version");
  const std::optional<std::string> version = output ? nvcc_version(*output) : std::nullopt;
  if (!version) return fail(fmt::format("{} does not answer as nvcc does. {}", path.string(), kNvccRemedy));
  return toolchain_of(Engine::gpu, path, "nvcc " + *version);
}

// Finds g++, which compiles submissions in plain C++ (CPU).
Result<Toolchain> find_host_compiler() {
  constexpr std::string_view kRemedy =
      "Versions of C++ are compiled with g++: apt-get install g++ (or name one in WARPMARK_GXX).";
  const char* named = std::getenv("WARPMARK_GXX");
  const std::string name = named != nullptr && *named != '\0' ? named : "g++";
  const std::optional<fs::path> path = named_compiler(name);
  if (!path) return fail(fmt::format("there is no {}. {}", name, kRemedy));
  const std::optional<std::string> version = answer(*path, "-dumpfullversion");
  if (!version) return fail(fmt::format("{} does not answer as g++ does. {}", path->string(), kRemedy));
  return toolchain_of(Engine::host, *path, "g++ " + version->substr(0, version->find('\n')));
}

// Finds clang for a sanitizer build. g++ is not suitable: only clang's OpenMP reports synchronisation between
// threads to ThreadSanitizer.
Result<Toolchain> find_sanitizer(Engine engine) {
  Result<Toolchain> clang = find_toolchain(Engine::simulator);
  if (clang) clang->engine = engine;
  return clang;
}

}  // namespace

std::optional<std::string> clang_version(std::string_view output) {
  std::string version = version_part(output, "clang version ");
  return version.empty() ? std::nullopt : std::optional(std::move(version));
}

std::optional<std::string> nvcc_version(std::string_view output) {
  if (output.find("Warpmark's stand-in") != std::string_view::npos) return std::nullopt;
  std::string version = version_part(output, ", release ");
  return version.empty() ? std::nullopt : std::optional(std::move(version));
}

int major_version(std::string_view version) {
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return major;
}

const fs::path& thrust_of_toolkit() {
  static const fs::path found = find_thrust_of_toolkit();
  return found;
}

bool has_thrust() {
  return system_has_thrust() || !thrust_of_toolkit().empty();
}

Result<Toolchain> find_toolchain(Engine engine) {
  if (engine == Engine::host) return find_host_compiler();
  if (is_sanitizer(engine)) return find_sanitizer(engine);
  const bool gpu = engine == Engine::gpu;
  const std::string variable = gpu ? "WARPMARK_NVCC" : "WARPMARK_CLANG";
  const std::string_view remedy = gpu ? kNvccRemedy : kClangRemedy;
  const auto check = gpu ? check_nvcc : check_clang;

  if (const char* name = std::getenv(variable.c_str()); name != nullptr && *name != '\0') {
    if (std::string_view(name) == "none") return fail(fmt::format("{} is \"none\". {}", variable, remedy));
    const std::optional<fs::path> path = named_compiler(name);
    if (!path) return fail(fmt::format("{} names {}, which is not a program. {}", variable, name, remedy));
    return check(*path);
  }
  Result<Toolchain> first_failure = fail(fmt::format("there is no {}. {}", gpu ? "nvcc" : "clang++", remedy));
  bool failed_before = false;
  for (const fs::path& path : gpu ? nvcc_candidates() : clang_candidates()) {
    Result<Toolchain> toolchain = check(path);
    if (toolchain) return toolchain;
    if (!failed_before) first_failure = std::move(toolchain);
    failed_before = true;
  }
  return first_failure;
}

}  // namespace warpmark::build
