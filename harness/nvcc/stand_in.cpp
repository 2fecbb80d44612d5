#include "harness/nvcc/stand_in.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"

namespace warpmark::nvcc {
namespace {

namespace fs = std::filesystem;

// Libraries of a toolkit, by the names that -l and CMake's FindCUDAToolkit look for. Each is a linker script
// that names the simulator's runtime. Of the static ones there is a .so, too: CMake with old policies writes
// -Bstatic before a .a, under which the linker takes no shared library.
constexpr auto kLibraries = std::to_array<std::string_view>(
    {"libcudart.so",         "libcudart_static.a", "libcudart_static.so", "libcudadevrt.a",
     "libcudadevrt.so",      "libcublas.so",       "libcublas_static.a",  "libcublas_static.so",
     "libcublasLt.so",       "libcufft.so",        "libcurand.so",        "libcusolver.so",
     "libcusparse.so",       "libcuda.so",         "libnvidia-ml.so",     "libnvToolsExt.so",
     "libnvrtc.so",          "libculibos.a",       "libculibos.so",       "stubs/libcuda.so",
     "stubs/libnvidia-ml.so"});

// Build files ask nvidia-smi whether there is a GPU and which architecture it has. The values are those of
// the simulator's cudaGetDeviceProperties; a field that is not known ends it with status 2, as it does the
// driver's.
constexpr std::string_view kNvidiaSmi = R"sh(#!/bin/sh
# Warpmark's stand-in for nvidia-smi: describes the simulated GPUs.
fields= header=1 unit=' MiB'
for word; do
  case $word in
    --query-gpu=*) fields=${word#*=} ;;
    --format=*)
      case $word in *noheader*) header= ;; esac
      case $word in *nounits*) unit= ;; esac ;;
    -L | --list-gpus) list=1 ;;
  esac
done
gpus=${WARPMARK_DEVICES:-1} index=0
if [ -z "$fields" ] && [ -z "$list" ]; then
  echo "NVIDIA-SMI (Warpmark's stand-in)   Driver Version: 580.65.06   CUDA Version: 13.0"
  list=1
fi
[ -z "$header" ] || [ -z "$fields" ] || echo "$fields" | sed 's/,/, /g'
while [ "$index" -lt "$gpus" ]; do
  uuid=$(printf 'GPU-00000000-0000-0000-0000-%012d' "$index")
  row=
  for field in $(echo "$fields" | tr ',' ' '); do
    case $field in
      name | gpu_name) value='Warpmark simulator' ;;
      compute_cap) value=8.0 ;;
      driver_version) value=580.65.06 ;;
      count) value=$gpus ;;
      index) value=$index ;;
      uuid | gpu_uuid) value=$uuid ;;
      memory.total | memory.free) value=16384$unit ;;
      memory.used) value=0$unit ;;
      *) echo "Field \"$field\" is not a valid field to query."; exit 2 ;;
    esac
    row="${row:+$row, }$value"
  done
  [ -z "$list" ] || row="GPU $index: Warpmark simulator (UUID: $uuid)"
  echo "$row"
  index=$((index + 1))
done
)sh";

Result<void> link(const fs::path& target, const fs::path& name) {
  std::error_code error;
  if (fs::read_symlink(name, error) == target) return {};
  // Another process may make the same folder now: a rename replaces its link.
  const fs::path fresh = fmt::format("{}.{}", name.string(), ::getpid());
  fs::create_symlink(target, fresh, error);
  if (!error) fs::rename(fresh, name, error);
  if (error) return fail(fmt::format("cannot make {}: {}", name.string(), error.message()));
  return {};
}

// Makes the toolkit's folder of headers a link to the simulator's. Compilers tell folders apart by their
// inode: a real folder would be searched beside the simulator's, where `#include_next` finds the same header
// again.
Result<void> link_headers(const fs::path& headers, const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(folder, error))) fs::remove_all(folder, error);
  if (error && error != std::errc::no_such_file_or_directory)
    return fail(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  return link(headers, folder);
}

std::string place_in_script(const fs::path& library) {
  return library.empty() ? std::string() : fmt::format(" AS_NEEDED({})", library.string());
}

std::string before_present(const std::string& value, const char* variable) {
  const char* present = std::getenv(variable);
  if (present == nullptr || *present == '\0') return value;
  const std::string_view list = present;
  return list == value || list.starts_with(value + ":") ? std::string(list) : value + ":" + present;
}

}  // namespace

fs::path openmp_of(const fs::path& clang) {
  std::error_code error;
  const fs::path library = fs::canonical(clang, error).parent_path().parent_path() / "lib/libomp.so.5";
  return fs::exists(library, error) ? library : fs::path();
}

Result<void> make_stand_in(const Place& place, const fs::path& program) {
  const fs::path& root = place.toolkit;
  std::error_code error;
  for (const char* folder : {"bin", "lib64/stubs", "nvvm/libdevice", "samples/common", "targets"}) {
    fs::create_directories(root / folder, error);
    if (error) return fail(fmt::format("cannot make {}: {}", (root / folder).string(), error.message()));
  }
  const auto toolchain = build::find_toolchain(Engine::simulator);
  if (!toolchain) return tl::unexpected<Error>(toolchain.error());
  const std::string script =
      fmt::format("INPUT({} {}{})\n", place.start.string(), place.build.simulator_library.string(),
                  place_in_script(openmp_of(toolchain->compiler)));
  for (const std::string_view library : kLibraries) {
    const auto present = read_file(root / "lib64" / library);
    if (present && *present == script) continue;
    if (auto written = write_file(root / "lib64" / library, script); !written) return written;
  }
  for (const auto& [target, name] :
       {std::pair{fs::path("lib64"), root / "lib"}, std::pair{place.samples, root / "samples/common/inc"},
        std::pair{fs::path(".."), root / "targets/x86_64-linux"},
        std::pair{place.build.simulator_library, root / "lib64" / place.build.simulator_library.filename()},
        std::pair{program, root / "bin/nvcc"}}) {
    if (auto linked = link(target, name); !linked) return linked;
  }
  const fs::path nvidia_smi = root / "bin/nvidia-smi";
  if (const auto present = read_file(nvidia_smi); !present || *present != kNvidiaSmi) {
    if (auto written = write_file(nvidia_smi, kNvidiaSmi); !written) return written;
    fs::permissions(nvidia_smi, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
    if (error) return fail(fmt::format("cannot make {}: {}", nvidia_smi.string(), error.message()));
  }
  if (auto linked = link_headers(place.build.simulator_include, root / "include"); !linked) return linked;
  return write_file(root / "version.json",
                    R"({"cuda": {"name": "Warpmark's stand-in for a CUDA toolkit", "version": "13.0.88"}})"
                    "\n");
}

std::map<std::string, std::string> environment_of(const fs::path& toolkit) {
  const std::string root = toolkit.string();
  std::map<std::string, std::string> variables{
      {"PATH", before_present(root + "/bin", "PATH")},
      // For g++: headers and libraries without -I and -L, as where a toolkit is installed for all.
      {"CPATH", before_present(root + "/include:" + root + "/samples/common/inc", "CPATH")},
      {"LIBRARY_PATH", before_present(root + "/lib64", "LIBRARY_PATH")},
      // Of programs that g++ or CMake links: they find the runtime without a variable.
      {"LD_RUN_PATH", before_present(root + "/lib64", "LD_RUN_PATH")},
      {"NVCC", root + "/bin/nvcc"},
      {"CUDACXX", root + "/bin/nvcc"}};
  for (const char* name : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDA_DIR", "CUDAToolkit_ROOT",
                           "CUDA_TOOLKIT_ROOT_DIR", "CUDA_INSTALL_PATH"})
    variables[name] = root;
  return variables;
}

std::vector<std::string> in_its_place(const fs::path& toolkit, std::vector<std::string> command) {
  constexpr auto kVersions = std::to_array<std::string_view>(
      {"",      "-4.0",  "-4.1",  "-4.2",  "-5.0",  "-5.5",  "-6.0",  "-6.5",  "-7.0",  "-7.5",  "-8.0",
       "-9.0",  "-9.1",  "-9.2",  "-10",   "-10.0", "-10.1", "-10.2", "-11",   "-11.0", "-11.1", "-11.2",
       "-11.3", "-11.4", "-11.5", "-11.6", "-11.7", "-11.8", "-12",   "-12.0", "-12.1", "-12.2", "-12.3",
       "-12.4", "-12.5", "-12.6", "-12.8", "-12.9", "-13",   "-13.0", "-13.1"});
  const fs::path local = "/usr/local";
  std::vector<std::string> words{"bwrap", "--dev-bind", "/", "/", "--tmpfs", local.string()};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(local, error)) {
    const std::string path = entry.path().string();
    if (entry.path().filename().string().starts_with("cuda")) continue;
    if (entry.is_symlink()) {
      words.insert(words.end(), {"--symlink", fs::read_symlink(entry.path(), error).string(), path});
    } else {
      words.insert(words.end(), {"--dev-bind", path, path});
    }
  }
  for (const std::string_view version : kVersions)
    words.insert(words.end(),
                 {"--symlink", toolkit.string(), fmt::format("{}/cuda{}", local.string(), version)});
  words.insert(words.end(), {"--chdir", fs::current_path().string()});
  sandbox::Command trial;
  const auto bwrap = sandbox::find_program("bwrap");
  if (!bwrap) return command;
  words.front() = trial.argv.emplace_back(bwrap->string());
  trial.argv.insert(trial.argv.end(), words.begin() + 1, words.end());
  trial.argv.emplace_back("/bin/true");
  const auto tried = sandbox::run(trial, std::chrono::seconds(20));
  if (!tried || tried->ending.kind != sandbox::Ending::Kind::exited || tried->ending.code != 0)
    return command;
  words.insert(words.end(), std::make_move_iterator(command.begin()), std::make_move_iterator(command.end()));
  return words;
}

}  // namespace warpmark::nvcc
