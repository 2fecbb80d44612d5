#include "harness/nvcc/driver.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/build/cache.h"
#include "harness/build/clang_flags.h"
#include "harness/build/compile.h"
#include "harness/build/device_variables.h"
#include "harness/build/not_simulated.h"
#include "harness/build/quoted_includes.h"
#include "harness/nvcc/stand_in.h"
#include "harness/program_analysis/simulation.h"
#include "harness/sandbox/process.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::nvcc {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kRefused = 1;
constexpr int kBroken = 2;

// The answers of a compiler of CUDA 13.0, whose headers the simulator has.
constexpr std::string_view kVersion =
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "Warpmark's stand-in for it: programs run on a simulator, without a GPU\n"
    "Built on Wed_Aug_20_01:58:59_PM_PDT_2025\n"
    "Cuda compilation tools, release 13.0, V13.0.88\n"
    "Build cuda_13.0.r13.0/compiler.36424714_0\n";
constexpr std::array kArchitectures{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

// Libraries of the toolkit that need no file: the simulator's runtime and headers hold what they define.
constexpr auto kBuiltIn = std::to_array<std::string_view>(
    {"cudart",        "cudart_static",   "cudadevrt",       "cuda",      "cublas",
     "cublas_static", "cublasLt",        "cublasLt_static", "cufft",     "cufft_static",
     "cufftw",        "curand",          "curand_static",   "cusolver",  "cusolver_static",
     "cusparse",      "cusparse_static", "culibos",         "nvidia-ml", "nvToolsExt",
     "nvrtc"});

Words joined(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

int refuse(std::string_view message) {
  fmt::print(stderr, "nvcc fatal   : {}\n", message);
  return kRefused;
}

int break_off(const Error& error) {
  fmt::print(stderr, "nvcc fatal   : {}\nThis is a fault of Warpmark or of this machine.\n", error.message);
  return kBroken;
}

enum class Kind { cuda, c, cpp, linked };

Kind kind_of(const CommandLine& line, const std::string& input) {
  if (line.language == "cu") return Kind::cuda;
  if (line.language == "c") return Kind::c;
  if (line.language == "c++") return Kind::cpp;
  const std::string extension = fs::path(input).extension();
  if (extension == ".cu") return Kind::cuda;
  constexpr auto kCpp = std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".C", ".c++"});
  const bool is_c = extension == ".c";
  if (!is_c && std::ranges::find(kCpp, extension) == kCpp.end()) return Kind::linked;
  const Result<std::string> text = read_file(input);
  if (text && build::needs_cuda_compiler(*text)) return Kind::cuda;
  return is_c ? Kind::c : Kind::cpp;
}

bool is_for_linking(const std::string& flag) {
  return flag == "-pthread" || flag == "-pg" || flag.starts_with("-fopenmp") || flag.starts_with("-Wl,") ||
         flag.starts_with("-fsanitize") || flag.starts_with("-static");
}

class Driver {
 public:
  Driver(const Place& place, CommandLine line) : place_(place), line_(std::move(line)) {}

  int run() {
    if (line_.phase == Phase::version) return said(kVersion);
    if (line_.phase == Phase::help)
      return said("Usage: nvcc [options] <inputfile>; the manual: warpmark nvcc --help\n");
    if (line_.phase == Phase::architectures) return list_architectures();
    if (line_.verbose || line_.dry) trace_variables();
    if (line_.inputs.empty())
      return refuse("No input files specified; use option --help for more information");
    const bool to_one_file = line_.phase == Phase::object || makes_device_code();
    if (to_one_file && !line_.output.empty() && line_.inputs.size() > 1)
      return refuse("A single input file is required for a non-link phase when an outputfile is specified");
    for (const std::string& input : line_.inputs) {
      std::error_code error;
      if (!fs::exists(input, error)) return refuse(fmt::format("Could not open input file '{}'", input));
      if (fs::is_directory(input, error)) return refuse(fmt::format("'{}' is a folder", input));
    }
    if (auto found = build::find_toolchain(Engine::simulator)) {
      toolchain_ = std::move(*found);
    } else {
      return break_off(found.error());
    }
    switch (line_.phase) {
      case Phase::object:
      case Phase::ptx:
      case Phase::fat_binary:
        return each_input([&](const std::string& input) { return compile(input, output_of(input)); });
      case Phase::preprocess:
      case Phase::dependencies:
        return each_input([&](const std::string& input) { return preprocess(input); });
      case Phase::device_link:
        return execute({toolchain_.compiler, "-x", "c", "-c", "/dev/null", "-o", named("a_dlink.o")});
      case Phase::archive:
        return archive();
      default:
        return program();
    }
  }

 private:
  static int said(std::string_view text) {
    fmt::print("{}", text);
    return 0;
  }
  static int list_architectures() {
    for (const int number : kArchitectures) fmt::print("compute_{}\n", number);
    return 0;
  }

  // Prints what tools such as CMake read in the output of -v and --dryrun.
  void trace_variables() const {
    const std::string top = place_.toolkit.string();
    fmt::print(
        stderr,
        "#$ _NVVM_BRANCH_=nvvm\n#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_={0}/bin\n#$ TOP={0}\n"
        "#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n#$ PATH={0}/bin:/usr/bin:/bin\n"
        "#$ INCLUDES=\"-I{0}/include\"\n#$ LIBRARIES=\"-L{0}/lib64\"\n#$ CUDAFE_FLAGS=\n#$ PTXAS_FLAGS=\n",
        top);
    if (!line_.inputs.empty()) fmt::print(stderr, "#$ cicc -arch compute_75 {}\n", line_.inputs.front());
  }

  template <class Each>
  int each_input(Each each) {
    for (const std::string& input : line_.inputs) {
      if (kind_of(line_, input) == Kind::linked) continue;
      if (const int status = each(input); status != 0) return status;
    }
    return 0;
  }

  [[nodiscard]] std::string named(const char* otherwise) const {
    return line_.output.empty() ? (fs::path(line_.output_folder) / otherwise).string() : line_.output;
  }
  [[nodiscard]] std::string output_of(const std::string& input) const {
    const char* extension = line_.phase == Phase::ptx          ? ".ptx"
                            : line_.phase == Phase::fat_binary ? ".fatbin"
                                                               : ".o";
    return named((fs::path(input).stem().string() + extension).c_str());
  }

  // Runs a command with this process's input and output. Returns its exit status.
  int execute(Words command) const {
    if (line_.verbose || line_.dry) fmt::print(stderr, "#$ {}\n", fmt::join(command, " "));
    if (line_.dry) return 0;
    std::vector<char*> pointers;
    for (std::string& word : command) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ);
    if (error != 0) return refuse(fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // The compiler of host code: that of -ccbin, else g++, else the simulator's clang.
  [[nodiscard]] std::string host_compiler() const {
    std::error_code error;
    const fs::path named = line_.host_compiler;
    if (!named.empty()) return (fs::is_directory(named, error) ? named / "g++" : named).string();
    const auto found = sandbox::find_program("g++");
    return found ? found->string() : toolchain_.compiler.string();
  }

  [[nodiscard]] Words include_flags() const {
    Words flags;
    for (const std::string& folder : line_.include_folders) flags.insert(flags.end(), {"-I", folder});
    flags.insert(flags.end(), {"-isystem", place_.build.simulator_include.string(), "-idirafter",
                               place_.samples.string()});
    return flags;
  }
  [[nodiscard]] Words define_flags() const {
    Words flags;
    for (const std::string& define : line_.defines) flags.push_back("-D" + define);
    return flags;
  }
  [[nodiscard]] Words standard_flags(Kind kind) const {
    if (line_.standard.empty() || kind == Kind::c) return {};
    return {"-std=" + line_.standard};
  }

  // Returns the flags of the host's compiler that clang takes for all passes of a .cu file. Others name the
  // host's machine, optimisation or debug information, which the simulator chooses itself.
  [[nodiscard]] Words flags_of_all_passes() const {
    constexpr auto kKept =
        std::to_array<std::string_view>({"-ffp-contract=", "-fno-exceptions", "-fno-rtti",
                                         "-ftemplate-depth=", "-W", "-w", "-U", "-D", "-I"});
    Words flags;
    for (std::size_t i = 0; i < line_.host_flags.size(); ++i) {
      const std::string& flag = line_.host_flags[i];
      if ((flag == "-include" || flag == "-isystem") && i + 1 < line_.host_flags.size()) {
        const std::string& value = line_.host_flags[++i];
        std::error_code error;
        flags.insert(flags.end(), {flag, fs::exists(value, error) ? fs::absolute(value).string() : value});
      } else if (!flag.starts_with("-Wl,") && !flag.starts_with("-Werror") &&
                 std::ranges::any_of(kKept, [&](auto kept) { return flag.starts_with(kept); })) {
        const bool is_folder = flag.starts_with("-I") && flag.size() > 2;
        flags.push_back(is_folder ? "-I" + fs::absolute(flag.substr(2)).string() : flag);
      }
    }
    const Words standard = standard_flags(Kind::cuda);
    // clang 14 compiles the simulator's headers as C++17 and newer; code for an older standard is code for
    // them.
    const bool old = line_.standard == "c++03" || line_.standard == "c++11" || line_.standard == "c++14";
    if (old) flags.emplace_back("-std=c++17");
    if (!old) flags.insert(flags.end(), standard.begin(), standard.end());
    return flags;
  }

  // Returns the folders of a variable that the host's compilers read, without those of the stand-in.
  [[nodiscard]] std::vector<fs::path> folders_in(const char* variable) const {
    const char* const value = std::getenv(variable);
    std::istringstream list(value == nullptr ? "" : value);
    std::vector<fs::path> folders;
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty() && !folder.starts_with(place_.toolkit.string()))
        folders.push_back(fs::absolute(folder));
    return folders;
  }

  // Adds the folders of MPI's headers, which mpicxx knows, for -ccbin mpicxx and for files that nvcc alone
  // compiles.
  static void add_mpi(build::Request& request) {
    const auto mpicxx = sandbox::find_program("mpicxx");
    if (!mpicxx) return;
    sandbox::Command command;
    command.argv = {mpicxx->string(), "--showme:incdirs"};
    command.environment = {{"PATH", "/usr/bin:/bin"}};
    const auto told = sandbox::run(command, std::chrono::seconds(20));
    if (!told || told->ending.code != 0) return;
    std::istringstream folders(told->ending.output);
    for (std::string folder; folders >> folder;) request.include_folders.emplace_back(folder);
  }

  [[nodiscard]] build::Request request_for(const std::string& input) const {
    build::Request request;
    request.source = fs::absolute(input);
    request.display_name = input;
    request.output = build::Output::object;
    request.trusted = true;
    for (const std::string& folder : line_.include_folders)
      request.include_folders.push_back(fs::absolute(folder));
    request.defines = line_.defines;
    if (line_.relocatable) request.defines.emplace_back("WARPMARK_ONE_OF_SEVERAL_FILES");
    if (line_.own_default_streams) request.defines.emplace_back("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    request.flags = flags_of_all_passes();
    for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"})
      for (const fs::path& folder : folders_in(variable))
        request.flags.insert(request.flags.end(), {"-isystem", folder.string()});
    request.flags.insert(request.flags.end(), {"-idirafter", place_.samples.string()});
    std::set<fs::path> seen;
    if (needs_mpi(request.source.lexically_normal(), seen)) add_mpi(request);
    return request;
  }

  // Returns true if the file, or a header that it includes by "name", includes mpi.h.
  bool needs_mpi(const fs::path& file, std::set<fs::path>& seen) const {
    if (!seen.insert(file).second) return false;
    const Result<std::string> text = read_file(file);
    if (!text) return false;
    if (text->find("<mpi.h>") != std::string::npos) return true;
    return std::ranges::any_of(build::quoted_includes(*text), [&](const std::string& name) {
      if (name == "mpi.h") return true;
      std::vector<fs::path> folders{file.parent_path()};
      for (const std::string& folder : line_.include_folders) folders.push_back(fs::absolute(folder));
      return std::ranges::any_of(folders, [&](const fs::path& folder) {
        std::error_code error;
        const fs::path header = (folder / name).lexically_normal();
        return fs::is_regular_file(header, error) && needs_mpi(header, seen);
      });
    });
  }

  int compile(const std::string& input, const std::string& output) {
    const Kind kind = kind_of(line_, input);
    if (line_.dependencies_too) {
      const std::string file = line_.dependency_file.empty()
                                   ? fs::path(output).replace_extension(".d").string()
                                   : line_.dependency_file;
      if (const int status = write_dependencies(input, output, file); status != 0) return status;
    }
    if (kind == Kind::cuda) return compile_cuda(input, output);
    if (makes_device_code()) return refuse(fmt::format("'{}' has no device code", input));
    const Words language = line_.language.empty() ? Words{} : Words{"-x", kind == Kind::c ? "c" : "c++"};
    return execute(joined({{host_compiler()},
                           standard_flags(kind),
                           line_.host_flags,
                           define_flags(),
                           include_flags(),
                           language,
                           {"-c", input, "-o", output}}));
  }

  int compile_cuda(const std::string& input, const std::string& output) {
    if (line_.verbose || line_.dry)
      fmt::print(stderr, "#$ {} -x cuda -c {} -o {}\n", toolchain_.compiler.string(), input, output);
    if (line_.dry) return 0;
    if (!builder_) builder_.emplace(toolchain_, place_.build);
    const Result<build::Built> built = builder_->build(request_for(input));
    if (!built) return break_off(built.error());
    if (!built->causes.empty()) {
      const program_analysis::Unusable unusable{built->causes, {}};
      fmt::print(stderr, "{}", program_analysis::to_text(unusable, {}));
      return kRefused;
    }
    if (!line_.quiet) fmt::print(stderr, "{}", build::warnings_of(built->library));
    if (makes_device_code()) return write_device_code(built->library, output);
    std::error_code error;
    fs::copy_file(built->library, output, fs::copy_options::overwrite_existing, error);
    if (error) return refuse(fmt::format("cannot write {}: {}", output, error.message()));
    if (!line_.relocatable) return 0;
    const Result<void> exported = build::export_device_variables(output);
    return exported ? 0 : break_off(exported.error());
  }

  [[nodiscard]] bool makes_device_code() const {
    return line_.phase == Phase::ptx || line_.phase == Phase::fat_binary;
  }

  [[nodiscard]] int write_device_code(const fs::path& object, const std::string& output) const {
    const Result<std::string> bytes = read_own_file(object);
    if (!bytes) return break_off(bytes.error());
    const std::size_t at = bytes->find(simulator::kFatBinaryMagic);
    const auto images =
        at == std::string::npos ? std::nullopt : simulator::unpack(std::string_view(*bytes).substr(at));
    std::string code = images ? images->counting : "";
    // Programs pass the file's bytes to cuModuleLoadData, without their number: a zero byte ends them.
    if (line_.phase == Phase::fat_binary)
      code = simulator::pack(images.value_or(simulator::FatBinary())) + '\0';
    const Result<void> written = write_file(output, code);
    return written ? 0 : refuse(written.error().message);
  }

  // Returns the command that runs the preprocessor of an input's host pass.
  [[nodiscard]] Words preprocessor(const std::string& input) const {
    const Kind kind = kind_of(line_, input);
    if (kind != Kind::cuda)
      return joined({{host_compiler()},
                     standard_flags(kind),
                     line_.host_flags,
                     define_flags(),
                     include_flags(),
                     {input}});
    return joined({{toolchain_.compiler, "--cuda-host-only"},
                   simulator::common_flags(),
                   build::program_flags(),
                   simulator::preamble_flags({}),
                   define_flags(),
                   flags_of_all_passes(),
                   include_flags(),
                   {input}});
  }

  int preprocess(const std::string& input) {
    Words command = preprocessor(input);
    const std::string file = line_.output.empty() ? line_.dependency_file : line_.output;
    if (!file.empty()) command.insert(command.end(), {"-o", file});
    if (line_.phase == Phase::preprocess) {
      command.emplace_back("-E");
      return execute(std::move(command));
    }
    command.emplace_back(line_.system_headers ? "-M" : "-MM");
    command.insert(command.end(), line_.dependency_flags.begin(), line_.dependency_flags.end());
    return execute(std::move(command));
  }

  int write_dependencies(const std::string& input, const std::string& output, const std::string& file) {
    Words command = preprocessor(input);
    command.insert(command.end(), {line_.system_headers ? "-M" : "-MM", "-MF", file});
    command.insert(command.end(), line_.dependency_flags.begin(), line_.dependency_flags.end());
    const auto names_target = [](const std::string& flag) { return flag == "-MT" || flag == "-MQ"; };
    if (std::ranges::none_of(line_.dependency_flags, names_target))
      command.insert(command.end(), {"-MT", output});
    return execute(std::move(command));
  }

  // Compiles all sources into a folder. Returns the objects, with the other inputs in their places, or the
  // exit status.
  tl::expected<Words, int> objects_in(const fs::path& folder) {
    Words objects;
    for (const std::string& input : line_.inputs) {
      if (kind_of(line_, input) == Kind::linked) {
        objects.push_back(input);
        continue;
      }
      objects.push_back(folder / fmt::format("{}_{}.o", objects.size(), fs::path(input).stem().string()));
      if (const int status = compile(input, objects.back()); status != 0) return tl::unexpected(status);
    }
    return objects;
  }

  int archive() {
    const TemporaryFolder folder;
    const auto objects = objects_in(folder.path());
    if (!objects) return objects.error();
    return execute(joined({{"ar", "rcs", named("a.a")}, *objects}));
  }

  int program() {
    // Meson tests its compiler with `nvcc --run PROGRAM`.
    if (line_.run && line_.inputs.size() == 1 && ::access(line_.inputs.front().c_str(), X_OK) == 0)
      return execute(joined({{fs::absolute(line_.inputs.front()).string()}, line_.run_arguments}));
    const TemporaryFolder folder;
    const auto objects = objects_in(folder.path());
    if (!objects) return objects.error();
    const std::string output = named(line_.shared ? "a.so" : "a.out");
    Words command{line_.host_compiler.empty() ? toolchain_.compiler.string() : host_compiler(), "-o", output};
    if (line_.shared) command.emplace_back("-shared");
    std::ranges::copy_if(line_.host_flags, std::back_inserter(command), is_for_linking);
    command.insert(command.end(), objects->begin(), objects->end());
    const fs::path openmp = openmp_of(toolchain_.compiler);
    std::ranges::copy_if(line_.link_flags, std::back_inserter(command), [&](const std::string& flag) {
      // clang's OpenMP is g++'s, too; with both of them in a program there is one thread.
      if (flag == "-lgomp") return openmp.empty();
      return !flag.starts_with("-l") || std::ranges::find(kBuiltIn, flag.substr(2)) == kBuiltIn.end();
    });
    if (!openmp.empty())
      command.insert(command.end(), {"-Wl,--push-state,--as-needed", openmp.string(), "-Wl,--pop-state",
                                     "-Wl,-rpath," + openmp.parent_path().string()});
    if (!line_.without_runtime)
      command.insert(command.end(), {place_.start.string(), place_.build.simulator_library.string(),
                                     "-Wl,-rpath," + place_.build.simulator_library.parent_path().string()});
    // CMake finds the linker and its libraries in this line.
    if (line_.verbose || line_.dry) {
      command.push_back(fmt::format("-L{}/lib64", place_.toolkit.string()));
      std::string shown = fmt::format("{}", fmt::join(command, " "));
      shown.insert(shown.rfind("-L"), "\"");
      fmt::print(stderr, "#$ {}\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n", shown);
    }
    if (line_.dry) return 0;
    const bool verbose = std::exchange(line_.verbose, false);
    const int status = execute(std::move(command));
    line_.verbose = verbose;
    if (status != 0 || !line_.run) return status;
    return execute(joined({{fs::absolute(output).string()}, line_.run_arguments}));
  }

  const Place& place_;
  CommandLine line_;
  build::Toolchain toolchain_;
  std::optional<build::Builder> builder_;
};

}  // namespace

int nvcc(const Place& place, const std::vector<std::string>& arguments) {
  Result<CommandLine> line = read_command_line(arguments);
  if (!line) return refuse(line.error().message);
  return Driver(place, std::move(*line)).run();
}

}  // namespace warpmark::nvcc
