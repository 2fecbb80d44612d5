// What a worker answers, one struct a request. Every reply also carries what the engine saw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::wire {

// Common to all replies. `observed`: of a call, an upload and a canary what they did; of others nothing,
// unless the worker is audited. In an audit both are there and hold events.
struct Seen {
  std::optional<Observation> before;  // since the reply before this one
  Observation observed;
  bool operator==(const Seen&) const = default;
};

// The device, as far as the engine knows it: 0 or empty where it does not.
struct HelloReply : Seen {
  static constexpr std::string_view kName = "hello";
  std::string engine;
  std::string observer;  // why it does not record; empty: it does, or was not asked to
  int devices = 0;
  std::string no_device;  // why there is none
  std::string device;
  std::uint64_t l2_bytes = 0;
  double peak_bytes_per_s = 0;  // of its memory
  std::string uuid;
  std::string cuda;  // version of the runtime, "13.0"
  std::uint64_t multiprocessors = 0;
  std::uint64_t capability = 0;  // compute capability, 90 for 9.0
  double clock_hz = 0;
  std::uint64_t free_bytes = 0;
  bool operator==(const HelloReply&) const = default;
};

struct LoadReply : Seen {
  static constexpr std::string_view kName = "load";
  std::optional<std::string> not_loaded;  // why
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
  std::string error;    // "cudaErrorInvalidValue"
  std::string message;  // CUDA's text for it
  std::string when;     // "launch", "execution", "upload"
  bool operator==(const CudaError&) const = default;
};

// How the submission's function did not come back as it should.
struct Failure {
  std::optional<CudaError> cuda_error;
  std::optional<std::string> threw;  // the exception's text
  bool operator==(const Failure&) const = default;
};

struct CallReply : Seen {
  static constexpr std::string_view kName = "call";
  Failure failure;
  std::vector<double> event_ms;  // of each call, by CUDA events; 0 or more
  bool operator==(const CallReply&) const = default;
};

enum class Memory : std::uint8_t { null, unregistered, host, device, managed, freed };
std::string_view name_of(Memory memory);

struct UploadReply : Seen {
  static constexpr std::string_view kName = "upload";
  Failure failure;
  Memory memory = Memory::null;
  std::vector<std::uint64_t> frames = {};  // of the call that allocated it, or freed it; as in Finding
  bool operator==(const UploadReply&) const = default;
};

// Now, each where the machine reports it.
struct ConditionsReply : Seen {
  static constexpr std::string_view kName = "conditions";
  std::string driver;
  std::optional<std::uint64_t> processes;  // that compute on the device
  std::optional<std::uint64_t> sm_mhz;
  std::optional<std::uint64_t> memory_mhz;
  std::optional<std::uint64_t> celsius;
  std::vector<std::string> throttled_by;
  bool operator==(const ConditionsReply&) const = default;
};

// What the harness's half of the worker could not do, whatever it was asked.
struct FailedReply : Seen {
  static constexpr std::string_view kName = "failed";
  std::string why;
  bool operator==(const FailedReply&) const = default;
};

using Reply = std::variant<HelloReply, LoadReply, FillReply, ZerosReply, CopyReply, CallReply, UploadReply,
                           CanaryReply, ReadReply, ConditionsReply, FailedReply>;

Seen& seen_in(Reply& reply);

struct NumberedReply {
  std::uint64_t number = 0;  // of its request
  Reply reply;
  bool operator==(const NumberedReply&) const = default;
};

}  // namespace warpmark::wire
