// Compiles for a GPU: with nvcc alone, or a library in two halves, of which nvcc makes the device code and
// clang the host code.
#include "harness/build/compile_gpu.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/compiler.h"
#include "harness/build/view.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

// -g1 lets the linker report the source line of an undefined reference.
const Arguments kNvccFlags{
    "-std=c++20",      "--extended-lambda", "-O3",        "-lineinfo",  "--shared", "-cudart",
    "shared",          "-Xcompiler",        "-fPIC",      "-Xcompiler", "-g1",      "-Xcompiler",
    "-fno-gnu-unique", "-Xlinker",          "-Bsymbolic", "-Xlinker",   "-zdefs"};

// Flags of a library's device code alone. Without --extended-lambda, for which nvcc reads another 25,000
// lines of the standard library: a source that needs it is compiled as a whole.
const Arguments kDeviceHalfFlags{"-std=c++20", "-O3", "-lineinfo", "-fatbin"};

// Flags of a program's files. Without -std, because nvcc's default is the standard that a program's own build
// would have.
const Arguments kNvccProgramFlags{"--extended-lambda", "--expt-relaxed-constexpr", "-O3", "-lineinfo", "-c"};
// Lets a program's files call device functions of each other.
constexpr const char* kDeviceLinking = "-rdc=true";

Arguments library_flags(const Request& request) {
  Arguments flags;
  for (const std::string& library : request.libraries) flags.push_back("-l" + library);
  return flags;
}

// Toolkit libraries that a program on a GPU is linked to if its objects name one of their functions.
struct ToolkitLibrary {
  std::string_view function;  // the beginning of its name
  const char* flag;
};
constexpr std::array<ToolkitLibrary, 8> kToolkitLibraries{{{"cublasCreate", "-lcublas"},
                                                           {"cufftPlan", "-lcufft"},
                                                           {"cufftCreate", "-lcufft"},
                                                           {"curandCreateGenerator", "-lcurand"},
                                                           {"cusolverDnCreate", "-lcusolver"},
                                                           {"cusparseCreate", "-lcusparse"},
                                                           {"nvmlInit", "-lnvidia-ml"},
                                                           {"cuInit", "-lcuda"}}};

Arguments toolkit_libraries_of(const std::vector<fs::path>& objects) {
  Arguments flags;
  for (const fs::path& object : objects) {
    const Result<std::string> bytes = read_file(object);
    for (const ToolkitLibrary& library : kToolkitLibraries) {
      const bool known = std::ranges::find(flags, library.flag) != flags.end();
      if (bytes && !known && bytes->find(library.function) != std::string::npos)
        flags.emplace_back(library.flag);
    }
  }
  return flags;
}

// Returns the include flags in nvcc's syntax.
Arguments nvcc_include_flags(const Workspace& workspace) {
  Arguments flags = workspace.include_flags();
  // Replaces -iquote, which nvcc lacks, by -I: on the first include folder both have the same effect on
  // quoted includes.
  std::ranges::replace(flags, std::string("-iquote"), std::string("-I"));
  return flags;
}

Arguments nvcc_prefix_map_flags(const Workspace& workspace) {
  Arguments flags;
  Arguments maps = workspace.prefix_map_flags();
  // File names in debug information are relative to the compiler's working folder.
  maps.push_back(fmt::format("-fdebug-prefix-map={}=.", workspace.folder().string()));
  for (const std::string& flag : maps) {
    // nvcc splits the argument of -Xcompiler at commas and passes the parts to a shell. So a path with
    // special characters gets no prefix-map flag, which only affects __FILE__.
    if (flag.find_first_of(" ,\"'\\$`\n;&|<>(){}*?!#~") == std::string::npos) {
      flags.insert(flags.end(), {"-Xcompiler", flag});
    }
  }
  return flags;
}

// Prefixes each flag that nvcc does not know with -Xcompiler, which passes the flag to the host compiler.
Arguments nvcc_flags(const Arguments& flags) {
  Arguments all;
  for (const std::string& flag : flags) {
    const bool known = flag.starts_with("-I") || flag.starts_with("-D") || flag.starts_with("-L") ||
                       flag.starts_with("-l") || flag == "-isystem" || !flag.starts_with("-");
    if (!known) all.emplace_back("-Xcompiler");
    all.push_back(flag);
  }
  return all;
}

Arguments cudart_rpath(const fs::path& nvcc) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(nvcc.parent_path() / "../lib64", error);
  return fs::is_directory(folder, error) ? Arguments{"-Xlinker", "-rpath=" + folder.string()} : Arguments{};
}

}  // namespace

Arguments gpu_flags() {
  return joined({kNvccFlags, kNvccProgramFlags, kDeviceHalfFlags});
}

Arguments device_half_flags(const Settings& settings, const Request& request, const Workspace& workspace) {
  return joined({{"-arch=" + settings.gpu_architecture},
                 kDeviceHalfFlags,
                 define_flags(request),
                 nvcc_include_flags(workspace)});
}

Result<Compilation> compile_for_gpu(const Toolchain& toolchain, const Settings& settings,
                                    const Request& request, const Workspace& workspace, const Quick& quick) {
  const fs::path& folder = workspace.folder();
  if (quick.host_half && may_be_halved(request)) {
    Result<std::optional<Compiled>> halves =
        compile_in_halves(toolchain, settings, request, workspace, quick);
    if (!halves) return tl::unexpected<Error>(std::move(halves.error()));
    if (*halves) return std::move(**halves);
  }
  const Compiler nvcc(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  const bool program = request.output == Output::object;
  const fs::path built = folder / (program ? "object.o" : "library.so");
  // A workspace calls every source of a program .cu, so that a C file has to be named as one.
  const Arguments of_program =
      request.is_c
          ? Arguments{"-x", "c", "-O3", "-c"}
          : joined({kNvccProgramFlags, request.defines.empty() ? Arguments{} : Arguments{kDeviceLinking}});
  const Arguments kind = program ? of_program : kNvccFlags;
  return compilation_of(nvcc.run({joined({{"-arch=" + settings.gpu_architecture},
                                          kind,
                                          program ? nvcc_flags(openmp_flags(workspace)) : Arguments{},
                                          define_flags(request),
                                          nvcc_flags(request.flags),
                                          nvcc_include_flags(workspace),
                                          nvcc_prefix_map_flags(workspace),
                                          cudart_rpath(toolchain.compiler),
                                          depfile_flags(folder / "library.d"),
                                          {workspace.source(), "-o", built},
                                          library_flags(request),
                                          nvcc_flags(request.link_flags)})}),
                        {built, {}, {}}, {folder / "library.d"});
}

Result<std::vector<fs::path>> named_as_objects(const std::vector<fs::path>& objects, const fs::path& folder) {
  std::vector<fs::path> named;
  for (const fs::path& object : objects) {
    named.push_back(folder / fmt::format("{}.o", named.size()));
    std::error_code error;
    fs::copy_file(object, named.back(), error);
    if (error) return fail(fmt::format("cannot copy {}: {}", object.string(), error.message()));
  }
  return named;
}

Arguments native_link_arguments(const Toolchain& toolchain, const Settings& settings,
                                const std::vector<fs::path>& objects, const fs::path& program,
                                const Arguments& openmp) {
  const Arguments files(objects.begin(), objects.end());
  if (is_host(toolchain.engine)) return joined({files, openmp, {"-pthread", "-o", program.string(), "-lm"}});
  return joined({{"-arch=" + settings.gpu_architecture},
                 objects.size() > 1 ? Arguments{kDeviceLinking} : Arguments{},
                 files,
                 nvcc_flags(openmp),
                 cudart_rpath(toolchain.compiler),
                 {"-o", program.string()},
                 toolkit_libraries_of(objects)});
}

}  // namespace warpmark::build
