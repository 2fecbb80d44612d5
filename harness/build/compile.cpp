#include "harness/build/compile.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/depfile.h"
#include "harness/build/view.h"
#include "harness/simulator/front_end/clang_flags.h"
#include "harness/simulator/front_end/fat_binary.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// Enough for what is shown of it, however much a source makes a compiler say.
constexpr std::size_t kOutputCap = std::size_t{256} * 1024;
constexpr std::uintmax_t kLeastRoom = std::uintmax_t{4} << 20;  // bytes
// What clang says at most, and the debug information's "where": a name of its own for every machine.
const Arguments kClangFlags{"-ferror-limit=20", "-fno-color-diagnostics", "-fdebug-compilation-dir=."};
// -g1: the linker names the line that misses a function.
const Arguments kNvccFlags{
    "-std=c++20",      "--extended-lambda", "-O3",        "-lineinfo",  "--shared", "-cudart",
    "shared",          "-Xcompiler",        "-fPIC",      "-Xcompiler", "-g1",      "-Xcompiler",
    "-fno-gnu-unique", "-Xlinker",          "-Bsymbolic", "-Xlinker",   "-zdefs"};

Arguments joined(std::initializer_list<Arguments> parts) {
  Arguments all;
  for (const Arguments& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Arguments define_flags(const Request& request) {
  Arguments flags;
  if (!request.value_type.empty()) flags.push_back("-DWARPMARK_VALUE=" + request.value_type);
  for (const std::string& define : request.defines) flags.push_back("-D" + define);
  return flags;
}

Arguments library_flags(const Request& request) {
  Arguments flags;
  for (const std::string& library : request.libraries) flags.push_back("-l" + library);
  return flags;
}

Arguments depfile_flags(const fs::path& file) {
  return {"-MD", "-MF", file.string(), "-MT", "library"};
}

// What a request adds to every pass of clang.
Arguments clang_request_flags(const Request& request, const Workspace& workspace) {
  return joined(
      {kClangFlags, define_flags(request), workspace.include_flags(), workspace.prefix_map_flags()});
}

class Compiler {
 public:
  // folder: for its own files, and where it runs.
  Compiler(const Toolchain& toolchain, const Settings& settings, fs::path folder, sandbox::Box box)
      : compiler_(toolchain.compiler),
        folder_(std::move(folder)),
        level_(settings.sandbox),
        box_(std::move(box)),
        limit_(settings.compile_limit),
        deadline_(sandbox::Clock::now() + settings.compile_limit) {}

  // Runs the passes side by side. The first that failed, in their order; empty when all went well.
  Result<std::optional<FailedPass>> run(const std::vector<Arguments>& passes) const {
    std::vector<sandbox::Process> running;
    for (const Arguments& arguments : passes) {
      Result<sandbox::Process> process = sandbox::Process::start(command(arguments));
      if (!process) return tl::unexpected<Error>(process.error());
      running.push_back(std::move(*process));
    }
    for (sandbox::Process& process : running) {
      sandbox::Finished finished;
      if (std::optional<sandbox::Ending> ending = process.wait_until(deadline_)) {
        finished.ending = std::move(*ending);
      } else {
        finished = {process.kill(), true};
      }
      if (const std::string why = sandbox::why_not_started(finished.ending); !why.empty()) {
        return fail(fmt::format("cannot run the compiler {}: {}", compiler_.string(), why));
      }
      const bool well = finished.ending.kind == sandbox::Ending::Kind::exited && finished.ending.code == 0;
      if (well && !finished.timed_out) continue;
      if (const Result<void> room = has_room(); !room) return tl::unexpected<Error>(room.error());
      return FailedPass{std::move(finished)};
    }
    return std::nullopt;
  }

 private:
  // A compiler that had no room for its files says nothing about the source.
  [[nodiscard]] Result<void> has_room() const {
    std::error_code error;
    const fs::space_info space = fs::space(folder_, error);
    if (error || space.available >= kLeastRoom) return {};
    return fail(
        fmt::format("cannot compile in {}: {} KiB are left on its disk; make room, or name another "
                    "folder in TMPDIR",
                    folder_.string(), space.available / 1024));
  }

  [[nodiscard]] sandbox::Command command(const Arguments& arguments) const {
    sandbox::Command command;
    command.argv = joined({{compiler_.string()}, arguments});
    command.environment = {{"PATH", compiler_.parent_path().string() + ":/usr/bin:/bin"},
                           {"TMPDIR", folder_.string()},
                           {"LC_ALL", "C"}};
    // The host compiler that a machine's owner chose for nvcc.
    if (const char* host = std::getenv("NVCC_CCBIN")) command.environment["NVCC_CCBIN"] = host;
    command.folder = folder_;
    command.output_cap = kOutputCap;
    command.level = level_;
    if (level_ == sandbox::Level::box) {
      command.box = box_;
      command.memory_cap = sandbox::memory_of_the_machine() / 2;
      command.cpu_cap = std::chrono::ceil<std::chrono::seconds>(limit_);
    }
    return command;
  }

  fs::path compiler_;
  fs::path folder_;
  sandbox::Level level_;
  sandbox::Box box_;
  std::chrono::milliseconds limit_;
  sandbox::Clock::time_point deadline_;
};

// The compiler wrote it just now, so that failing is our fault.
Result<void> add_files(const fs::path& depfile, std::vector<std::string>& files) {
  const Result<std::string> text = read_file(depfile);
  if (!text) return tl::unexpected<Error>(text.error());
  for (std::string& file : files_of_depfile(*text)) {
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return {};
}

// The assembler joins a file's name with the folder "." in front; its author knows it without.
void strip_working_folder(std::string& ptx) {
  constexpr std::string_view kDirective = "\t.file\t";
  for (std::size_t at = ptx.find(kDirective); at != std::string::npos; at = ptx.find(kDirective, at + 1)) {
    const std::size_t quote = ptx.find('"', at);
    if (quote != std::string::npos && ptx.compare(quote + 1, 2, "./") == 0) ptx.erase(quote + 1, 2);
  }
}

Result<void> pack_images(const fs::path& checking, const fs::path& counting, const fs::path& packed) {
  Result<std::string> o0 = read_file(checking);
  Result<std::string> o2 = read_file(counting);
  if (!o0 || !o2) return tl::unexpected<Error>(o0 ? o2.error() : o0.error());
  strip_working_folder(*o0);
  strip_working_folder(*o2);
  return write_file(packed, simulator::pack({*o0, *o2}));
}

Arguments rpath(const fs::path& library) {
  return {"-Xlinker", "-rpath", "-Xlinker", library.parent_path().string()};
}

Result<std::variant<Compiled, FailedPass>> compile_for_simulator(const Toolchain& toolchain,
                                                                 const Settings& settings,
                                                                 const Request& request,
                                                                 const Workspace& workspace,
                                                                 const Precompiled& precompiled) {
  using simulator::Level;
  const fs::path& folder = workspace.folder();
  const Arguments of_request = clang_request_flags(request, workspace);
  sandbox::Box box = View(toolchain, settings, request, workspace).box();
  for (const fs::path& file : {precompiled.checking, precompiled.counting, precompiled.host}) {
    if (!file.empty()) box.read_only.push_back(file);
  }
  const Compiler clang(toolchain, settings, folder, std::move(box));
  const auto device = [&](Level level, const Arguments& more, const char* image) {
    const fs::path& begin = level == Level::checking ? precompiled.checking : precompiled.counting;
    return joined({simulator::device_flags(level, begin),
                   of_request,
                   more,
                   {workspace.source(), "-o", folder / image}});
  };
  Result<std::optional<FailedPass>> refused =
      clang.run({device(Level::checking, depfile_flags(folder / "device.d"), "O0.ptx"),
                 device(Level::counting, {}, "O2.ptx")});
  if (!refused) return tl::unexpected<Error>(refused.error());
  if (*refused) return std::move(**refused);

  const Result<void> packed = pack_images(folder / "O0.ptx", folder / "O2.ptx", folder / "fat_binary");
  if (!packed) return tl::unexpected<Error>(packed.error());
  const fs::path runtime = fs::absolute(settings.simulator_library);
  refused = clang.run({joined({simulator::host_flags(folder / "fat_binary", precompiled.host),
                               of_request,
                               depfile_flags(folder / "host.d"),
                               {workspace.source(), "-o", folder / "library.so"},
                               request.output == Output::object
                                   ? Arguments{"-c"}
                                   : joined({simulator::link_flags(runtime.string()), rpath(runtime)})})});
  if (!refused) return tl::unexpected<Error>(refused.error());
  if (*refused) return std::move(**refused);

  Compiled compiled{folder / "library.so", {}};
  for (const char* depfile : {"device.d", "host.d"}) {
    const Result<void> added = add_files(folder / depfile, compiled.files);
    if (!added) return tl::unexpected<Error>(added.error());
  }
  return compiled;
}

// nvcc's own spelling of what every compiler takes.
Arguments nvcc_include_flags(const Workspace& workspace) {
  Arguments flags = workspace.include_flags();
  // It knows no -iquote; as the first of -I the folder means the same for quoted includes.
  std::ranges::replace(flags, std::string("-iquote"), std::string("-I"));
  return flags;
}

Arguments nvcc_prefix_map_flags(const Workspace& workspace) {
  Arguments flags;
  Arguments maps = workspace.prefix_map_flags();
  // The names in debug information stand in the folder where the compiler ran.
  maps.push_back(fmt::format("-fdebug-prefix-map={}=.", workspace.folder().string()));
  for (const std::string& flag : maps) {
    // nvcc splits at commas and hands the rest to a shell; a name in __FILE__ is not worth that.
    if (flag.find_first_of(" ,\"'\\$`\n;&|<>(){}*?!#~") == std::string::npos) {
      flags.insert(flags.end(), {"-Xcompiler", flag});
    }
  }
  return flags;
}

Arguments cudart_rpath(const fs::path& nvcc) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(nvcc.parent_path() / "../lib64", error);
  return fs::is_directory(folder, error) ? Arguments{"-Xlinker", "-rpath=" + folder.string()} : Arguments{};
}

Result<std::variant<Compiled, FailedPass>> compile_for_gpu(const Toolchain& toolchain,
                                                           const Settings& settings, const Request& request,
                                                           const Workspace& workspace) {
  const fs::path& folder = workspace.folder();
  const Compiler nvcc(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  Result<std::optional<FailedPass>> refused =
      nvcc.run({joined({{"-arch=" + settings.gpu_architecture},
                        kNvccFlags,
                        define_flags(request),
                        nvcc_include_flags(workspace),
                        nvcc_prefix_map_flags(workspace),
                        cudart_rpath(toolchain.compiler),
                        depfile_flags(folder / "library.d"),
                        {workspace.source(), "-o", folder / "library.so"},
                        library_flags(request)})});
  if (!refused) return tl::unexpected<Error>(refused.error());
  if (*refused) return std::move(**refused);
  Compiled compiled{folder / "library.so", {}};
  const Result<void> added = add_files(folder / "library.d", compiled.files);
  if (!added) return tl::unexpected<Error>(added.error());
  return compiled;
}

}  // namespace

Arguments fixed_flags(Engine engine) {
  if (engine == Engine::gpu) return kNvccFlags;
  return joined({simulator::device_flags(simulator::Level::checking),
                 simulator::device_flags(simulator::Level::counting), simulator::host_flags(""),
                 simulator::link_flags(""), simulator::precompile_flags(), kClangFlags});
}

Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<fs::path>& objects, const fs::path& program,
                                               const fs::path& folder) {
  const fs::path runtime = fs::absolute(settings.simulator_library);
  Arguments arguments(objects.begin(), objects.end());
  std::vector<fs::path> files = objects;
  files.push_back(runtime);
  return Compiler(toolchain, settings, folder,
                  linker_box(toolchain, files, {folder, fs::absolute(program).parent_path()}))
      .run({joined({arguments, {runtime.string(), "-o", program.string()}, rpath(runtime)})});
}

Result<std::variant<Compiled, FailedPass>> compile(const Toolchain& toolchain, const Settings& settings,
                                                   const Request& request, const Workspace& workspace,
                                                   const Precompiled& precompiled) {
  return toolchain.engine == Engine::gpu
             ? compile_for_gpu(toolchain, settings, request, workspace)
             : compile_for_simulator(toolchain, settings, request, workspace, precompiled);
}

Result<std::variant<Compiled, FailedPass>> precompile(const Toolchain& toolchain, const Settings& settings,
                                                      const Request& request, const Workspace& workspace,
                                                      fs::path Precompiled::*pass) {
  using simulator::Level;
  const fs::path& folder = workspace.folder();
  Arguments flags = simulator::host_flags("/dev/null");  // no code is made, so none is embedded
  if (pass == &Precompiled::checking) flags = simulator::device_flags(Level::checking);
  if (pass == &Precompiled::counting) flags = simulator::device_flags(Level::counting);
  const Compiler clang(toolchain, settings, folder, View(toolchain, settings, request, workspace).box());
  const Result<std::optional<FailedPass>> refused =
      clang.run({joined({flags,
                         clang_request_flags(request, workspace),
                         simulator::precompile_flags(),
                         depfile_flags(folder / "headers.d"),
                         {workspace.source(), "-o", folder / "headers.pch"}})});
  if (!refused) return tl::unexpected<Error>(refused.error());
  if (*refused) return std::move(**refused);
  Compiled compiled{folder / "headers.pch", {}};
  const Result<void> added = add_files(folder / "headers.d", compiled.files);
  if (!added) return tl::unexpected<Error>(added.error());
  return compiled;
}

}  // namespace warpmark::build
