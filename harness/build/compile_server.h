// A compiler process that is loaded once and forks for each compilation. All compilations share one sandbox.
//
// The compiler is started with libwarpmark_forks.so (forks/server.cpp) preloaded. Malicious source could
// tamper with the server or with other compilations, so a failure reported by the server is never final: the
// caller compiles again in a separate sandbox. For the same reason only sources of the same author share a
// server.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

// A running compiler process that forks itself for each compilation. Thread-safe.
class CompileServer {
 public:
  // Handle of a started compiler run; the destructor ends that run.
  class Run {
   public:
    // Reads the output of a compiler run, at most output_cap bytes, until the run ends or the deadline
    // passes. Returns nullopt if the compile server has died.
    std::optional<sandbox::Finished> wait_until(sandbox::Clock::time_point deadline, std::size_t output_cap);

   private:
    friend CompileServer;
    UniqueFd output_;
    UniqueFd status_;
  };

  // Starts a compiler as a server that forks for each compilation. program: the compiler's absolute path;
  // preloaded: path of libwarpmark_forks.so; command: supplies the folder, environment, sandbox and limits.
  // The compiler, the preloaded library and the folders of all compilations must be visible inside the
  // sandbox.
  static Result<CompileServer> start(const std::filesystem::path& program,
                                     const std::filesystem::path& preloaded, sandbox::Command command);

  // Requests a compilation from the compile server, which forks for it. argv[0]: a name of the server's
  // program, or the absolute path of another program to execute instead. folder: working folder and TMPDIR of
  // the compilation.
  [[nodiscard]] Result<Run> run(const std::filesystem::path& folder,
                                const std::vector<std::string>& argv) const;

 private:
  CompileServer(sandbox::Process process, UniqueFd socket);

  sandbox::Process process_;
  UniqueFd socket_;
};

}  // namespace warpmark::build
