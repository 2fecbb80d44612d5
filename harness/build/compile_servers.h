// The servers of one Builder: one for all sources of a submission, one for those of each of the course's
// folders.
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

// The folder in which sources of one author are compiled, and the server that does it; none where clang
// cannot be made one.
struct Workshop {
  TemporaryFolder folder;
  std::optional<CompileServer> server;
};

// Safe to use from several threads.
class CompileServers {
 public:
  // The workshop for a request and all that see the same folders, made for the first. Throws
  // std::system_error when its folder cannot be written.
  std::shared_ptr<const Workshop> of(const Request& request, const Toolchain& toolchain,
                                     const Settings& settings, const Precompiled& headers);

 private:
  struct Place {
    std::once_flag started;
    std::shared_ptr<const Workshop> workshop;
  };
  std::mutex mutex_;
  std::map<std::string, Place> places_;
};

}  // namespace warpmark::build
