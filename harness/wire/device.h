// Messages between the judge process and the process of the simulated device, on a socket that no process
// with student code holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/wire/observation.h"
#include "harness/wire/request.h"

namespace warpmark::wire {

struct DeviceRequest {
  std::uint64_t number = 0;
  std::optional<RunMode> mode;  // options of the simulated device's next kernel launches; nullopt: unchanged
  // True if the judge process attaches a memory file to its request to the simulated device, in place of the
  // one attached before. source: file with the bytes that the CUDA program's copies put into device memory.
  // target: file that receives the device memory contents that the judge process wants to read. If both are
  // attached, the source file comes first. The program runs student code, so it must not see either file.
  bool source = false;
  bool target = false;
  // True: the simulated device's reply holds all observations (findings, launches, transfers) recorded so
  // far, and the device forgets them.
  bool drain = false;
  // Digests of the modules of device code that the program's next library holds, as they were built. From the
  // first such list on, the device accepts no other modules.
  std::vector<std::string> modules{};
  bool audit = false;  // true: the simulated device reports launches and transfers as one list in order
  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceReply {
  std::uint64_t number = 0;  // sequence number of the request that the reply answers
  // Observations (findings, launches, transfers) of the simulated device since it last reported. The CUDA
  // program may set a mark between them, for example just before it calls the student's function: `before`
  // holds those up to the first mark or, without a mark, all; `observed` holds those after it.
  Observation before;
  Observation observed;
  // Number of marks (boundaries between observations) that the CUDA program has set since the simulated
  // device last reported; the judge process expects at most one.
  std::uint64_t marks = 0;
  // Number of calls of student functions that the CUDA program claims to have made since the simulated device
  // last reported; untrusted, so the judge process compares it with its request.
  std::uint64_t calls = 0;
  // Processor time in microseconds that the device process has used since it began, on all its threads.
  std::uint64_t processor_us = 0;
  // Number of bytes that the simulated device has copied from the judge process's input file (taken) and to
  // its result file (saved).
  std::uint64_t taken = 0;
  std::uint64_t saved = 0;
  bool operator==(const DeviceReply&) const = default;
};

// Environment variable through which a program finds its simulated device: the numbers of two descriptors,
// the device's socket and the one for last words before a crash.
inline constexpr char kDeviceVariable[] = "WARPMARK_DEVICE";

}  // namespace warpmark::wire
