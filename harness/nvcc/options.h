// The command line of nvcc, as documented in "NVIDIA CUDA Compiler Driver NVCC" of CUDA 13.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::nvcc {

// What the command makes of its inputs.
enum class Phase {
  program,       // compile and link (default, -link)
  object,        // -c, -dc, -dw: an object file per source
  preprocess,    // -E
  ptx,           // -ptx
  fat_binary,    // -fatbin: a file that cuModuleLoad reads, with PTX
  dependencies,  // -M, -MM: make rules on stdout or in the file of -MF
  device_link,   // -dlink: an object file without contents, because the simulator links device code when it
                 // loads it
  archive,       // -lib
  version,       // --version
  help,          // --help
  architectures  // --list-gpu-arch, --list-gpu-code
};

struct CommandLine {
  Phase phase = Phase::program;
  std::vector<std::string> inputs;   // sources, objects, archives and shared libraries, in order
  std::string output;                // -o; empty: nvcc's default name
  std::string output_folder;         // -odir
  std::string language;              // -x: "cu", "c", "c++"; empty: by the name's extension
  std::string standard;              // -std: "c++17"; empty: the compiler's default
  std::string host_compiler;         // -ccbin: a program, or a folder that holds g++
  bool relocatable = false;          // -rdc=true, -dc, -dlink: device symbols of other files may be used
  bool own_default_streams = false;  // -default-stream per-thread
  bool shared = false;
  bool without_runtime = false;               // -cudart none
  bool run = false;                           // -run: run the program after linking it
  bool dry = false;                           // -dryrun: print the commands, run none
  bool verbose = false;                       // -v
  bool quiet = false;                         // -w
  bool dependencies_too = false;              // -MD, -MMD: write make rules beside the object
  bool system_headers = true;                 // false: -MM, -MMD
  std::string dependency_file;                // -MF
  std::vector<std::string> dependency_flags;  // -MP, -MT, -MQ with their values
  std::vector<std::string> include_folders;   // -I
  std::vector<std::string> defines;           // -D
  std::vector<std::string> host_flags;     // for the host passes: -isystem, -U, -include, -O, -g, -Xcompiler
  std::vector<std::string> link_flags;     // -L, -l, -Xlinker, in order with `inputs` (which come first)
  std::vector<std::string> run_arguments;  // -run-args
};

// Reads the arguments after the program's name; those in the environment variables NVCC_PREPEND_FLAGS and
// NVCC_APPEND_FLAGS and in files of --options-file are part of them. Errors: an unknown option, one without
// its value, an option that is not simulated (with the reason).
Result<CommandLine> read_command_line(std::vector<std::string> arguments);

}  // namespace warpmark::nvcc
