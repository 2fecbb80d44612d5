// Requests of the judge process to a worker process, which runs student code. `Answer` is the type of the
// request's reply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/reply.h"

namespace warpmark::wire {

// Names a range of bytes in a device buffer.
struct View {
  std::string buffer;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const View&) const = default;
};

// A number to write into a device buffer.
struct Patch {
  View where;  // the bytes to overwrite, at most 8
  std::uint64_t value = 0;
  bool operator==(const Patch&) const = default;
};

// Execution options of a call on the simulator. A GPU ignores them.
struct RunMode {
  bool checking = false;        // true: run the -O0 code
  std::uint64_t schedule = 0;   // 0: blocks and warps in order; else the seed of a random order
  bool one_at_a_time = false;   // true: run blocks one by one, so that a race has a fixed outcome
  bool check_accesses = false;  // true: detect races and reads of uninitialised memory
  bool count_work = false;      // true: record counters per launch
  // Processor time in seconds after which the simulator aborts a launch as endless; 0: the default.
  std::uint64_t launch_seconds = 0;
  bool operator==(const RunMode&) const = default;
};

// First request to a worker process. observe: each later reply holds the launches, transfers and findings
// before and during its request.
struct Hello {
  using Answer = HelloReply;
  bool observe = false;
  bool operator==(const Hello&) const = default;
};

// Loads a library with dlopen, which runs its constructors.
struct Load {
  using Answer = LoadReply;
  std::string library;  // name by which later requests refer to the library
  std::string path;
  bool operator==(const Load&) const = default;
};

// Replaces a device buffer by one with the contents of the attached memory file.
struct Fill {
  using Answer = FillReply;
  std::string buffer;
  bool undefined = false;  // true: report any read of the buffer as a read of uninitialised memory
  // Bytes of the buffer that count as uninitialised, so that reading them is reported.
  std::uint64_t undefined_offset = 0;
  std::uint64_t undefined_bytes = 0;
  bool on_host = false;  // the buffer lies in host memory of the worker process
  bool operator==(const Fill&) const = default;
};

// Replaces a device buffer by one that is filled with zeros.
struct Zeros {
  using Answer = ZerosReply;
  std::string buffer;
  std::uint64_t bytes = 0;
  bool operator==(const Zeros&) const = default;
};

// Replaces device buffer `to` by a copy of buffer `from`, at a new address.
struct Copy {
  using Answer = CopyReply;
  std::string from;
  std::string to;
  bool operator==(const Copy&) const = default;
};

// Runs `turns` turns. Each writes the patches, evicts L2 if `sweep` is set, and reads `reads`; the last
// `calls` turns also call the student's function before reading. If `reads` is not empty, the attached memory
// file receives the read bytes, turn after turn.
struct Call {
  using Answer = CallReply;
  std::string library;
  std::string function;
  std::string adapter;
  std::vector<View> buffers;
  std::vector<std::uint64_t> scalars;
  RunMode mode;
  std::vector<Patch> patches;
  bool sweep = false;  // true: evict the L2 cache before each call
  std::vector<View> reads;
  std::uint64_t turns = 1;
  std::uint64_t calls = 1;  // the last `calls` of the turns call the student's function before reading
  // Milliseconds after which the worker process writes the host call stack to its descriptor for last words;
  // 0: never.
  std::uint64_t look_after_ms = 0;
  bool operator==(const Call&) const = default;
};

// Calls the student's upload function with the input elements in the attached memory file. If it returns
// device or managed memory, that memory becomes the buffer `as`.
struct Upload {
  using Answer = UploadReply;
  std::string library;
  std::string function;
  std::string adapter;
  std::uint64_t count = 0;
  std::string as;
  // Milliseconds until the worker process writes its host call stack; 0: never.
  std::uint64_t look_after_ms = 0;
  bool operator==(const Upload&) const = default;
};

// Makes one host-to-device copy of `bytes` bytes, which must appear in the recorded transfers: proves that
// recording works.
struct Canary {
  using Answer = CanaryReply;
  std::uint64_t bytes = 0;
  bool operator==(const Canary&) const = default;
};

// Copies device bytes to the attached memory file.
struct Read {
  using Answer = ReadReply;
  std::vector<View> reads;
  bool operator==(const Read&) const = default;
};

struct ReadConditions {
  using Answer = ConditionsReply;
  bool operator==(const ReadConditions&) const = default;
};

using Request = std::variant<Hello, Load, Fill, Zeros, Copy, Call, Upload, Canary, Read, ReadConditions>;

// Returns the request's name in messages, such as "call".
std::string_view name_of(const Request& request);

struct NumberedRequest {
  std::uint64_t number = 0;
  Request request;
  bool operator==(const NumberedRequest&) const = default;
};

}  // namespace warpmark::wire
