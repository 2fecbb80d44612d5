// A compiler that is loaded once and forks for each run, in a box that all its runs share.
//
// The compiler's program is started with libwarpmark_forks.so (forks/server.cpp) preloaded. What a run does
// to the server or to other runs, a run of its own decides nothing: whoever gets no success here compiles
// again, in a box of its own. So only runs for the same author share a server.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

// Safe to use from several threads.
class CompileServer {
 public:
  // A run of the program that has begun. Its end ends the run.
  class Run {
   public:
    // Reads what it prints, output_cap bytes at most, until it has ended or the deadline passed. Empty when
    // the server is lost.
    std::optional<sandbox::Finished> wait_until(sandbox::Clock::time_point deadline, std::size_t output_cap);

   private:
    friend CompileServer;
    UniqueFd output_;
    UniqueFd status_;
  };

  // Starts the program as a server. program: absolute; preloaded: libwarpmark_forks.so; command: folder,
  // environment, level and box, caps. The box has to show both, and the folders of all runs.
  static Result<CompileServer> start(const std::filesystem::path& program,
                                     const std::filesystem::path& preloaded, sandbox::Command command);

  // argv: a name of the server's program first, or the absolute path of another one, which is executed.
  // folder: where it runs, and its TMPDIR.
  [[nodiscard]] Result<Run> run(const std::filesystem::path& folder,
                                const std::vector<std::string>& argv) const;

 private:
  CompileServer(sandbox::Process process, UniqueFd socket);

  sandbox::Process process_;
  UniqueFd socket_;
};

}  // namespace warpmark::build
