// Paths of the harness's own programs and libraries.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "harness/base/engine.h"
#include "harness/sandbox/level.h"

namespace warpmark::judge {

struct Installation {
  std::filesystem::path root;  // root folder of the repository
  // Folder of the programs warpmark-worker-simulator, warpmark-device and warpmark-keeper.
  std::filesystem::path programs;
  std::filesystem::path libraries;  // folder of libwarpmark_cudart.so
  // Folder of the lock files, shared by all users of the machine.
  std::filesystem::path locks = "/tmp";
  sandbox::Level sandbox = sandbox::Level::process;  // isolation level of worker processes and compilers
  // Folder of worker programs compiled on this machine (harness/build/worker_program.h); empty: in the build
  // tree, next to the other programs.
  std::filesystem::path made = {};
  // Engines whose worker program, and so whose CUDA runtime, is another engine's.
  std::map<Engine, Engine> played_by = {};
  // Called with one line of text each time a worker program is compiled, to show progress.
  std::function<void(const std::string&)> progress = {};
  // Returns the engine whose worker program runs what is built for `engine`.
  [[nodiscard]] Engine player_of(Engine engine) const;
  [[nodiscard]] std::filesystem::path worker(Engine engine) const;
  [[nodiscard]] std::filesystem::path device() const;  // path of the program that simulates the GPU
  // Headers that replace the CUDA toolkit's for simulated programs.
  [[nodiscard]] std::filesystem::path simulator_headers() const;
  // Path of the launcher that starts a worker process on each MPI rank.
  [[nodiscard]] std::filesystem::path ranks() const;
};

}  // namespace warpmark::judge
