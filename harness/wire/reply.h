// Replies of a worker process, which runs student code, one struct per request. Every reply also carries what
// the engine (GPU or simulator) observed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::wire {

// Base of every reply of a worker process. `observed`: findings, launches and transfers during a call, an
// upload or a canary (a copy that proves that recording works); empty for other requests. During an upload
// audit, every reply has both `before` and `observed`, as lists of events in order.
struct Seen {
  // Findings, launches and transfers since the previous reply; set only during an upload audit.
  std::optional<Observation> before;
  Observation observed;
  bool operator==(const Seen&) const = default;
};

// Properties of the GPU or simulated device; 0 or empty if unknown.
struct HelloReply : Seen {
  static constexpr std::string_view kName = "hello";
  std::string engine;
  // Reason why launches and transfers are not recorded; empty: they are, or need not be.
  std::string observer;
  int devices = 0;
  std::string no_device;  // reason why there is no usable GPU
  std::string device;
  std::uint64_t l2_bytes = 0;
  double peak_bytes_per_s = 0;  // peak bandwidth of device memory in bytes per second
  std::string uuid;
  std::string cuda;  // version of the CUDA runtime: "13.0"
  std::uint64_t multiprocessors = 0;
  std::uint64_t capability = 0;  // compute capability times ten: 90 for 9.0
  double clock_hz = 0;
  std::uint64_t free_bytes = 0;
  bool operator==(const HelloReply&) const = default;
};

struct LoadReply : Seen {
  static constexpr std::string_view kName = "load";
  std::optional<std::string> not_loaded;  // error message of dlopen; nullopt: the requested library is loaded
  bool operator==(const LoadReply&) const = default;
};

struct FillReply : Seen {
  static constexpr std::string_view kName = "fill";
  bool operator==(const FillReply&) const = default;
};
struct ZerosReply : Seen {
  static constexpr std::string_view kName = "zeros";
  bool operator==(const ZerosReply&) const = default;
};
struct CopyReply : Seen {
  static constexpr std::string_view kName = "copy";
  bool operator==(const CopyReply&) const = default;
};
struct CanaryReply : Seen {
  static constexpr std::string_view kName = "canary";
  bool operator==(const CanaryReply&) const = default;
};
struct ReadReply : Seen {
  static constexpr std::string_view kName = "read";
  bool operator==(const ReadReply&) const = default;
};

struct CudaError {
  std::string error;    // CUDA's name of the error: "cudaErrorInvalidValue"
  std::string message;  // CUDA's description of the error (cudaGetErrorString)
  std::string when;     // phase of the failure: "launch", "execution" or "upload"
  bool operator==(const CudaError&) const = default;
};

// Reason why the student's function failed: at most one member is set.
struct Failure {
  std::optional<CudaError> cuda_error;
  std::optional<std::string> threw;  // message of the exception that the student's function threw
  bool operator==(const Failure&) const = default;
};

struct CallReply : Seen {
  static constexpr std::string_view kName = "call";
  Failure failure;
  std::vector<double> event_ms;  // milliseconds of each timed call of the student's function, by CUDA events
  bool operator==(const CallReply&) const = default;
};

enum class Memory : std::uint8_t { null, unregistered, host, device, managed, freed };
constexpr std::array<std::string_view, 6> names_of(Memory /*type*/) {
  return {"null", "unregistered", "host", "device", "managed", "freed"};
}

struct UploadReply : Seen {
  static constexpr std::string_view kName = "upload";
  Failure failure;
  Memory memory = Memory::null;
  // Call stack of the CUDA call that allocated, or freed, the memory which the student's upload function
  // returned. Each frame is an offset in the student's library.
  std::vector<std::uint64_t> frames = {};
  bool operator==(const UploadReply&) const = default;
};

// Current conditions of the GPU; a member is set only if the machine reports it.
struct ConditionsReply : Seen {
  static constexpr std::string_view kName = "conditions";
  std::string driver;
  std::optional<std::uint64_t> processes;  // number of processes that compute on the GPU
  std::optional<std::uint64_t> sm_mhz;
  std::optional<std::uint64_t> memory_mhz;
  std::optional<std::uint64_t> celsius;
  std::vector<std::string> throttled_by;
  bool operator==(const ConditionsReply&) const = default;
};

// Reply to any request if the harness's own code in the worker process failed.
struct FailedReply : Seen {
  static constexpr std::string_view kName = "failed";
  std::string why;
  bool operator==(const FailedReply&) const = default;
};

using Reply = std::variant<HelloReply, LoadReply, FillReply, ZerosReply, CopyReply, CallReply, UploadReply,
                           CanaryReply, ReadReply, ConditionsReply, FailedReply>;

Seen& seen_in(Reply& reply);

struct NumberedReply {
  std::uint64_t number = 0;  // sequence number of the request that the reply answers
  Reply reply;
  bool operator==(const NumberedReply&) const = default;
};

}  // namespace warpmark::wire
