// Runs a compiler or linker for one source. All runs share a folder, a sandbox box and a deadline.
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

// A run that failed or exceeded the limit. If a compile server executed it, the failure is not final: see
// compile_server.h.
struct FailedPass {
  sandbox::Finished finished;
};

class Compiler {
 public:
  using Arguments = std::vector<std::string>;

  // folder: working folder, also for the compiler's temporary files. The time limit of the settings starts
  // now. server: if not null, executes the runs in its own box in place of `box`; it must outlive this
  // object.
  Compiler(const Toolchain& toolchain, const Settings& settings, std::filesystem::path folder,
           sandbox::Box box, const CompileServer* server = nullptr);

  // Starts the compiler as a server for runs in the folder and below it. preloaded: path of
  // libwarpmark_forks.so.
  [[nodiscard]] Result<CompileServer> start_server(const std::filesystem::path& preloaded) const;

  // Runs the compiler once per element of `passes`, concurrently. Returns the first failed pass in the order
  // of the list, or nullopt if all succeeded. Fails only for our own faults. said: receives the concatenated
  // output of the successful passes.
  [[nodiscard]] Result<std::optional<FailedPass>> run(const std::vector<Arguments>& passes,
                                                      std::string* said = nullptr) const;
  // Like run(), but for one command line that starts with the absolute path of another program.
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
