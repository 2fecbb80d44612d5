#include "harness/build/compiler.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

// Limit on the compiler output that is kept; far more than a report shows.
constexpr std::size_t kOutputCap = std::size_t{256} * 1024;
// Less free disk space, in bytes, counts as a full disk.
constexpr std::uintmax_t kLeastRoom = std::uintmax_t{4} << 20;

}  // namespace

Compiler::Compiler(const Toolchain& toolchain, const Settings& settings, fs::path folder, sandbox::Box box,
                   const CompileServer* server)
    : compiler_(toolchain.compiler),
      folder_(std::move(folder)),
      level_(settings.sandbox),
      box_(std::move(box)),
      limit_(settings.compile_limit),
      deadline_(sandbox::Clock::now() + settings.compile_limit),
      server_(server) {}

Result<CompileServer> Compiler::start_server(const fs::path& preloaded) const {
  std::error_code error;
  const fs::path program = fs::canonical(compiler_, error);
  if (error) return fail(fmt::format("{}: {}", compiler_.string(), error.message()));
  sandbox::Command start = command({});
  start.box.read_only.push_back(preloaded);
  return CompileServer::start(program, preloaded, std::move(start));
}

Result<std::optional<FailedPass>> Compiler::run(const std::vector<Arguments>& passes,
                                                std::string* said) const {
  std::vector<Arguments> commands;
  for (const Arguments& arguments : passes) {
    commands.push_back({compiler_.string()});
    commands.back().insert(commands.back().end(), arguments.begin(), arguments.end());
  }
  return run_all(commands, said);
}

Result<std::optional<FailedPass>> Compiler::run_program(const Arguments& command) const {
  return run_all({command}, nullptr);
}

Result<std::optional<FailedPass>> Compiler::run_all(const std::vector<Arguments>& commands,
                                                    std::string* said) const {
  if (server_ != nullptr) return run_served(commands, said);
  std::vector<sandbox::Process> running;
  for (const Arguments& arguments : commands) {
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
    if (well && !finished.timed_out) {
      if (said != nullptr) *said += finished.ending.output;
      continue;
    }
    if (const Result<void> room = has_room(); !room) return tl::unexpected<Error>(room.error());
    return FailedPass{std::move(finished)};
  }
  return std::nullopt;
}

std::optional<FailedPass> Compiler::run_served(const std::vector<Arguments>& commands,
                                               std::string* said) const {
  std::vector<CompileServer::Run> running;
  for (const Arguments& arguments : commands) {
    Result<CompileServer::Run> run = server_->run(folder_, arguments);
    if (!run) return FailedPass{};
    running.push_back(std::move(*run));
  }
  for (CompileServer::Run& run : running) {
    std::optional<sandbox::Finished> finished = run.wait_until(deadline_, kOutputCap);
    if (!finished) return FailedPass{};
    const bool well = finished->ending.kind == sandbox::Ending::Kind::exited && finished->ending.code == 0;
    if (!well || finished->timed_out) return FailedPass{std::move(*finished)};
    if (said != nullptr) *said += finished->ending.output;
  }
  return std::nullopt;
}

// Returns an error if the disk is nearly full, because a compiler error then says nothing about the source.
Result<void> Compiler::has_room() const {
  std::error_code error;
  const fs::space_info space = fs::space(folder_, error);
  if (error || space.available >= kLeastRoom) return {};
  return fail(
      fmt::format("cannot compile in {}: {} KiB are left on its disk; make room, or name another "
                  "folder in TMPDIR",
                  folder_.string(), space.available / 1024));
}

sandbox::Command Compiler::command(Arguments arguments) const {
  sandbox::Command command;
  command.argv = std::move(arguments);
  command.environment = {{"PATH", compiler_.parent_path().string() + ":/usr/bin:/bin"},
                         {"TMPDIR", folder_.string()},
                         {"LC_ALL", "C"}};
  // The compiler's environment is empty but for a few variables; NVCC_CCBIN, the host compiler that the
  // machine's owner selected for nvcc, is kept.
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

}  // namespace warpmark::build
