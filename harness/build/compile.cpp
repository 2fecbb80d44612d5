#include "harness/build/compile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/clang_flags.h"
#include "harness/build/compile_parts.h"
#include "harness/build/compiler.h"
#include "harness/build/diagnostics.h"
#include "harness/build/linker.h"
#include "harness/build/view.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

// Modules are disabled, as in nvcc: with modules enabled, clang 14 confuses CUDA's two placement news (host
// and device) if a precompiled header declares them.
const Arguments kClangFlags = joined({kClangOutput, {"-Xclang", "-fno-cxx-modules"}});
const Arguments kProgramHeaders{"-D__NVCC__=1",
                                "-D__CUDACC_EXTENDED_LAMBDA__=1",
                                "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                                "-include",
                                "warpmark_cuda/host/removed.h",
                                "-include",
                                "warpmark_cuda/host/managed.h"};
// Instantiates the headers' templates once, in the precompiled header, rather than in every source that uses
// it.
const Arguments kPrecompileFlags{"-Xclang", "-fpch-instantiate-templates"};
// Returns the clang flags that the two device passes and the host pass of one source share: defines, include
// paths and the course's flags.
Arguments clang_request_flags(const Request& request, const Workspace& workspace) {
  // A standalone program may use names that CUDA has removed since; a graded submission may not, because it
  // has to compile with the current nvcc.
  const Arguments headers = request.output == Output::object ? kProgramHeaders : Arguments{};
  return joined({kClangFlags, define_flags(request), workspace.include_flags(), workspace.prefix_map_flags(),
                 request.flags, headers});
}

// Removes the "./" prefix from file names in the PTX text's .file directives.
void strip_working_folder(std::string& ptx) {
  constexpr std::string_view kDirective = "\t.file\t";
  for (std::size_t at = ptx.find(kDirective); at != std::string::npos; at = ptx.find(kDirective, at + 1)) {
    const std::size_t quote = ptx.find('"', at);
    if (quote != std::string::npos && ptx.compare(quote + 1, 2, "./") == 0) ptx.erase(quote + 1, 2);
  }
}

// True if the -O2 PTX lacks a variable of an unnamed namespace that the -O0 PTX has. clang 14 takes such a
// variable for one that no host code can set, and replaces it by its initial value.
bool lost_a_variable(std::string_view o0, std::string_view o2) {
  const auto is_of_a_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  for (std::size_t at = 0; at < o0.size();) {
    const std::size_t end = std::min(o0.find('\n', at), o0.size());
    const std::string_view line = o0.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(".global ") && !line.starts_with(".const ")) continue;
    const std::size_t unnamed = line.find("_GLOBAL__N_");
    if (unnamed == std::string_view::npos) continue;
    const std::size_t begin = line.rfind(' ', unnamed) + 1;
    const auto* last = std::find_if_not(line.begin() + begin, line.end(), is_of_a_name);
    const std::string_view name(line.begin() + begin, last);
    if (o2.find(name) == std::string_view::npos) return true;
  }
  return false;
}

Result<bool> lost_a_variable(const fs::path& checking, const fs::path& counting) {
  const Result<std::string> o0 = read_own_file(checking);
  const Result<std::string> o2 = read_own_file(counting);
  if (!o0 || !o2) return tl::unexpected<Error>(o0 ? o2.error() : o0.error());
  return lost_a_variable(std::string_view(*o0), std::string_view(*o2));
}

// Makes clang keep device variables of unnamed namespaces in -O2 code.
const Arguments kKeepVariables{"-include", "warpmark_cuda/kept_variables.h"};

Result<void> pack_images(const fs::path& checking, const fs::path& counting, const fs::path& packed) {
  Result<std::string> o0 = read_own_file(checking);
  Result<std::string> o2 = read_own_file(counting);
  if (!o0 || !o2) return tl::unexpected<Error>(o0 ? o2.error() : o0.error());
  strip_working_folder(*o0);
  strip_working_folder(*o2);
  return write_file(packed, simulator::pack({*o0, *o2}));
}

Arguments rpath(const fs::path& library) {
  return {"-Xlinker", "-rpath", "-Xlinker", library.parent_path().string()};
}

// Returns the compiler driver's arguments for linking one object into a shared library.
Arguments link_arguments(const fs::path& object, const fs::path& library, const Settings& settings,
                         const Arguments& more = {}) {
  const fs::path runtime = fs::absolute(settings.simulator_library);
  return joined({{object.string(), "-o", library.string()},
                 simulator::link_flags(runtime.string()),
                 rpath(runtime),
                 more});
}

// Returns true if the object calls the OpenMP runtime, even if the source does not mention OpenMP itself.
bool calls_openmp(const fs::path& object) {
  const Result<std::string> bytes = read_file(object);
  if (!bytes) return false;
  constexpr std::array<std::string_view, 5> kNames{"__kmpc_", "GOMP_", "omp_get_", "omp_set_", "omp_in_"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view name) { return bytes->find(name) != std::string::npos; });
}

// Compiles a C file of a CUDA program as host code only, with the C compiler, like nvcc.
Result<Compilation> compile_c(const Toolchain& toolchain, const Settings& settings, const Request& request,
                              const Workspace& workspace) {
  const fs::path& folder = workspace.folder();
  const Compiler clang(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  const fs::path object = folder / "object.o";
  std::string said;
  Result<std::optional<FailedPass>> refused = clang.run({joined({simulator::c_flags(),
                                                                 openmp_flags(workspace),
                                                                 kClangOutput,
                                                                 define_flags(request),
                                                                 workspace.include_flags(),
                                                                 workspace.prefix_map_flags(),
                                                                 depfile_flags(folder / "host.d"),
                                                                 {"-c", workspace.source(), "-o", object}})},
                                                        &said);
  return compilation_of(std::move(refused), {object, {}, shown_warnings(workspace.shown_text(said))},
                        {folder / "host.d"});
}

Result<Compilation> compile_for_simulator(const Toolchain& toolchain, const Settings& settings,
                                          const Request& request, const Workspace& workspace,
                                          const Quick& quick) {
  using simulator::Level;
  if (request.output == Output::object && request.is_c)
    return compile_c(toolchain, settings, request, workspace);
  const fs::path& folder = workspace.folder();
  const Arguments of_request = clang_request_flags(request, workspace);
  const Precompiled& precompiled = quick.headers;
  const Compiler clang(toolchain, settings, folder,
                       simulator_box(toolchain, settings, request, workspace, precompiled), quick.server);
  const auto device = [&](Level level, const Arguments& more, const char* image) {
    const fs::path& begin = level == Level::checking ? precompiled.checking : precompiled.counting;
    return joined({simulator::device_flags(level, begin),
                   of_request,
                   more,
                   {workspace.source(), "-o", folder / image}});
  };
  // Without the variables and types of debug information the device reads the code in half the time.
  const Arguments debug =
      request.quick ? Arguments{"-Xclang", "-debug-info-kind=line-directives-only"} : Arguments{};
  std::vector<Arguments> passes{
      device(Level::checking, joined({debug, depfile_flags(folder / "device.d")}), "O0.ptx")};
  const char* const counting = request.quick ? "O0.ptx" : "O2.ptx";
  if (!request.quick) passes.push_back(device(Level::counting, {}, counting));
  Result<std::optional<FailedPass>> refused = clang.run(passes);
  if (!refused || *refused) return compilation_of(std::move(refused), {}, {});
  const Result<bool> lost = lost_a_variable(folder / "O0.ptx", folder / counting);
  if (!lost) return tl::unexpected<Error>(lost.error());
  if (*lost) {
    refused = clang.run({device(Level::counting, kKeepVariables, "O2.ptx")});
    if (!refused || *refused) return compilation_of(std::move(refused), {}, {});
  }

  const Result<void> packed = pack_images(folder / "O0.ptx", folder / counting, folder / "fat_binary");
  if (!packed) return tl::unexpected<Error>(packed.error());
  Compiled compiled{folder / kHostObject, {}, {}};
  std::string said;
  refused = clang.run({host_pass(request, workspace, folder / "fat_binary", precompiled)}, &said);
  if (!refused || *refused) return compilation_of(std::move(refused), {}, {});
  compiled.warnings = shown_warnings(workspace.shown_text(said));
  if (request.output == Output::library) {
    const fs::path object = std::exchange(compiled.library, folder / "library.so");
    refused = link_library(clang, quick.linker, object, compiled.library, settings, request.link_flags);
  }
  return compilation_of(std::move(refused), std::move(compiled),
                        {folder / "device.d", folder / kHostDepfile});
}

}  // namespace

Arguments host_pass(const Request& request, const Workspace& workspace, const fs::path& device_code,
                    const Precompiled& precompiled) {
  const fs::path& folder = workspace.folder();
  return joined({simulator::host_flags(device_code, precompiled.host),
                 clang_request_flags(request, workspace),
                 openmp_flags(workspace),
                 depfile_flags(folder / kHostDepfile),
                 {"-c", workspace.source(), "-o", folder / kHostObject}});
}

Result<std::optional<FailedPass>> link_library(const Compiler& clang, const Linker& linker,
                                               const fs::path& object, const fs::path& library,
                                               const Settings& settings, const Arguments& more) {
  if (linker && more.empty()) {
    Result<std::optional<FailedPass>> refused = clang.run_program(linker.command(object, library));
    if (!refused || !*refused) return refused;
  }
  return clang.run({link_arguments(object, library, settings, more)});
}

Arguments fixed_flags(Engine engine) {
  if (engine == Engine::gpu) return gpu_flags();
  if (is_host(engine)) return host_flags(engine);
  return joined({kProgramHeaders, simulator::device_flags(simulator::Level::checking),
                 simulator::device_flags(simulator::Level::counting), simulator::host_flags(""),
                 simulator::link_flags(""), simulator::precompile_flags(), kClangFlags, kPrecompileFlags,
                 kKeepVariables});
}

Arguments program_flags() {
  return kProgramHeaders;
}

sandbox::Box simulator_box(const Toolchain& toolchain, const Settings& settings, const Request& request,
                           const Workspace& workspace, const Precompiled& precompiled) {
  sandbox::Box box = View(toolchain, settings, request, workspace).box();
  for (const fs::path& file : {precompiled.checking, precompiled.counting, precompiled.host}) {
    if (!file.empty()) box.read_only.push_back(file);
  }
  return box;
}

Linker quick_linker(const Toolchain& toolchain, const Settings& settings) {
  return Linker::find(toolchain.compiler, [&](const fs::path& object, const fs::path& library) {
    return link_arguments(object, library, settings);
  });
}

Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<fs::path>& objects, const fs::path& program,
                                               const fs::path& folder) {
  const bool simulated = toolchain.engine == Engine::simulator;
  const fs::path runtime = simulated ? fs::absolute(settings.simulator_library) : fs::path();
  std::vector<fs::path> files = objects;
  if (simulated) files.push_back(runtime);
  const auto named = simulated ? Result<std::vector<fs::path>>(objects) : named_as_objects(objects, folder);
  if (!named) return tl::unexpected<Error>(named.error());
  const Arguments openmp = std::ranges::any_of(objects, calls_openmp) ? kOpenMp : Arguments{};
  const Arguments arguments =
      simulated ? joined({Arguments(objects.begin(), objects.end()),
                          openmp,
                          {runtime.string(), "-o", program.string()},
                          rpath(runtime)})
                : native_link_arguments(toolchain, settings, *named, fs::absolute(program), openmp);
  sandbox::Box box = linker_box(toolchain, files, {folder, fs::absolute(program).parent_path()});
  // -arch=native asks the GPU, in the link of device code, too.
  box.gpu = toolchain.engine == Engine::gpu && settings.gpu_architecture == "native";
  return Compiler(toolchain, settings, folder, box).run({arguments});
}

Result<Compilation> compile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                            const Workspace& workspace, const Quick& quick) {
  if (toolchain.engine == Engine::gpu) return compile_for_gpu(toolchain, settings, request, workspace, quick);
  if (is_host(toolchain.engine)) return compile_for_host(toolchain, settings, request, workspace);
  return compile_for_simulator(toolchain, settings, request, workspace, quick);
}

Result<Compilation> precompile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                               const Workspace& workspace, fs::path Precompiled::*pass,
                               const Arguments& more) {
  using simulator::Level;
  const fs::path& folder = workspace.folder();
  // Precompiling headers generates no code, so the host pass has no PTX to embed and gets an empty file.
  Arguments flags = simulator::host_flags("/dev/null");
  if (pass == &Precompiled::checking) flags = simulator::device_flags(Level::checking);
  if (pass == &Precompiled::counting) flags = simulator::device_flags(Level::counting);
  Arguments more_includes;
  for (const std::string& name : more) more_includes.insert(more_includes.end(), {"-include", name});
  const Compiler clang(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  return compilation_of(clang.run({joined({flags,
                                           more_includes,
                                           clang_request_flags(request, workspace),
                                           simulator::precompile_flags(),
                                           kPrecompileFlags,
                                           depfile_flags(folder / "headers.d"),
                                           {workspace.source(), "-o", folder / "headers.pch"}})}),
                        {folder / "headers.pch", {}, {}}, {folder / "headers.d"});
}

}  // namespace warpmark::build
