// What the judge asks a worker, one struct a request. `Answer` is the reply that belongs to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/reply.h"

namespace warpmark::wire {

// Bytes of a device buffer.
struct View {
  std::string buffer;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const View&) const = default;
};

// A value to write into a device buffer.
struct Patch {
  View where;  // at most 8 bytes
  std::uint64_t value = 0;
  bool operator==(const Patch&) const = default;
};

// How calls run, where the engine has a choice. A GPU has none.
struct RunMode {
  bool checking = false;       // simulator: the -O0 code
  std::uint64_t schedule = 0;  // simulator: 0 in order, else a seed
  bool one_at_a_time =
      false;  // simulator: one block after the other, so that a race goes the same way each time
  bool check_accesses = false;  // simulator: look for races and reads of uninitialised memory
  bool count_work = false;      // simulator: launches carry their counters
  // Simulator: seconds of processor time after which a launch whose blocks do not end is given up; 0: its own
  // default.
  std::uint64_t launch_seconds = 0;
  bool operator==(const RunMode&) const = default;
};

// The first request. observe: every later reply holds what was seen before it and while it was made.
struct Hello {
  using Answer = HelloReply;
  bool observe = false;
  bool operator==(const Hello&) const = default;
};

// Constructors of the library run here.
struct Load {
  using Answer = LoadReply;
  std::string library;  // the name by which later requests know it
  std::string path;
  bool operator==(const Load&) const = default;
};

// Makes a device buffer anew, as large as the contents that are passed with it.
struct Fill {
  using Answer = FillReply;
  std::string buffer;
  bool undefined = false;  // to read it is a fault
  // To read these bytes alone is a fault.
  std::uint64_t undefined_offset = 0;
  std::uint64_t undefined_bytes = 0;
  bool operator==(const Fill&) const = default;
};

// Makes a device buffer of zeros anew.
struct Zeros {
  using Answer = ZerosReply;
  std::string buffer;
  std::uint64_t bytes = 0;
  bool operator==(const Zeros&) const = default;
};

// Makes `to` anew, at an address of its own.
struct Copy {
  using Answer = CopyReply;
  std::string from;
  std::string to;
  bool operator==(const Copy&) const = default;
};

// A memory object is passed with it where `reads` is not empty: they go there, one turn's after the other's.
struct Call {
  using Answer = CallReply;
  std::string library;
  std::string function;
  std::string adapter;
  std::vector<View> buffers;
  std::vector<std::uint64_t> scalars;
  RunMode mode;
  std::vector<Patch> patches;
  bool sweep = false;  // replace what L2 holds before each call
  std::vector<View> reads;
  std::uint64_t turns = 1;  // how often to patch, sweep and read
  std::uint64_t calls = 1;  // in how many of the turns, the last ones, to call as well
  // Milliseconds after which the worker writes where the host code is, to its last words; 0: never.
  std::uint64_t look_after_ms = 0;
  bool operator==(const Call&) const = default;
};

// The host values are passed with it. Device and managed memory becomes the buffer `as`.
struct Upload {
  using Answer = UploadReply;
  std::string library;
  std::string function;
  std::string adapter;
  std::uint64_t count = 0;
  std::string as;
  std::uint64_t look_after_ms = 0;  // as in Call
  bool operator==(const Upload&) const = default;
};

// One copy from host to device of that size, which the record must show.
struct Canary {
  using Answer = CanaryReply;
  std::uint64_t bytes = 0;
  bool operator==(const Canary&) const = default;
};

// Their target is passed with it.
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

// As in the messages: "call".
std::string_view name_of(const Request& request);

struct NumberedRequest {
  std::uint64_t number = 0;
  Request request;
  bool operator==(const NumberedRequest&) const = default;
};

}  // namespace warpmark::wire
