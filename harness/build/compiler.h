// A compiler, or a linker, at work on one source: its runs share a folder, a box and a deadline.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/build/compile_server.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

// The run that failed, or went on until the limit. Of a server's run that is not the last word: see
// compile_server.h.
struct FailedPass {
  sandbox::Finished finished;
};

class Compiler {
 public:
  using Arguments = std::vector<std::string>;

  // folder: for its own files, and where it runs. The limit of the settings begins now. server: does the
  // runs, if there is one, and its box counts; outlives this.
  Compiler(const Toolchain& toolchain, const Settings& settings, std::filesystem::path folder,
           sandbox::Box box, const CompileServer* server = nullptr);

  // Makes the compiler a server for runs in the folder and all below it. preloaded: libwarpmark_forks.so.
  [[nodiscard]] Result<CompileServer> start_server(const std::filesystem::path& preloaded) const;

  // Runs the compiler with each of the arguments, all side by side. The first that failed, in their order;
  // empty when all went well. Fails for our own faults alone.
  // said: what the passes that went well wrote, one after the other.
  [[nodiscard]] Result<std::optional<FailedPass>> run(const std::vector<Arguments>& passes,
                                                      std::string* said = nullptr) const;
  // The same with another program, whose absolute path comes first.
  [[nodiscard]] Result<std::optional<FailedPass>> run_program(const Arguments& command) const;

 private:
  [[nodiscard]] Result<std::optional<FailedPass>> run_all(const std::vector<Arguments>& commands,
                                                          std::string* said) const;
  [[nodiscard]] std::optional<FailedPass> run_served(const std::vector<Arguments>& commands,
                                                     std::string* said) const;
  [[nodiscard]] Result<void> has_room() const;
  [[nodiscard]] sandbox::Command command(Arguments arguments) const;

  std::filesystem::path compiler_;
  std::filesystem::path folder_;
  sandbox::Level level_;
  sandbox::Box box_;
  std::chrono::milliseconds limit_;
  sandbox::Clock::time_point deadline_;
  const CompileServer* server_;
};

}  // namespace warpmark::build
