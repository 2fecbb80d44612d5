#include "harness/build/builder.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/cache.h"
#include "harness/build/compile.h"
#include "harness/build/compile_gpu.h"
#include "harness/build/device_variables.h"
#include "harness/build/explain.h"
#include "harness/build/exports.h"
#include "harness/build/integrity.h"
#include "harness/build/nvcc_spelling.h"
#include "harness/build/precompiled.h"
#include "harness/build/program_warnings.h"
#include "harness/build/shared.h"
#include "harness/build/source_rules.h"
#include "harness/build/view.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

namespace {

using Clock = std::chrono::steady_clock;

// Result of a build: the cached library, or the error to show to the student.
using Outcome = std::variant<Entry, Cause>;

Cause unreadable(const Request& request, const Error& error) {
  Cause cause;
  cause.kind = CauseKind::compile_error;
  cause.file = request.display_name;
  cause.type = request.value_type;
  cause.message = error.message;
  return cause;
}

// Speed-ups that one build may use: precompiled headers, a direct linker and a running compile server.
// Headers are not precompiled if the request has -D flags, which may change their meaning, or names the
// language's standard.
struct Help {
  Quick quick;
  std::shared_ptr<const Workshop> workshop;
};

// Help for a GPU's library that is built in two halves.
Help help_for_halves(const Settings& settings, const Request& request, std::string_view source,
                     Shared& shared) {
  Help help;
  if (!shared.host_half || !may_be_halved(request) || !library_headers(request, source).empty()) return help;
  help.quick.headers = shared.of_simulator->headers.get();
  help.quick.linker = shared.linker.get();
  help.quick.host_half = shared.host_half;
  help.workshop =
      shared.of_simulator->servers.of(request, shared.host_half->clang, settings, help.quick.headers);
  if (help.workshop->server) help.quick.server = &*help.workshop->server;
  help.quick.host_half->folder = help.workshop->folder.path();
  return help;
}

Help help_for(const Toolchain& toolchain, const Settings& settings, const Request& request,
              std::string_view source, Shared& shared) {
  Help help;
  if (toolchain.engine == Engine::gpu) return help_for_halves(settings, request, source, shared);
  if (toolchain.engine != Engine::simulator) return help;
  const bool standard =
      std::ranges::any_of(request.flags, [](const std::string& flag) { return flag.starts_with("-std="); });
  if (request.defines.empty() && !standard)
    help.quick.headers = shared.headers.get(library_headers(request, source));
  help.quick.linker = shared.linker.get();
  help.workshop = shared.servers.of(request, toolchain, settings, help.quick.headers);
  if (help.workshop->server) help.quick.server = &*help.workshop->server;
  return help;
}

// If clang rejected the source, rewrites nvcc's extensions in clang's syntax (nvcc_spelling.h) and compiles
// again. Repeats this once for variable-length arrays, which clang only reports once all other errors are
// gone.
Result<void> compile_in_clangs_spelling(const Toolchain& toolchain, const Settings& settings,
                                        const Request& request, Workspace& workspace,
                                        Result<Compilation>& compiled) {
  ArrayLines known;
  for (int tries = 0; tries < 2; ++tries) {
    const auto* refused = compiled ? std::get_if<FailedPass>(&*compiled) : nullptr;
    if (refused == nullptr) return {};
    const ArrayLines before = known;
    for (const auto& [file, lines] : lines_of_variable_arrays(refused->finished.ending.output))
      known[file].insert(lines.begin(), lines.end());
    if (tries > 0 && known == before) return {};
    const auto overlay = overlay_in_clangs_spelling(workspace, known);
    if (!overlay) return tl::unexpected<Error>(overlay.error());
    if (!*overlay) return {};
    workspace.lay_over(**overlay);
    compiled = compile(toolchain, settings, request, workspace, {});
  }
  return {};
}

bool is_program(const Request& request) {
  return request.output == Output::object && !request.is_c;
}

// Compiles a program again as C++17, nvcc's default: for example, `requires` is a valid variable name there.
// If that fails too, returns the original error.
Result<Compilation> compile_as_older_program(const Toolchain& toolchain, const Settings& settings,
                                             const Request& request, const Workspace& workspace,
                                             Compilation refused) {
  if (std::get<FailedPass>(refused).finished.timed_out) return refused;
  Request older = request;
  older.flags.emplace_back("-std=c++17");
  Result<Compilation> again = compile(toolchain, settings, older, workspace, {});
  if (!again || std::holds_alternative<Compiled>(*again)) return again;
  return refused;
}

// Returns a cause if the build made a file that is larger than those that the judge reads: a library, or a
// file of device code.
std::optional<Cause> oversized(const Request& request, const Workspace& workspace) {
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(workspace.folder(), error)) {
    const auto bytes = file.is_regular_file(error) ? file.file_size(error) : 0;
    if (error || bytes <= kLargestFile) continue;
    return refused(CauseKind::compile_error, request,
                   fmt::format("{} becomes {} MiB of code and data; a version has at most {}: allocate large "
                               "arrays when it runs, "
                               "and instantiate fewer templates",
                               request.display_name, bytes >> 20, kLargestFile >> 20));
  }
  return std::nullopt;
}

Result<Outcome> compile_and_store(const Toolchain& toolchain, Settings settings, const Request& request,
                                  const Cache& cache, const Help& help) {
  if (request.limit) settings.compile_limit = *request.limit;
  const Clock::time_point end = Clock::now() + settings.compile_limit;
  // Returns the settings of another attempt, which has the time that is left.
  const auto once_more = [&] {
    Settings left = settings;
    left.compile_limit = std::max(std::chrono::milliseconds(1'000),
                                  std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()));
    return left;
  };
  // A compile server writes nowhere but in its folder, and nvcc's files are not for it to change.
  const bool served = help.workshop && toolchain.engine == Engine::simulator;
  Workspace workspace(request, settings, toolchain.engine,
                      served ? help.workshop->folder.path() : std::filesystem::path());
  Result<Compilation> compiled = compile(toolchain, settings, request, workspace, help.quick);
  // Compiles a rejected source again without precompiled headers and compile server before reporting the
  // error: clang 14 rejects some valid sources with precompiled headers, and another run may have crashed the
  // compile server.
  const auto* refused_quickly =
      compiled && help.quick.any() && !help.quick.host_half ? std::get_if<FailedPass>(&*compiled) : nullptr;
  if (refused_quickly != nullptr && !refused_quickly->finished.timed_out && !request.quick)
    compiled = compile(toolchain, once_more(), request, workspace, {});
  if (toolchain.engine == Engine::simulator && !request.quick) {
    const Result<void> tried =
        compile_in_clangs_spelling(toolchain, once_more(), request, workspace, compiled);
    if (!tried) return tl::unexpected<Error>(tried.error());
  }
  const bool newer = toolchain.engine != Engine::gpu;  // nvcc compiles a program as C++17 at first
  if (newer && compiled && std::holds_alternative<FailedPass>(*compiled) && is_program(request))
    compiled = compile_as_older_program(toolchain, once_more(), request, workspace, std::move(*compiled));
  const bool built = compiled && std::holds_alternative<Compiled>(*compiled);
  if (std::optional<Cause> cause = built || !compiled ? oversized(request, workspace) : std::nullopt)
    return std::move(*cause);
  if (!compiled) return tl::unexpected<Error>(compiled.error());
  if (const auto* refused = std::get_if<FailedPass>(&*compiled)) {
    return refused_cause(*refused, request, workspace, toolchain.engine, settings.compile_limit);
  }
  const Compiled& read = std::get<Compiled>(*compiled);
  if (const auto foreign = View(toolchain, settings, request, workspace).foreign(read.files);
      foreign && !request.trusted) {
    return foreign_file_cause(*foreign, request, workspace);
  }
  if (auto cause = not_to_be_checked(read.files, request, workspace)) return std::move(*cause);
  Result<Entry> entry = cache.store(std::get<Compiled>(*compiled), workspace);
  if (!entry) return tl::unexpected<Error>(entry.error());
  return std::move(*entry);
}

// Checks that the cached library defines the functions that the build request names and breaks no rule for
// submissions, and stores the library or the error in `built`.
Result<void> use(const Entry& entry, const Request& request, const Settings& settings, Built& built) {
  if (request.output == Output::object) {
    built.library = entry.library;
    built.uses_thrust = entry.uses_thrust;
    return {};
  }
  const Result<Symbols> symbols = symbols_of(entry.library);
  if (!symbols) return tl::unexpected<Error>(symbols.error());
  std::optional<Cause> cause = missing_function_cause(request, symbols->exported);
  if (!cause) cause = broken_rule(request, entry, *symbols, settings.simulator_include);
  if (cause) {
    built.causes.push_back(std::move(*cause));
    return {};
  }
  built.library = entry.library;
  built.uses_thrust = entry.uses_thrust;
  return {};
}

}  // namespace

Builder::Builder(Toolchain toolchain, Settings settings, const Builder* for_simulator)
    : toolchain_(std::move(toolchain)),
      settings_(std::move(settings)),
      shared_(std::make_shared<Shared>(toolchain_, settings_)) {
  if (toolchain_.engine != Engine::gpu || for_simulator == nullptr) return;
  std::error_code error;
  Settings for_gpu = settings_;
  for_gpu.simulator_library =
      std::filesystem::canonical(toolchain_.compiler.parent_path() / "../lib64/libcudart.so", error);
  if (error) return;
  shared_ = std::make_shared<Shared>(for_simulator->toolchain_, for_gpu);
  shared_->host_half = HostHalf{for_simulator->toolchain_, for_gpu, {}};
  shared_->of_simulator = for_simulator->shared_;
}

Result<Built> Builder::build_program(std::vector<Request> requests,
                                     const std::filesystem::path& program) const try {
  const Clock::time_point start = Clock::now();
  Built all;
  all.from_cache = true;
  std::vector<std::filesystem::path> objects;
  std::string warnings;
  const bool several = requests.size() > 1;
  for (Request& request : requests) {
    request.output = Output::object;
    if (several) request.defines.emplace_back("WARPMARK_ONE_OF_SEVERAL_FILES");
    Result<Built> built = build(request);
    if (!built || !built->causes.empty()) return built;
    objects.push_back(built->library);
    warnings += warnings_of(built->library);
    all.uses_thrust = all.uses_thrust || built->uses_thrust;
    all.from_cache = all.from_cache && built->from_cache;
  }
  const TemporaryFolder folder;
  if (several && toolchain_.engine == Engine::simulator) {
    Result<std::vector<std::filesystem::path>> shared = with_shared_variables(objects, folder.path());
    if (!shared) return tl::unexpected<Error>(shared.error());
    objects = std::move(*shared);
  }
  const Result<std::optional<FailedPass>> refused =
      link_program(toolchain_, settings_, objects, program, folder.path());
  if (!refused) return tl::unexpected<Error>(refused.error());
  if (*refused) {
    all.causes.push_back(unlinked_cause(**refused, requests));
  } else {
    all.library = program;
    const Result<void> written = write_file(warnings_beside(program), warnings);
    if (!written) return tl::unexpected<Error>(written.error());
  }
  all.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return all;
} catch (const std::system_error& error) {
  return fail(fmt::format("cannot build {}: {}", program.string(), error.what()));
}

Result<Built> Builder::build(const Request& request) const try {
  const Clock::time_point start = Clock::now();
  Built built;
  const auto finish = [&]() -> Built&& {
    built.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(built);
  };
  const Result<std::string> source = read_file(request.source);
  if (!source) {
    built.causes.push_back(unreadable(request, source.error()));
    return finish();
  }

  const Cache cache(settings_.cache, cache_key(toolchain_, settings_, request, *source),
                    include_folders(request, settings_, toolchain_.engine));
  std::optional<Entry> entry = cache.find();
  built.from_cache = entry.has_value();
  if (!entry) {
    Result<Outcome> outcome = compile_and_store(toolchain_, settings_, request, cache,
                                                help_for(toolchain_, settings_, request, *source, *shared_));
    if (!outcome) return tl::unexpected<Error>(outcome.error());
    if (auto* cause = std::get_if<Cause>(&*outcome)) {
      built.causes.push_back(std::move(*cause));
      return finish();
    }
    entry = std::get<Entry>(std::move(*outcome));
  }
  const Result<void> used = use(*entry, request, settings_, built);
  if (!used) return tl::unexpected<Error>(used.error());
  return finish();
} catch (const std::system_error& error) {
  // Also catches filesystem_error, which derives from system_error.
  return fail(fmt::format("cannot build {}: {}", request.display_name, error.what()));
}

}  // namespace warpmark::build
