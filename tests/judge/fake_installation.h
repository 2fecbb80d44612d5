// An installation whose workers are fake ones, for both engines.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "harness/base/file.h"
#include "harness/judge/worker_client.h"

namespace warpmark::judge {

struct FakeInstallation {
  FakeInstallation() {
    for (const char* engine : {"gpu", "simulator"}) {
      std::filesystem::create_symlink(WARPMARK_FAKE_WORKER,
                                      folder.path() / (std::string("warpmark-worker-") + engine));
    }
  }
  // What the worker is to do instead of saying hello.
  void at_hello(const std::string& what) const {
    if (!write_file(folder.path() / "at_hello", what)) throw std::runtime_error("cannot write at_hello");
  }

  TemporaryFolder folder;
  Installation installation{WARPMARK_ROOT, folder.path(), folder.path()};
};

}  // namespace warpmark::judge
