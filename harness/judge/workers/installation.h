// Where the harness's own programs and libraries lie.
#pragma once

#include <filesystem>

#include "harness/base/engine.h"

namespace warpmark::judge {

struct Installation {
  std::filesystem::path root;       // of the repository
  std::filesystem::path programs;   // warpmark-worker-*, warpmark-keeper
  std::filesystem::path libraries;  // libwarpmark_cudart.so
  // Of the locks on devices: one folder for all users of the machine.
  std::filesystem::path locks = "/tmp";
  [[nodiscard]] std::filesystem::path worker(Engine engine) const;
};

}  // namespace warpmark::judge
