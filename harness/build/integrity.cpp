#include "harness/build/integrity.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"
#include "harness/build/source_rules.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;

struct Library {
  std::string_view name;
  // Prefix of a CUDA toolkit library's header names ("thrust/"), by which its use in a source is recognised.
  std::string_view headers;
};
constexpr auto kLibraries = std::to_array<Library>({{"thrust", "thrust/"},
                                                    {"cub", "cub/"},
                                                    {"cublas", "cublas"},
                                                    {"cufft", "cufft"},
                                                    {"curand", "curand"},
                                                    {"cusolver", "cusolver"},
                                                    {"cusparse", "cusparse"},
                                                    {"cutlass", "cutlass/"},
                                                    // The simulator builds its own cuBLAS, cuRAND and cuFFT
                                                    // on internal headers; including one counts as a use of
                                                    // the library.
                                                    {"cublas", "warpmark_cuda/blas/"},
                                                    {"curand", "warpmark_cuda/random/"},
                                                    {"cufft", "warpmark_cuda/fft/"},
                                                    {"cusparse", "warpmark_cuda/sparse/"},
                                                    {"cusolver", "warpmark_cuda/solver/"},
                                                    {"algorithms", "warpmark_cuda/algorithms/"}});

// System functions that a student's library must not call, because no computation needs them: they start
// programs or processes, load libraries or look into loaded ones, inspect other processes, handle signals,
// redirect output, or change the state of the worker process.
constexpr auto kNotToBeCalled = std::to_array<std::string_view>({"_Fork",
                                                                 "bind",
                                                                 "bsd_signal",
                                                                 "chroot",
                                                                 "clone",
                                                                 "connect",
                                                                 "daemon",
                                                                 "dl_find_object",
                                                                 "dl_iterate_phdr",
                                                                 "dladdr",
                                                                 "dladdr1",
                                                                 "dlinfo",
                                                                 "dlmopen",
                                                                 "dlopen",
                                                                 "dlsym",
                                                                 "dlvsym",
                                                                 "dup",
                                                                 "dup2",
                                                                 "dup3",
                                                                 "execl",
                                                                 "execle",
                                                                 "execlp",
                                                                 "execv",
                                                                 "execve",
                                                                 "execveat",
                                                                 "execvp",
                                                                 "execvpe",
                                                                 "fexecve",
                                                                 "fopencookie",
                                                                 "fork",
                                                                 "freopen",
                                                                 "freopen64",
                                                                 "kill",
                                                                 "killpg",
                                                                 "mount",
                                                                 "mprotect",
                                                                 "mremap",
                                                                 "open_memstream",
                                                                 "personality",
                                                                 "pidfd_getfd",
                                                                 "pidfd_open",
                                                                 "pidfd_send_signal",
                                                                 "pipe",
                                                                 "pipe2",
                                                                 "pivot_root",
                                                                 "pkey_mprotect",
                                                                 "popen",
                                                                 "posix_spawn",
                                                                 "posix_spawnp",
                                                                 "prctl",
                                                                 "prlimit",
                                                                 "prlimit64",
                                                                 "process_madvise",
                                                                 "process_vm_readv",
                                                                 "process_vm_writev",
                                                                 "pthread_kill",
                                                                 "pthread_sigmask",
                                                                 "pthread_sigqueue",
                                                                 "ptrace",
                                                                 "r_debug",
                                                                 "rexec",
                                                                 "rtld_global",
                                                                 "rtld_global_ro",
                                                                 "seccomp",
                                                                 "setns",
                                                                 "setrlimit",
                                                                 "setrlimit64",
                                                                 "sigaction",
                                                                 "sigaltstack",
                                                                 "signal",
                                                                 "sigprocmask",
                                                                 "sigqueue",
                                                                 "sigset",
                                                                 "sigvec",
                                                                 "socket",
                                                                 "socketpair",
                                                                 "ssignal",
                                                                 "system",
                                                                 "sysv_signal",
                                                                 "tgkill",
                                                                 "umount",
                                                                 "umount2",
                                                                 "unshare",
                                                                 "userfaultfd",
                                                                 "vfork",
                                                                 "wordexp"});

// A submission that may use CUDA's header-only libraries may call dlopen and dlsym: those libraries call them
// to look for optional NVIDIA tools.
constexpr std::array<std::string_view, 2> kCalledByLibraries{"dlopen", "dlsym"};
// The simulator's function through which its cuBLAS, cuFFT and cuSOLVER run their algorithms on the simulated
// device. Only a submission that may use one of these libraries may call it.
constexpr std::string_view kCallsDevice = "warpmark_device_library_call";
constexpr std::array<std::string_view, 3> kCallingDevice{"cublas", "cufft", "cusolver"};

bool is_harness(std::string_view name) {
  return name.starts_with("warpmark_");
}
// Returns true for the interface functions of the sanitizers' runtimes (names such as __asan_...), which a
// submission must not call.
bool is_sanitizers(std::string_view name) {
  return std::ranges::any_of(std::array{"__tsan", "__wrap___tsan", "__asan", "__ubsan", "__lsan", "__msan",
                                        "__hwasan", "__sanitizer", "Annotate", "WTFAnnotate"},
                             [&](const char* begin) { return name.starts_with(begin); });
}

// Returns true for functions by which an MPI program gets further processes, and for those of the layers
// below Open MPI, which reach mpirun. Open MPI's own names (ompi_) stand in the macros of its headers.
bool starts_ranks(std::string_view name) {
  if (std::ranges::any_of(
          std::array{"PMIx_", "PMI_", "PMI2_", "pmix_", "opal_", "orte_", "prte_", "mca_", "ompi_dpm_"},
          [&](const char* begin) { return name.starts_with(begin); }))
    return true;
  if (name.starts_with('P')) name.remove_prefix(1);
  return std::ranges::any_of(
      std::array{"MPI_Comm_spawn", "MPI_Comm_accept", "MPI_Comm_connect", "MPI_Comm_join", "MPI_Open_port",
                 "MPI_Publish_name", "MPI_Lookup_name"},
      [&](const char* begin) { return name.starts_with(begin); });
}

template <std::size_t size>
bool is_in(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Refuses definitions of reserved names by which compiled code calls its runtime. A definition of any other
// function, such as malloc or cudaLaunchKernel, is called by the library alone: it is opened with RTLD_LOCAL,
// behind the worker's own libraries.
std::optional<Cause> redefined(const Request& request, const Symbols& symbols) {
  for (const std::string& name : symbols.exported) {
    const char* owner = name.starts_with("__cuda")                      ? "CUDA"
                        : is_harness(name)                              ? "the harness"
                        : is_sanitizers(name) && name.starts_with("__") ? "a sanitizer"
                                                                        : nullptr;
    if (owner == nullptr || std::ranges::find(request.exports, name) != request.exports.end()) continue;
    return refused(CauseKind::tampering, request,
                   fmt::format("{} defines `{}`, a function of {}: rename it, or make it static",
                               request.display_name, name, owner));
  }
  return std::nullopt;
}

// Strips the prefixes and version suffixes of the C library's aliases: __fork, __libc_system, _IO_popen,
// sigaction@GLIBC_2.2.5.
std::string_view plain_name(std::string_view name) {
  name = name.substr(0, name.find('@'));
  for (const std::string_view prefix : {"__libc_", "_IO_", "__GI_", "__", "_"}) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

bool is_not_to_be_called(std::string_view name) {
  return is_harness(name) || is_sanitizers(name) || starts_ranks(name) || is_in(kNotToBeCalled, name) ||
         is_in(kNotToBeCalled, plain_name(name));
}

std::optional<Cause> called(const Request& request, const Symbols& symbols) {
  const auto& libraries = request.rules->libraries;
  const bool uses_libraries = !libraries.empty();
  const bool calls_device =
      std::ranges::any_of(libraries, [](const auto& library) { return is_in(kCallingDevice, library); });
  for (const std::string& name : symbols.undefined) {
    if (uses_libraries && is_in(kCalledByLibraries, name)) continue;
    if (calls_device && name == kCallsDevice) continue;
    if (!is_not_to_be_called(name)) continue;
    return refused(
        CauseKind::tampering, request,
        fmt::format("{} calls `{}`: a version computes, and needs no function that starts programs, "
                    "loads libraries, takes signals or reaches into the harness; remove the call",
                    request.display_name, name));
  }
  return std::nullopt;
}

// Returns true for functions that the compiler adds to a library: start and end code, global objects, CUDA
// kernel registration.
bool is_compilers(std::string_view name) {
  return name == "frame_dummy" || name == "__do_global_dtors_aux" || name.starts_with("_GLOBAL__") ||
         name.starts_with("__cuda_module_") || name.find("____cudaRegisterAll") != std::string_view::npos ||
         name.starts_with("asan.module") || name.starts_with("__cxx_global_");
}

std::optional<Cause> run_by_loading(const Request& request, const Symbols& symbols) {
  for (const auto& [names, what, when] :
       {std::tuple(&symbols.constructors, "constructor", "when it is loaded"),
        std::tuple(&symbols.destructors, "destructor", "when it is unloaded"),
        std::tuple(&symbols.resolvers, "ifunc", "when it is loaded")}) {
    const auto own = std::ranges::find_if_not(*names, is_compilers);
    if (own == names->end()) continue;
    return refused(
        CauseKind::tampering, request,
        fmt::format("{} has the {} `{}`, which runs {}: a version works when it is called; take the "
                    "attribute away",
                    request.display_name, what, *own, when));
  }
  return std::nullopt;
}

bool allows(const SubmissionRules& rules, std::string_view library) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(rules.libraries, name) != rules.libraries.end();
  };
  // The simulator implements all its CUDA libraries on its internal library "algorithms", so permitting any
  // of them permits "algorithms".
  if (library == "algorithms") return !rules.libraries.empty();
  // Thrust and CUB include each other, so permitting one permits both.
  if (library == "thrust" || library == "cub") return has("thrust") || has("cub");
  return has(library);
}

Cause forbidden(const Request& request, std::string_view library, const std::string& header) {
  Cause cause =
      refused(CauseKind::forbidden_library, request,
              fmt::format("{} uses {} ({}), and this version asks for a kernel of your own: write the "
                          "kernel, and remove the #include",
                          request.display_name, library, fs::path(header).filename().string()));
  cause.expected = request.rules->libraries.empty()
                       ? "no library"
                       : fmt::format("{}", fmt::join(request.rules->libraries, ", "));
  cause.actual = library;
  return cause;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path name =
      fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return !name.empty() && *name.begin() != "..";
}

std::optional<Cause> foreign_library(const Request& request, const Entry& entry,
                                     const fs::path& toolkit_headers) {
  for (const IncludedFile& file : entry.included) {
    if (!file.outside && !lies_in(file.path, toolkit_headers)) continue;
    const std::string_view library = library_of_header(file.path.string());
    if (!library.empty() && !allows(*request.rules, library))
      return forbidden(request, library, file.path.string());
  }
  return std::nullopt;
}

std::vector<OwnFile> own_files(const Request& request, const Entry& entry) {
  std::vector<OwnFile> files;
  const std::string source = request.source.string();
  const bool shown_as_it_lies = source.ends_with("/" + request.display_name);
  const fs::path submission =
      shown_as_it_lies ? source.substr(0, source.size() - request.display_name.size() - 1) : "";
  if (const auto text = read_file(request.source)) files.push_back({request.display_name, *text});
  for (const IncludedFile& file : entry.included) {
    const fs::path name = file.path.lexically_normal().lexically_relative(submission);
    if (submission.empty() || file.outside || name.empty() || *name.begin() == "..") continue;
    if (const auto text = read_file(file.path)) files.push_back({name.string(), *text});
  }
  return files;
}

// Returns true if the file is the submission's copy of a header that the course provides. Such copies beside
// the sources were found to be unmodified when the submission was read; what lies in a folder was not looked
// at.
bool is_course_header(const Request& request, const OwnFile& file) {
  std::error_code error;
  return file.name != request.display_name && !request.include_folders.empty() &&
         !fs::path(file.name).has_parent_path() &&
         fs::exists(request.include_folders.front() / file.name, error);
}

std::optional<Cause> includes_wrongly(const Request& request, const OwnFile& file,
                                      const fs::path& toolkit_headers) {
  if (file.name == request.display_name) return std::nullopt;
  const std::string base = fs::path(file.name).filename().string();
  if (std::ranges::find(request.rules->other_versions, base) != request.rules->other_versions.end()) {
    return refused_in(file, 0, request,
                      fmt::format("{} includes {}, another version: put what both need into a header",
                                  request.display_name, file.name));
  }
  std::error_code error;
  if (!fs::exists(toolkit_headers / base, error)) return std::nullopt;
  return refused_in(
      file, 0, request,
      fmt::format("{} has the name of a header of CUDA, which it would replace: rename it", file.name));
}

}  // namespace

std::string_view library_of_header(std::string_view header) {
  for (const Library& library : kLibraries) {
    const std::size_t at = header.rfind(library.headers);
    if (at == std::string_view::npos || (at > 0 && header[at - 1] != '/')) continue;
    return library.name;
  }
  return {};
}

std::optional<Cause> forbidden_header(const Request& request, const std::string& header) {
  const std::string_view library = library_of_header(header);
  if (!request.rules || library.empty() || allows(*request.rules, library)) return std::nullopt;
  return forbidden(request, library, header);
}

std::optional<Cause> broken_rule(const Request& request, const Entry& entry, const Symbols& symbols,
                                 const fs::path& toolkit_headers) {
  if (!request.rules) return std::nullopt;
  // The rules about a submission's source text are checked before those about libraries: a __has_include that
  // tests for a library looks like a use of that library.
  for (const OwnFile& file : own_files(request, entry)) {
    if (is_course_header(request, file)) continue;
    if (auto cause = includes_wrongly(request, file, toolkit_headers)) return cause;
    if (auto cause = tells_apart(request, file)) return cause;
    if (auto cause = hides_from_sanitizers(request, file)) return cause;
    if (auto cause = renames_files(request, file)) return cause;
    if (auto cause = directs_the_assembler(request, file)) return cause;
  }
  // Checks for forbidden libraries before the symbols, because libraries call functions that students' code
  // may not call.
  if (auto cause = foreign_library(request, entry, toolkit_headers)) return cause;
  for (const auto rule : {redefined, called, run_by_loading}) {
    if (auto cause = rule(request, symbols)) return cause;
  }
  return std::nullopt;
}

}  // namespace warpmark::build
