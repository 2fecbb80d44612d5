// Where the harness's own programs and libraries lie.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/engine.h"
#include "harness/sandbox/level.h"

namespace warpmark::judge {

struct Installation {
  std::filesystem::path root;       // of the repository
  std::filesystem::path programs;   // warpmark-worker-simulator, warpmark-device, warpmark-keeper
  std::filesystem::path libraries;  // libwarpmark_cudart.so
  // Of the locks on devices: one folder for all users of the machine.
  std::filesystem::path locks = "/tmp";
  sandbox::Level sandbox = sandbox::Level::process;  // of workers and compilers
  // Of the workers that are made on this machine (harness/build/worker_program.h); empty: beside the programs
  // of a build tree.
  std::filesystem::path made = {};
  std::function<void(const std::string&)> progress = {};  // of making them
  [[nodiscard]] std::filesystem::path worker(Engine engine) const;
  [[nodiscard]] std::filesystem::path device() const;  // the simulated one
  [[nodiscard]] std::filesystem::path ranks() const;   // the launcher of a worker of several
};

}  // namespace warpmark::judge
