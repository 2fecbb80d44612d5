// Runs a compiler or linker for one source. All runs share a folder, a sandbox and a deadline.
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

// A compiler run that failed or exceeded the time limit. If a compile server (compile_server.h) executed the
// run, the failure is not final, because another run may have tampered with the server.
struct FailedPass {
  sandbox::Finished finished;
};

class Compiler {
 public:
  using Arguments = std::vector<std::string>;

  // Prepares compiler runs for one source. folder: working folder, also for the compiler's temporary files.
  // The settings' time limit starts at construction. server: if not null, a compile server that executes the
  // runs in its own sandbox in place of `box`; must outlive the Compiler object.
  Compiler(const Toolchain& toolchain, const Settings& settings, std::filesystem::path folder,
           sandbox::Box box, const CompileServer* server = nullptr);

  // Starts the compiler as a server (compile_server.h) that forks for each compilation in the Compiler
  // object's folder and its subfolders. preloaded: path of libwarpmark_forks.so.
  [[nodiscard]] Result<CompileServer> start_server(const std::filesystem::path& preloaded) const;

  // Runs the compiler once for each argument list in `passes`, concurrently. Returns the first failed pass in
  // the order of the list, or nullopt if all succeeded. Returns an error only for faults of this program or
  // machine. said: receives the concatenated output of the successful passes.
  [[nodiscard]] Result<std::optional<FailedPass>> run(const std::vector<Arguments>& passes,
                                                      std::string* said = nullptr) const;
  // Runs a program other than the compiler, such as a linker, in the same folder and sandbox and with the
  // same deadline. command: the program's absolute path, then its arguments. Returns the failure, or nullopt
  // on success.
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
