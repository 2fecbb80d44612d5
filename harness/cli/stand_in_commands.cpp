// `nvcc`, `env`, `make` and `cmake`: students' projects built as they are, by a stand-in for CUDA's compiler.
#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/nvcc/stand_in.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

nvcc::Place place_of(const judge::Installation& installation) {
  nvcc::Place place;
  place.build.cache = cache_folder(installation);
  place.build.simulator_include = installation.simulator_headers();
  place.build.simulator_library = installation.libraries / "libwarpmark_cudart.so";
  place.start = installation.libraries / "warpmark_start.o";
  place.samples = installation.root / "harness" / "nvcc" / "samples";
  place.toolkit = cache_folder(installation) / "cuda";
  return place;
}

// Makes the stand-in and sets its variables in this process. Returns 0, or the exit status after a message.
int enter(const judge::Installation& installation, std::string_view command) {
  const nvcc::Place place = place_of(installation);
  if (auto made = nvcc::make_stand_in(place, installation.programs / "warpmark-cli"); !made)
    return unusable(command, made.error().message);
  for (const auto& [name, value] : nvcc::environment_of(place.toolkit))
    ::setenv(name.c_str(), value.c_str(), 1);
  return 0;
}

// Becomes a program that builds a project, in an environment where the stand-in is CUDA's toolkit.
int become(const judge::Installation& installation, const std::string& program,
           std::vector<std::string> arguments) {
  if (const int status = enter(installation, program); status != 0) return status;
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> words = nvcc::in_its_place(place_of(installation).toolkit, std::move(arguments));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers.front(), pointers.data());
  return unusable(program,
                  fmt::format("cannot be started: {}; apt-get install {}", std::strerror(errno), program));
}

std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char each : text) all += each == '\'' ? "'\\''" : std::string(1, each);
  return all + "'";
}

}  // namespace

Action add_nvcc_command(CLI::App& app, const Context& context) {
  CLI::App* command =
      app.add_subcommand("nvcc", "Compile CUDA programs for the simulator, with nvcc's options");
  command->add_option("OPTION", "An option of nvcc, or a file");
  command->footer(
      "Objects and programs are ordinary ELF files; g++ and mpicxx link them, too. A program starts the "
      "simulator at "
      "its first CUDA call and runs without checks; `warpmark run PROGRAM`, or WARPMARK_CHECK=1 in the "
      "environment, "
      "runs it with all checks. WARPMARK_DEVICES is the number of GPUs that it sees.\n\nOptions that choose "
      "an "
      "architecture or tune code change nothing here; -cubin is refused.\n\nExit status: 0, or "
      "1 if "
      "something does not compile or link.");
  return [context] { return nvcc::nvcc(place_of(context.installation), context.program_arguments); };
}

Action add_env_command(CLI::App& app, const Context& context) {
  CLI::App* command =
      app.add_subcommand("env", "Print shell commands that put the stand-in for nvcc first in PATH");
  command->footer(
      "In a shell or its start-up file: eval \"$(warpmark env)\". make, cmake and scripts then find nvcc, "
      "CUDA's headers and libraries. A real CUDA toolkit is not changed; it is found again in a new "
      "shell.\n\nExit status: 0, or 2 if the stand-in cannot be made.");
  return [context] {
    const nvcc::Place place = place_of(context.installation);
    if (auto made = nvcc::make_stand_in(place, context.installation.programs / "warpmark-cli"); !made)
      return unusable("env", made.error().message);
    for (const auto& [name, value] : nvcc::environment_of(place.toolkit))
      fmt::print("export {}={}\n", name, quoted(value));
    return 0;
  };
}

Action add_make_command(CLI::App& app, const Context& context) {
  CLI::App* command = app.add_subcommand("make", "Run make with the stand-in for nvcc");
  command->add_option("ARGUMENT", "An argument of make");
  command->footer(
      "Sets NVCC, CUDA_PATH, CUDA_HOME and CUDACXX for make, and puts the stand-in in the place of "
      "/usr/local/cuda and "
      "/usr/local/cuda-VERSION for it, where bubblewrap works.\n\nExit status: that of make.");
  return [context] {
    std::vector<std::string> arguments = context.program_arguments;
    // An assignment on make's command line has precedence over those of Makefiles, also in other folders.
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
      arguments.push_back(fmt::format("{}={}", variable, place_of(context.installation).toolkit.string()));
    return become(context.installation, "make", std::move(arguments));
  };
}

Action add_cmake_command(CLI::App& app, const Context& context) {
  CLI::App* command = app.add_subcommand("cmake", "Run cmake with the stand-in for nvcc");
  command->add_option("ARGUMENT", "An argument of cmake");
  command->footer(
      "Projects with the language CUDA, find_package(CUDAToolkit) and find_package(CUDA) configure as with "
      "a toolkit. Build with warpmark cmake --build FOLDER.\n\nExit status: that of cmake.");
  return [context] { return become(context.installation, "cmake", context.program_arguments); };
}

}  // namespace warpmark::cli
