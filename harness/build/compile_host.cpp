// Compiles a student's C++ (CPU) file with one run of g++, or of clang if a sanitizer is requested.
#include <fmt/format.h>

#include "harness/build/compile_parts.h"
#include "harness/build/compiler.h"
#include "harness/build/view.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

// Flags for g++. -g1 keeps line numbers, which locate a call that hangs. std::execution::par uses the serial
// backend, so that it needs no library (TBB) and behaves the same on every machine.
const Arguments kHostFlags{"-D_GLIBCXX_USE_TBB_PAR_BACKEND=0",
                           "-std=c++20",
                           "-O3",
                           "-march=native",
                           "-fopenmp",
                           "-pthread",
                           "-shared",
                           "-fPIC",
                           "-g1",
                           "-fno-gnu-unique",
                           "-Wl,-Bsymbolic",
                           "-Wl,-zdefs"};
// Flags for g++ of a program's files; a C file has the compiler's default standard.
const Arguments kHostProgramFlags{
    "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0", "-O3", "-march=native", "-pthread", "-g1", "-c"};
// Flags for clang's sanitizers. -O1 keeps line numbers in reports accurate. Macros define away attributes
// that disable instrumentation, even when another macro composes the attribute's name.
const Arguments kSanitizerFlags{"-D_GLIBCXX_USE_TBB_PAR_BACKEND=0",
                                "-std=c++20",
                                "-O1",
                                "-g",
                                "-gdwarf-4",  // addr2line reports wrong lines for clang's DWARF 5
                                "-fno-omit-frame-pointer",
                                "-fno-optimize-sibling-calls",
                                "-fopenmp",
                                "-pthread",
                                "-shared",
                                "-fPIC",
                                "-Wl,-Bsymbolic",
                                "-Dno_sanitize(...)=unused",
                                "-D__no_sanitize__(...)=unused",
                                "-Dno_sanitize_thread=unused",
                                "-Dno_sanitize_address=unused",
                                "-Dno_sanitize_undefined=unused",
                                "-Dno_address_safety_analysis=unused",
                                "-Ddisable_sanitizer_instrumentation=unused"};

// Returns ThreadSanitizer's flags. ThreadSanitizer knows no fences: the worker's own functions stand in front
// of the runtime's, and take them into account (harness/worker/calls_thread_sanitizer.cpp).
Arguments thread_sanitizer_flags() {
  Arguments flags{"-fsanitize=thread", "-Wl,--wrap=__tsan_atomic_thread_fence"};
  for (const int bits : {8, 16, 32, 64}) {
    for (const char* name : {"load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or",
                             "fetch_xor", "fetch_nand", "compare_exchange_val"})
      flags.push_back(fmt::format("-Wl,--wrap=__tsan_atomic{}_{}", bits, name));
  }
  return flags;
}

Arguments flags_of_library(Engine engine) {
  if (engine == Engine::host) return kHostFlags;
  const Arguments watched = engine == Engine::thread_sanitizer
                                ? thread_sanitizer_flags()
                                : Arguments{"-fsanitize=address,undefined", "-fsanitize-recover=all"};
  return joined({kSanitizerFlags, watched, kClangOutput});
}

Arguments program_flags(const Request& request) {
  return joined({request.is_c ? Arguments{"-x", "c"} : Arguments{"-x", "c++", "-std=c++20"},
                 kHostProgramFlags,
                 {"-fopenmp"}});
}

}  // namespace

Arguments host_flags(Engine engine) {
  return engine == Engine::host ? joined({kHostFlags, kHostProgramFlags}) : flags_of_library(engine);
}

Result<Compilation> compile_for_host(const Toolchain& toolchain, const Settings& settings,
                                     const Request& request, const Workspace& workspace) {
  const fs::path& folder = workspace.folder();
  const Compiler compiler(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  const bool program = request.output == Output::object;
  const fs::path built = folder / (program ? "object.o" : "library.so");
  return compilation_of(
      compiler.run({joined({program ? program_flags(request) : flags_of_library(toolchain.engine),
                            define_flags(request),
                            request.flags,
                            workspace.include_flags(),
                            workspace.prefix_map_flags(),
                            {fmt::format("-fdebug-prefix-map={}=.", workspace.folder().string())},
                            depfile_flags(folder / "library.d"),
                            {workspace.source(), "-o", built},
                            request.link_flags})}),
      {built, {}, {}}, {folder / "library.d"});
}

}  // namespace warpmark::build
