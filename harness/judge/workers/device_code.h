// Asks the simulator whether it can run a library's device code, without executing that code.
#pragma once

#include <filesystem>
#include <string>

#include "harness/judge/workers/installation.h"

namespace warpmark::judge {

struct DeviceCode {
  enum class Kind {
    simulated,  // the simulator can run all of it, or there is none
    lacking,    // the simulator lacks an instruction or function of it
    costly,     // reading it takes more time or memory than any right version's: the submission's fault
  };
  Kind kind = Kind::simulated;
  std::string why;  // for students; empty if it is simulated
};

// Reads a library's device code once, in a process and, where there is one, a box of its own, because it is
// the student's: input that crashes the decoder must not crash the judge process. Later calls for the same
// file return the same.
DeviceCode device_code_of(const Installation& installation, const std::filesystem::path& library);

}  // namespace warpmark::judge
