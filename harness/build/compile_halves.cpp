// Builds a library for the GPU in two halves: nvcc compiles the device code alone, and clang the host code
// around it, as it does for the simulator. Host code is 60 to 75 % of nvcc's processor time for a version
// (v07_tree_sequential: 2.0 s, of which device code 0.6 s; clang's host pass takes 0.1 s with its precompiled
// headers; nvcc 13.0, 2026-11-28). The machine code of the kernels is the same.
//
// Only done where both halves provably fit together: the host code registers exactly the kernels that nvcc
// made, by name, and calls no other functions of the runtime than those whose parameters are plain numbers
// and pointers. Everything else (device variables, kernels of unnamed namespaces, Thrust and CUB, structures
// of the runtime) is compiled by nvcc as a whole.
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/build/compile_gpu.h"
#include "harness/build/depfile.h"
#include "harness/build/exports.h"
#include "harness/build/view.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

// Functions of NVIDIA's runtime that mean the same in the simulator's headers, by which the host half is
// compiled: their parameters are numbers, pointers, dim3 and enumerators (tests/simulator/cuda_facts_test
// compares those with the toolkit's). Sorted.
constexpr std::array<std::string_view, 43> kKnown{"__cudaPopCallConfiguration",
                                                  "__cudaPushCallConfiguration",
                                                  "__cudaRegisterFatBinary",
                                                  "__cudaRegisterFatBinaryEnd",
                                                  "__cudaRegisterFunction",
                                                  "__cudaUnregisterFatBinary",
                                                  "cudaDeviceGetAttribute",
                                                  "cudaDeviceSynchronize",
                                                  "cudaEventCreate",
                                                  "cudaEventCreateWithFlags",
                                                  "cudaEventDestroy",
                                                  "cudaEventElapsedTime",
                                                  "cudaEventQuery",
                                                  "cudaEventRecord",
                                                  "cudaEventSynchronize",
                                                  "cudaFree",
                                                  "cudaFreeAsync",
                                                  "cudaFreeHost",
                                                  "cudaFuncSetAttribute",
                                                  "cudaGetDevice",
                                                  "cudaGetDeviceCount",
                                                  "cudaGetErrorName",
                                                  "cudaGetErrorString",
                                                  "cudaGetLastError",
                                                  "cudaHostAlloc",
                                                  "cudaLaunchCooperativeKernel",
                                                  "cudaLaunchKernel",
                                                  "cudaMalloc",
                                                  "cudaMallocAsync",
                                                  "cudaMallocHost",
                                                  "cudaMemcpy",
                                                  "cudaMemcpy2D",
                                                  "cudaMemcpy2DAsync",
                                                  "cudaMemcpyAsync",
                                                  "cudaMemset",
                                                  "cudaMemsetAsync",
                                                  "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                                  "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                                  "cudaPeekAtLastError",
                                                  "cudaStreamCreate",
                                                  "cudaStreamDestroy",
                                                  "cudaStreamSynchronize",
                                                  "cudaStreamWaitEvent"};

bool is_of_cuda(std::string_view name) {
  return name.starts_with("__cuda") || name.starts_with("cu") || name.starts_with("nv");
}

// Returns the names of the kernels in PTX text.
std::vector<std::string> kernels_of(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry ";
  std::vector<std::string> names;
  for (std::size_t at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at + 1)) {
    const std::string_view rest = ptx.substr(at + kEntry.size());
    names.emplace_back(rest.substr(0, rest.find_first_of("( \n")));
  }
  return names;
}

// True if `bytes` hold the name as a whole string that ends in a null character.
bool holds(std::string_view bytes, const std::string& name) {
  const std::string whole = name + '\0';
  for (std::size_t at = bytes.find(whole); at != std::string_view::npos; at = bytes.find(whole, at + 1)) {
    const auto before = static_cast<unsigned char>(at == 0 ? '\0' : bytes[at - 1]);
    if (std::isalnum(before) == 0 && before != '_' && before != '$') return true;
  }
  return false;
}

// True if the library's host code registers the kernels in `ptx` and no others. clang makes a function
// `__device_stub__NAME` for each kernel, and passes its name to the runtime as a string. device_code: the
// file that the library embeds.
bool registers(const fs::path& library, const fs::path& device_code, const Symbols& symbols,
               std::string_view ptx) {
  Result<std::string> host = read_own_file(library);
  const Result<std::string> device = read_own_file(device_code);
  if (!host || !device) return false;
  const std::size_t embedded = host->find(*device);
  if (embedded == std::string::npos) return false;
  host->replace(embedded, device->size(), device->size(), '\0');
  const std::vector<std::string> kernels = kernels_of(ptx);
  const auto stubs = std::ranges::count_if(symbols.exported, [](const std::string& name) {
    return name.find("__device_stub__") != std::string::npos;
  });
  return static_cast<std::size_t>(stubs) == kernels.size() &&
         std::ranges::all_of(kernels, [&](const std::string& kernel) { return holds(*host, kernel); });
}

bool fit(const fs::path& library, const fs::path& device_code, std::string_view ptx) {
  const Result<Symbols> symbols = symbols_of(library);
  if (!symbols || !registers(library, device_code, *symbols, ptx)) return false;
  return std::ranges::all_of(symbols->undefined, [](const std::string& name) {
    return !is_of_cuda(name) || std::ranges::binary_search(kKnown, name);
  });
}

// True if a file is of CUDA's C++ libraries (Thrust, CUB, libcu++): the simulator has its own.
bool is_of_cccl(const std::string& file) {
  return file.find("/cccl/") != std::string::npos;
}

// True if clang sees the include folders at their real paths, as nvcc does: the names of the files that the
// two read can be put together then.
bool has_plain_folders(const Workspace& workspace) {
  return std::ranges::all_of(workspace.folders(),
                             [](const Folder& folder) { return folder.seen == folder.real.string(); });
}

// Returns the PTX text that nvcc has kept in a folder; empty if there is not exactly one.
std::string ptx_in(const fs::path& folder) {
  std::string text;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    if (file.path().extension() != ".ptx") continue;
    if (!text.empty()) return {};
    text = read_own_file(file.path()).value_or("");
  }
  return text;
}

}  // namespace

bool may_be_halved(const Request& request) {
  return request.output == Output::library && request.flags.empty() && request.link_flags.empty() &&
         request.defines.empty() && request.libraries.empty();
}

Result<std::optional<Compiled>> compile_in_halves(const Toolchain& toolchain, const Settings& settings,
                                                  const Request& request, const Workspace& workspace,
                                                  const Quick& quick) {
  const HostHalf& half = *quick.host_half;
  const fs::path& folder = workspace.folder();
  const fs::path device_code = folder / "device.fatbin";
  const Compiler nvcc(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  auto refused =
      nvcc.run({joined({device_half_flags(settings, request, workspace),
                        depfile_flags(folder / "device.d"),
                        {"--keep", "--keep-dir", folder, workspace.source(), "-o", device_code}})});
  if (!refused) return tl::unexpected<Error>(std::move(refused.error()));
  const std::string ptx = ptx_in(folder);
  if (*refused || ptx.empty()) return std::nullopt;
  const Result<std::string> read = read_own_file(folder / "device.d");
  if (!read || std::ranges::any_of(files_of_depfile(*read), is_of_cccl)) return std::nullopt;

  const Workspace beside(request, half.settings, Engine::simulator, half.folder);
  if (!has_plain_folders(beside)) return std::nullopt;
  const fs::path embedded = beside.folder() / "device.fatbin";
  std::error_code error;
  fs::copy_file(device_code, embedded, error);
  if (error) return fail(fmt::format("cannot copy {}: {}", device_code.string(), error.message()));
  const sandbox::Box box = simulator_box(half.clang, half.settings, request, beside, quick.headers);
  refused = Compiler(half.clang, half.settings, beside.folder(), box, quick.server)
                .run({host_pass(request, beside, embedded, quick.headers)});
  if (!refused) return tl::unexpected<Error>(std::move(refused.error()));
  if (*refused) return std::nullopt;
  // The compile server's sandbox lacks NVIDIA's runtime.
  const fs::path library = beside.folder() / "library.so";
  refused = link_library(Compiler(half.clang, half.settings, beside.folder(), box), quick.linker,
                         beside.folder() / kHostObject, library, half.settings, {});
  if (!refused) return tl::unexpected<Error>(std::move(refused.error()));
  if (*refused || !fit(library, device_code, ptx)) return std::nullopt;

  Result<Compilation> made = compilation_of(std::move(refused), {folder / "library.so", {}, {}},
                                            {folder / "device.d", beside.folder() / kHostDepfile});
  if (!made) return tl::unexpected<Error>(made.error());
  Compiled& compiled = std::get<Compiled>(*made);
  // Of the files that clang read, those of the simulator are the harness's own.
  std::erase_if(compiled.files, [&](const std::string& file) {
    return is_below(file, fs::absolute(settings.simulator_include).lexically_normal()) ||
           is_below(file, beside.folder());
  });
  fs::rename(library, compiled.library, error);
  if (error) fs::copy_file(library, compiled.library, error);
  if (error) return fail(fmt::format("cannot copy {}: {}", library.string(), error.message()));
  return std::move(compiled);
}

}  // namespace warpmark::build
