// Compile servers (preloaded compilers that fork per run): one for all sources of a submission, and one per
// folder of the course.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/build/compile.h"
#include "harness/build/compile_server.h"

namespace warpmark::build {

// Working folder in which the sources of one author (a student or the course) are compiled, and the compile
// server that runs there; nullopt if clang cannot be run as a server.
struct Workshop {
  TemporaryFolder folder;
  std::optional<CompileServer> server;
};

// Pool of running compile servers. Thread-safe.
class CompileServers {
 public:
  // Returns the working folder and compile server shared by all requests that may read the same folders; the
  // first such request creates both. Throws std::system_error if the folder cannot be written.
  std::shared_ptr<const Workshop> of(const Request& request, const Toolchain& toolchain,
                                     const Settings& settings, const Precompiled& headers);

 private:
  struct LazyWorkshop {
    std::once_flag started;
    std::shared_ptr<const Workshop> workshop;
  };
  std::mutex mutex_;
  std::map<std::string, LazyWorkshop> workshops_;
};

}  // namespace warpmark::build
