// Requests of the judge process to a worker process, which runs student code. `Answer` is the type of the
// request's reply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/base/instruction_group.h"
#include "harness/wire/reply.h"

namespace warpmark::wire {

// Names a range of bytes in a device buffer.
struct View {
  std::string buffer;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const View&) const = default;
};

// A small write into a device buffer, by which the judge process changes the data between two calls of a
// student's function.
struct Patch {
  View where;  // range of at most 8 bytes of a device buffer, which the write replaces
  std::uint64_t value = 0;
  bool operator==(const Patch&) const = default;
};

// A copy between device buffers that gives a buffer back the contents it had before earlier calls.
struct Restore {
  std::string from;  // buffer that holds the contents; at least as long as the range `to`
  View to;           // range to overwrite with the same range of `from`
  bool operator==(const Restore&) const = default;
};

// Execution options of a call on the simulator. A GPU ignores them.
struct RunMode {
  bool checking = false;  // true: simulate the kernel code compiled with -O0 instead of -O2
  // 0: simulate blocks and warps in index order; else the seed of a random order.
  std::uint64_t schedule = 0;
  bool one_at_a_time = false;   // true: simulate one block at a time, so that a data race has a fixed outcome
  bool check_accesses = false;  // true: the simulator detects data races and reads of uninitialised memory
  bool count_work = false;      // true: the simulator records performance counters per kernel launch
  bool keep_costly = false;     // with count_work: record each line's costliest access of the first block
  bool note_handovers = false;  // true: the simulator reports what the host gives to the device, and gets
  // Fault injection: the simulator changes the results of this many executions of instructions of a group,
  // chosen among those of the last call whose work was counted. 0: none.
  std::uint64_t faults = 0;
  InstructionGroup fault_group = InstructionGroup::real_arithmetic;
  std::uint64_t fault_seed = 0;
  bool without_faults = false;  // true: as with the faults, which take time, but no result is changed
  // Processor time in seconds after which the simulator aborts a launch as endless; 0: the default.
  std::uint64_t launch_seconds = 0;
  // Warp instructions after which the simulator aborts a launch as endless; 0: only time counts.
  std::uint64_t launch_instructions = 0;
  // True: an error of a kernel, after which CUDA refuses all further calls, is forgotten once it is reported,
  // so that the process can make further calls.
  bool forgives = false;
  bool operator==(const RunMode&) const = default;
};

// First request to a worker process. observe: start recording launches, transfers and findings, and return
// them with every later reply (for an upload audit).
struct Hello {
  using Answer = HelloReply;
  bool observe = false;
  bool operator==(const Hello&) const = default;
};

// Loads a library with dlopen, which runs its constructors.
struct Load {
  using Answer = LoadReply;
  std::string library;  // name by which later requests refer to the loaded library
  std::string path;
  bool operator==(const Load&) const = default;
};

// Request that replaces a device buffer by a new one with the contents of the memory file attached to the
// request.
struct Fill {
  using Answer = FillReply;
  std::string buffer;
  bool undefined = false;  // true: reading the new buffer is reported as a read of uninitialised memory
  // Range of the new buffer, in bytes, that counts as uninitialised, so that a kernel's reads of it are
  // reported.
  std::uint64_t undefined_offset = 0;
  std::uint64_t undefined_bytes = 0;
  // True: the bytes are as initialised as the others, but a kernel's writes to them are reported: as findings
  // of kind uninitialised_read, whose only access is one that writes.
  bool report_writes = false;
  bool on_host = false;  // true: the new buffer lies in the worker process's host memory, not on the device
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

// Request to call the student's function in a loop of `turns` turns. Each turn applies the patches (small
// writes to buffers) and then the restores (copies between buffers), evicts the L2 cache if `sweep` is set,
// calls the function (only in the last `calls` turns) and reads the ranges `reads`. If there are any, the
// attached memory file receives the read bytes, turn after turn.
struct Call {
  using Answer = CallReply;
  std::string library;
  std::string function;
  std::string adapter;
  std::vector<View> buffers;
  std::vector<std::uint64_t> scalars;
  RunMode mode;
  std::vector<Patch> patches;
  std::vector<Restore> restores = {};
  bool sweep = false;  // true: evict the L2 cache first, so that each timed call starts with a cold cache
  std::vector<View> reads;
  std::uint64_t turns = 1;
  std::uint64_t calls = 1;  // only the last `calls` turns of the loop call the student's function
  // Milliseconds after which the worker process writes the call stack of a student's function that still
  // runs, to show where it hangs; 0: never.
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
  // Milliseconds after which the worker process writes the call stack of an upload function that still runs,
  // to show where it hangs; 0: never.
  std::uint64_t look_after_ms = 0;
  bool operator==(const Upload&) const = default;
};

// Request for one host-to-device copy of `bytes` bytes. The copy must appear among the recorded transfers, as
// proof that recording works.
struct Canary {
  using Answer = CanaryReply;
  std::uint64_t bytes = 0;
  bool operator==(const Canary&) const = default;
};

// Request that copies ranges of device buffers to the memory file attached to the request.
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

// Returns the name of a request to the worker process, such as "call", for use in error messages.
std::string_view name_of(const Request& request);

struct NumberedRequest {
  std::uint64_t number = 0;
  Request request;
  bool operator==(const NumberedRequest&) const = default;
};

}  // namespace warpmark::wire
