#include "harness/build/worker_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "harness/base/file.h"
#include "harness/base/parallel.h"
#include "harness/build/compile_parts.h"
#include "harness/build/toolchain.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kStepLimit{5};  // time limit per compiled file; far above the usual time
constexpr int kOldestToolkit = 13;
// Subfolders of harness/ whose headers the worker program's sources include.
constexpr std::array kFolders{"base", "ranks", "sandbox", "wire", "worker"};
// Sources of the GPU worker program that include CUDA's headers.
constexpr std::array kGpuSources{"worker",  "session",   "session_calls", "device_buffer", "host_buffer",
                                 "mapping", "last_look", "observer_gpu",  "gpu_records",   "nvml"};

// Resolves every function when a worker starts and makes the tables read-only: the submission's code cannot
// redirect the worker's calls.
constexpr const char* kConstantTables = "-Wl,-z,relro,-z,now";

// Recipe for building a worker program: each step is a command line that compiles one object, and `link`
// links the objects.
struct Recipe {
  std::vector<Arguments> steps;
  Arguments link;  // linker's command line, without "-o program"
  // Source files and headers that the worker program is built from, apart from system headers.
  std::vector<fs::path> read;
  fs::path toolkit;
  std::string remedy;
};

std::optional<fs::path> first_of(const std::vector<fs::path>& folders, const char* name) {
  std::error_code error;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, error)) return folder;
  }
  return std::nullopt;
}

Result<Recipe> gpu_recipe(const Toolchain& nvcc, const WorkerParts& parts, const fs::path& work) {
  constexpr std::string_view kInstall = "https://developer.nvidia.com/cuda-downloads";
  const std::string version = nvcc.description.substr(nvcc.description.rfind(' ') + 1);
  if (major_version(version) < kOldestToolkit)
    return fail(fmt::format("{} is CUDA {}; Warpmark needs {} or newer: {}", nvcc.compiler.string(), version,
                            kOldestToolkit, kInstall));
  const Result<Toolchain> gxx = find_toolchain(Engine::host);
  if (!gxx) return tl::unexpected<Error>(gxx.error());

  std::error_code error;
  const fs::path root = fs::canonical(nvcc.compiler, error).parent_path().parent_path();
  const fs::path target = root / "targets/x86_64-linux";
  const auto headers = first_of({root / "include", target / "include"}, "cuda_runtime.h");
  const auto cupti_headers =
      first_of({root / "include", target / "include", root / "extras/CUPTI/include"}, "cupti.h");
  const std::vector<fs::path> folders{root / "lib64", target / "lib", root / "lib"};
  const auto libraries = first_of(folders, "libcudart.so");
  if (!headers || !libraries)
    return fail(
        fmt::format("there is no cuda_runtime.h and libcudart.so beside {}; install the whole toolkit: {}",
                    nvcc.compiler.string(), kInstall));
  if (!cupti_headers)
    return fail(
        fmt::format("{} has no CUPTI (cupti.h), which tells transfers; apt-get install cuda-cupti-dev-{}-{}",
                    root.string(), major_version(version), version.substr(version.find('.') + 1)));
  std::vector<fs::path> cupti_folders = folders;
  cupti_folders.push_back(root / "extras/CUPTI/lib64");
  const fs::path cupti = first_of(cupti_folders, "libcupti.so").value_or(fs::path()) / "libcupti.so";

  Recipe recipe;
  recipe.toolkit = root;
  recipe.link = {gxx->compiler.string(), "-pthread", kConstantTables};
  for (const char* name : kGpuSources) {
    const fs::path source = parts.root / "harness/worker" / fmt::format("{}.cpp", name);
    const fs::path object = work / fmt::format("{}.o", name);
    recipe.steps.push_back({gxx->compiler.string(), "-std=c++20", "-O2", "-DNDEBUG", "-pthread",
                            fmt::format("-DWARPMARK_CUPTI_LIBRARY=\"{}\"", cupti.string()), "-I",
                            parts.root.string(), "-isystem", (parts.objects / "include").string(), "-isystem",
                            headers->string(), "-isystem", cupti_headers->string(), "-c", source.string(),
                            "-o", object.string()});
    recipe.link.push_back(object.string());
    recipe.read.push_back(source);
  }
  const fs::path common = parts.objects / "common.o";
  recipe.read.push_back(common);
  recipe.link.insert(recipe.link.end(), {common.string(), "-L", libraries->string(),
                                         "-Wl,-rpath," + libraries->string(), "-lcudart", "-ldl"});
  return recipe;
}

// Returns the recipe for the worker program of a sanitizer. Its objects are prebuilt, except for a small one
// that contains the path of Archer (OpenMP's tool for ThreadSanitizer, in lib/ of clang's installation);
// linking adds clang's sanitizer runtime.
Recipe sanitizer_recipe(const Toolchain& clang, const WorkerParts& parts, const fs::path& work) {
  std::error_code error;
  const fs::path root = fs::canonical(clang.compiler, error).parent_path().parent_path();
  const bool thread = clang.engine == Engine::thread_sanitizer;
  const fs::path source = parts.root / "harness/worker/archer.cpp";
  const fs::path object = work / "archer.o";
  Recipe recipe;
  recipe.steps = {{clang.compiler.string(), "-std=c++20", "-O1", "-I", parts.root.string(),
                   fmt::format("-DWARPMARK_ARCHER=\"{}\"", (root / "lib/libarcher.so").string()), "-c",
                   source.string(), "-o", object.string()}};
  recipe.read = {source, parts.objects / fmt::format("{}.o", name_of(clang.engine)),
                 parts.objects / "common.o"};
  recipe.link = {clang.compiler.string(), "-fopenmp", "-pthread", kConstantTables,
                 thread ? "-fsanitize=thread" : "-fsanitize=address,undefined",
                 // Exports the sanitizer runtime's functions to the libraries that the worker process loads.
                 "-rdynamic", object.string(), recipe.read[1].string(), recipe.read[2].string(), "-ldl"};
  recipe.remedy =
      "clang's sanitizers decide `clean` of versions of C++; apt-get install clang libclang-rt-dev "
      "libomp-dev";
  return recipe;
}

std::string size_and_time_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}\n", file.string(), error ? 0 : size, error ? 0 : changed);
}

// Returns a text that changes if any input of the worker program's build changes: this project's files by
// size and modification time, the compiler by path, size, time and version.
std::string stamp_of(const Recipe& recipe, const Toolchain& toolchain, const WorkerParts& parts) {
  std::vector<fs::path> read = recipe.read;
  for (const char* folder : kFolders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parts.root / "harness" / folder, error)) {
      if (entry.path().extension() == ".h") read.push_back(entry.path());
    }
  }
  std::ranges::sort(read);
  std::string stamp = toolchain.identity + "\n";
  for (const fs::path& file : read) stamp += size_and_time_of(file);
  return stamp;
}

Result<void> run_step(const Arguments& argv) {
  sandbox::Command command;
  command.argv = argv;
  command.environment = {{"PATH", fs::path(argv.front()).parent_path().string() + ":/usr/bin:/bin"},
                         {"LC_ALL", "C.UTF-8"}};
  const Result<sandbox::Finished> finished = sandbox::run(command, kStepLimit);
  if (!finished) return tl::unexpected<Error>(finished.error());
  const sandbox::Ending& ending = finished->ending;
  if (!finished->timed_out && ending.kind == sandbox::Ending::Kind::exited && ending.code == 0) return {};
  const std::string why = why_not_started(ending);
  return fail(fmt::format("{} failed: {}", fmt::join(argv, " "),
                          finished->timed_out ? "it took too long"
                          : why.empty()       ? ending.output
                                              : why));
}

Result<void> carry_out(const Recipe& recipe, const fs::path& program) {
  std::vector<Result<void>> done(recipe.steps.size());
  in_parallel(recipe.steps.size(), std::max(1U, std::thread::hardware_concurrency()),
              [&](std::size_t i) { done[i] = run_step(recipe.steps[i]); });
  for (Result<void>& each : done) {
    if (!each) return std::move(each);
  }
  Arguments link = recipe.link;
  link.insert(link.end(), {"-o", program.string()});
  return run_step(link);
}

fs::path next_to(const fs::path& program, const char* ending) {
  return program.string() + ending;
}

// Locks the file and returns a descriptor that holds the lock until it is closed. The file is never removed,
// because another process may be waiting on it.
UniqueFd locked(const fs::path& file) {
  UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  while (lock && ::flock(lock.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

Result<void> make_anew(const Recipe& recipe, const fs::path& program, const std::string& stamp) {
  std::error_code error;
  const fs::path fresh = next_to(program, ".fresh");
  if (Result<void> made = carry_out(recipe, fresh); !made) {
    fs::remove(fresh, error);
    return fail(recipe.remedy.empty() ? made.error().message
                                      : fmt::format("{}\n{}", recipe.remedy, made.error().message));
  }
  fs::remove(next_to(program, ".toolkit"), error);
  if (!recipe.toolkit.empty())
    fs::create_directory_symlink(recipe.toolkit, next_to(program, ".toolkit"), error);
  fs::rename(fresh, program, error);
  if (error) return fail(fmt::format("{} cannot be written: {}", program.string(), error.message()));
  return write_file(next_to(program, ".made-of"), stamp);
}

}  // namespace

Result<void> make_worker(const Toolchain& toolchain, const WorkerParts& parts, const fs::path& program,
                         const std::function<void(const std::string&)>& progress) {
  const TemporaryFolder work;
  const bool gpu = toolchain.engine == Engine::gpu;
  const Result<Recipe> recipe = gpu ? gpu_recipe(toolchain, parts, work.path())
                                    : Result<Recipe>(sanitizer_recipe(toolchain, parts, work.path()));
  if (!recipe) return tl::unexpected<Error>(recipe.error());
  const std::string stamp = stamp_of(*recipe, toolchain, parts);
  const auto is_made = [&] {
    std::error_code error;
    // Marks the cached worker program's folder as recently used, so that trim_cache() keeps it.
    fs::last_write_time(program.parent_path(), fs::file_time_type::clock::now(), error);
    const Result<std::string> before = read_file(next_to(program, ".made-of"));
    return before && *before == stamp && fs::exists(program, error);
  };
  if (is_made()) return {};
  std::error_code error;
  fs::create_directories(program.parent_path(), error);
  const UniqueFd lock = locked(next_to(program, ".lock"));
  if (!lock) return fail(fmt::format("{} cannot be written to", program.parent_path().string()));
  if (is_made()) return {};
  if (gpu && progress) progress("compiling the GPU's worker for this machine, once");
  return make_anew(*recipe, program, stamp);
}

fs::path toolkit_of(const fs::path& program) {
  std::error_code error;
  return fs::read_symlink(next_to(program, ".toolkit"), error);
}

}  // namespace warpmark::build
