// An installation whose workers are fake ones, for every engine.
#pragma once

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "harness/base/file.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

struct FakeInstallation {
  FakeInstallation() {
    if (!write_file(folder.path() / "clock_ms", std::string(sizeof(double), '\0'))) {
      throw std::runtime_error("cannot write clock_ms");
    }
    for (const char* program : {"warpmark-worker-gpu", "warpmark-worker-simulator", "warpmark-worker-host",
                                "warpmark-device", "warpmark-ranks"})
      std::filesystem::create_symlink(WARPMARK_FAKE_WORKER, folder.path() / program);
    installation.made = folder.path();
  }
  // The fake workers' time: it goes on by what their calls are said to take.
  [[nodiscard]] double clock_ms() const {
    const auto bytes = read_file(folder.path() / "clock_ms");
    double now = 0;
    if (!bytes || bytes->size() != sizeof now) throw std::runtime_error("the fake clock is gone");
    std::memcpy(&now, bytes->data(), sizeof now);
    return now;
  }
  // What the worker is to do instead of saying hello.
  void at_hello(const std::string& what) const {
    if (!write_file(folder.path() / "at_hello", what)) throw std::runtime_error("cannot write at_hello");
  }

  TemporaryFolder folder;
  Installation installation{WARPMARK_ROOT, folder.path(), folder.path(), folder.path()};
};

}  // namespace warpmark::judge
