// Builds a student's source file into a shared library for the worker process, which runs student code. No
// other part of the harness runs a compiler.
//
//  gpu        nvcc, one pass; or nvcc for device code and clang for host code (compile_halves.cpp)
//  host       g++, one pass; clang for the sanitizers
//  simulator  clang: device code to PTX at -O0 and at -O2, then host code that embeds both PTX texts;
//             linked against the simulator's runtime
//
// Libraries are cached by a digest of everything that went into them: the source, every file it includes, the
// flags and the compiler. The headers that every simulator source starts with are precompiled and cached too.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/sandbox/level.h"

namespace warpmark::build {

struct Toolchain {
  Engine engine = Engine::simulator;
  std::filesystem::path compiler;  // absolute path of the compiler
  std::string description;         // for display: "clang 14.0.6"
  std::string identity;            // the compiler's path, size, mtime and version: part of every cache key
};

// Finds the compiler of an engine: nvcc for gpu, g++ for host, otherwise (simulator, sanitizers) clang++ 14
// or newer with the NVPTX back end. Fails with a message that says what to install.
Result<Toolchain> find_toolchain(Engine engine);

// Returns the folder of Thrust's headers that the simulator adds to those of the system: CCCL's own in an
// installed CUDA toolkit (13 and newer), which holds none of NVIDIA's other headers. Empty if the system has
// Thrust itself, or if there is none.
const std::filesystem::path& thrust_of_toolkit();
bool has_thrust();  // returns true if the simulator can use Thrust, from the system or from a toolkit

struct Settings {
  std::filesystem::path cache;              // folder of cached builds, created when missing
  std::filesystem::path simulator_include;  // folder of the simulator's own CUDA headers
  std::filesystem::path simulator_library;  // path of the simulator's CUDA runtime, libwarpmark_cudart.so
  // time limit per source file, for all its compiler passes together
  std::chrono::milliseconds compile_limit{120'000};
  std::string gpu_architecture = "native";           // value of nvcc's -arch
  sandbox::Level sandbox = sandbox::Level::process;  // isolation level of the compiler processes
  std::vector<std::filesystem::path> hidden;  // folders of the harness, which no source may include from
};

// Rules that a student's source must keep besides compiling without errors; integrity.h checks them.
struct SubmissionRules {
  std::vector<std::string> libraries;  // toolkit libraries that the source may use: "thrust", "cub", "cublas"
  std::vector<std::string> other_versions;  // kernel files that the source may not include: "v01_atomic.cu"
};

// Kind of build output: a shared library, or an object file for linking into a program.
enum class Output { library, object };

struct Request {
  // Source file to build: the student's .cu file, or a .cpp file that runs on the CPU.
  std::filesystem::path source;
  std::string display_name;  // source file's name in error messages, relative to the submission's folder
  // folders searched for #include, in order; the assignment's folder first
  std::vector<std::filesystem::path> include_folders;
  std::string value_type;                 // element type, passed as -DWARPMARK_VALUE=...; empty: not defined
  std::vector<std::string> exports;       // functions that the library must define
  std::vector<std::string> defines = {};  // macros for -D: "NAME" or "NAME=VALUE"
  std::vector<std::string> flags = {};    // compiler flags set by the course, such as MPI's
  std::vector<std::string> link_flags = {};  // linker flags set by the course
  Output output = Output::library;
  // True for a library of which only outputs at small inputs are wanted, soon: device code at -O0 alone, one
  // attempt, and all of the compiler's messages in the failure's details.
  bool quick = false;
  bool is_c = false;                        // true for a C file, which is compiled as host code only
  std::vector<std::string> libraries = {};  // toolkit libraries to link ("cublas"); gpu only
  // True if the source may include any file of the machine: an instructor's own C++, or an adapter whose
  // #line names another rubric.
  bool trusted = false;
  // Rules for student code; nullopt: the source is the course's own.
  std::optional<SubmissionRules> rules = std::nullopt;
  // Limit on the time of all attempts to compile the source; nullopt: Settings::compile_limit.
  std::optional<std::chrono::milliseconds> limit = std::nullopt;
};

// Result of a build: a library, object or program, or the reasons for its failure.
struct Built {
  std::filesystem::path library;  // path of the built file; empty if `causes` is not empty
  // Why the build failed; empty on success. Kinds: compile_error, missing_function, timed_out, unsupported,
  // no_compiler, forbidden_library, tampering.
  std::vector<Cause> causes;
  bool uses_thrust = false;  // true if the source includes a Thrust header
  bool from_cache = false;
  double seconds = 0;
};

struct Shared;

// Builds student files with one toolchain and caches the results. Thread-safe.
class Builder {
 public:
  // for_simulator: of the same settings; a builder for the GPU has it compile the host code of libraries, if
  // that is quicker and provably the same. nullptr: no such builder.
  Builder(Toolchain toolchain, Settings settings, const Builder* for_simulator = nullptr);
  [[nodiscard]] const Toolchain& toolchain() const { return toolchain_; }
  // Builds a student's source file, or returns the cached library. If the source does not compile, the result
  // holds the compiler's error messages; an Error is returned only for faults of this program or machine
  // (cache not writable, sandbox helper missing).
  [[nodiscard]] Result<Built> build(const Request& request) const;
  // Compiles each file to an object and links the objects into a program at path `program`, for the
  // toolchain's engine (not a sanitizer). If files do not compile, the result holds the errors of the first
  // of these files.
  [[nodiscard]] Result<Built> build_program(std::vector<Request> requests,
                                            const std::filesystem::path& program) const;

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::shared_ptr<Shared> shared_;  // caches and compile servers, shared by all copies of a Builder
};

}  // namespace warpmark::build
