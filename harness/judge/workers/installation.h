// Paths of the harness's own programs and libraries.
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
  // Folder of the device locks, shared by all users of the machine.
  std::filesystem::path locks = "/tmp";
  sandbox::Level sandbox = sandbox::Level::process;  // of workers and compilers
  // Folder of workers compiled on this machine (harness/build/worker_program.h); empty: they are in the build
  // tree, next to the programs.
  std::filesystem::path made = {};
  std::function<void(const std::string&)> progress = {};  // reports the compilation of workers
  [[nodiscard]] std::filesystem::path worker(Engine engine) const;
  [[nodiscard]] std::filesystem::path device() const;  // the simulated device
  [[nodiscard]] std::filesystem::path simulator_headers()
      const;                                          // what CUDA programs see in the toolkit's place
  [[nodiscard]] std::filesystem::path ranks() const;  // launcher of an MPI worker
};

}  // namespace warpmark::judge
