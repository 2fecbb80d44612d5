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

}  // namespace

Arguments host_flags(Engine engine) {
  if (engine == Engine::host) return kHostFlags;
  const Arguments watched = engine == Engine::thread_sanitizer
                                ? Arguments{"-fsanitize=thread"}
                                : Arguments{"-fsanitize=address,undefined", "-fsanitize-recover=all"};
  return joined({kSanitizerFlags, watched, kClangOutput});
}

Result<Compilation> compile_for_host(const Toolchain& toolchain, const Settings& settings,
                                     const Request& request, const Workspace& workspace) {
  const fs::path& folder = workspace.folder();
  const Compiler compiler(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  return compilation_of(
      compiler.run({joined({host_flags(toolchain.engine),
                            define_flags(request),
                            request.flags,
                            workspace.include_flags(),
                            workspace.prefix_map_flags(),
                            {fmt::format("-fdebug-prefix-map={}=.", workspace.folder().string())},
                            depfile_flags(folder / "library.d"),
                            {workspace.source(), "-o", folder / "library.so"},
                            request.link_flags})}),
      {folder / "library.so", {}, {}}, {folder / "library.d"});
}

}  // namespace warpmark::build
