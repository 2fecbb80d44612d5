// How a submission's file becomes a library that a worker can load: the only place that runs a compiler.
//
// gpu:        nvcc, one pass.
// host:       g++, one pass; for a sanitizer's worker clang, one pass.
// simulator:  clang, device code at -O0 and at -O2 to PTX, then host code with both embedded; linked against
// the
//             simulator's runtime.
// A library is cached under the digest of all that went into it: source and every file it includes, flags,
// compiler. So is what every source for the simulator begins with, which is parsed once for each pass.
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
  std::filesystem::path compiler;  // absolute
  std::string description;         // "clang 14.0.6"
  std::string identity;            // path, size, mtime and version: part of every digest
};

// The compiler of an engine: nvcc, g++ for the host, else clang++ (14 or newer, with the NVPTX back end).
// Fails with what to install.
Result<Toolchain> find_toolchain(Engine engine);

// Returns the folder of Thrust's headers that the simulator adds to those of the system: CCCL's own in an
// installed CUDA toolkit (13 and newer), which holds none of NVIDIA's other headers. Empty if the system has
// Thrust itself, or if there is none.
const std::filesystem::path& thrust_of_toolkit();
bool has_thrust();  // for the simulator: the system's or a toolkit's

struct Settings {
  std::filesystem::path cache;                       // created when missing
  std::filesystem::path simulator_include;           // our CUDA headers
  std::filesystem::path simulator_library;           // libwarpmark_cudart.so
  std::chrono::milliseconds compile_limit{120'000};  // a source file, all passes together
  std::string gpu_architecture = "native";           // nvcc -arch
  sandbox::Level sandbox = sandbox::Level::process;  // of the compilers
  std::vector<std::filesystem::path> hidden;         // our own folders: no source may include from them
};

// What a submission's file is held to, besides compiling; see integrity.h.
struct SubmissionRules {
  std::vector<std::string> libraries;       // of the CUDA toolkit that it may use: "thrust", "cub", "cublas"
  std::vector<std::string> other_versions;  // files that it may not include: "v01_atomic_per_element.cu"
};

// What a file becomes: a library of its own, or a part of a program (simulator only).
enum class Output { library, object };

struct Request {
  std::filesystem::path source;                        // the .cu file, or the .cpp file of a host version
  std::string display_name;                            // how messages name it, relative to the submission
  std::vector<std::filesystem::path> include_folders;  // contract first
  std::string value_type;                              // -DWARPMARK_VALUE=...; empty: not defined
  std::vector<std::string> exports;                    // functions that the library must define
  std::vector<std::string> defines = {};               // "NAME" or "NAME=VALUE"
  std::vector<std::string> flags = {};                 // of the course, for the compiler: MPI's
  std::vector<std::string> link_flags = {};            // likewise, for the linker
  Output output = Output::library;
  bool is_c = false;                                    // a file of C of a program: host code alone
  std::vector<std::string> libraries = {};              // of the CUDA toolkit, as "cublas"; on a GPU only
  std::optional<SubmissionRules> rules = std::nullopt;  // none: the course's own file, or a program
};

// A library that can be loaded (or an object, or a program), or why there is none.
struct Built {
  std::filesystem::path library;  // empty when there are causes
  std::vector<Cause> causes;      // compile_error, missing_function, timed_out, unsupported, no_compiler,
                                  // forbidden_library, tampering
  bool uses_thrust = false;       // it includes a header of thrust
  bool from_cache = false;
  double seconds = 0;
};

struct Shared;

// Safe to call from several threads.
class Builder {
 public:
  Builder(Toolchain toolchain, Settings settings);
  [[nodiscard]] const Toolchain& toolchain() const { return toolchain_; }
  // Fails only for our own faults (cache not writable, keeper missing): a bad source is a Built with causes.
  [[nodiscard]] Result<Built> build(const Request& request) const;
  // Builds each file as an object and links them all to a program that runs on the simulator, written to
  // `program`. The causes are those of the first file that fails.
  [[nodiscard]] Result<Built> build_program(std::vector<Request> requests,
                                            const std::filesystem::path& program) const;

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::shared_ptr<Shared> shared_;  // by the builds of this builder and its copies
};

}  // namespace warpmark::build
