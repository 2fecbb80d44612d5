// Encodes and decodes all messages between the judge process, the worker process and the simulator. Student
// code may have forged any message: a missing or unknown member, a wrong type or a number out of range is
// Malformed, and decoding takes time and memory linear in the length of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/wire/device.h"
#include "harness/wire/journal.h"
#include "harness/wire/reply.h"
#include "harness/wire/request.h"

namespace warpmark::wire {

inline constexpr std::size_t kFrameLimit = std::size_t{16} << 20;  // maximum bytes of an encoded message
// Maximum nesting depth of a message's JSON.
inline constexpr int kDepthLimit = 16;
// Maximum number of JSON values in a message.
inline constexpr std::size_t kElementLimit = 4'000'000;

// Maximum bytes of a string in a message between processes. The writer truncates longer strings and marks the
// cut. The reader accepts three times as many bytes, because the writer replaces each byte of invalid UTF-8
// by a three-byte character.
inline constexpr std::size_t kLongestText = 4096;

// Maximum number of entries per list in a message between processes. The writer drops further entries; the
// reader rejects longer lists.
inline constexpr std::size_t kMostFindings = 1000;
inline constexpr std::size_t kMostNotes = 1000;
inline constexpr std::size_t kMostFrames = 64;  // maximum number of stack frames per reported error
inline constexpr std::size_t kMostAccesses = 2;
inline constexpr std::size_t kMostLanes = 32;
inline constexpr std::size_t kMostThreadRuns = 64;
inline constexpr std::size_t kMostRankCalls = 32;
// maximum number of ranks in the report of a failed MPI program
inline constexpr std::size_t kMostPlaces = 64;
inline constexpr std::size_t kMostLaunches = 100'000;
inline constexpr std::size_t kMostTransfers = 100'000;
// maximum number of source lines with performance counters per launch
inline constexpr std::size_t kMostLines = 5'000;
inline constexpr std::size_t kMostEvents = 20'000;
inline constexpr std::size_t kMostViews = 1'000;
inline constexpr std::size_t kMostScalars = 1'000;
inline constexpr std::size_t kMostPatches = 1'000'000;
inline constexpr std::size_t kMostTimes = 100'000;
// maximum number of reasons for reduced GPU clocks per message
inline constexpr std::size_t kMostReasons = 32;
inline constexpr std::size_t kMostModules = 1000;

// Largest value of a counter in a message; up to here a double represents every integer.
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53;
// Largest byte count that a message may hold (16 TiB): more than any bus can transfer during one audited
// call.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 44;
inline constexpr int kMostLine = 1'000'000'000;

// Error of decoding a message from another process: holds the reason why the message was rejected.
struct Malformed {
  std::string why;
};

std::string encode(const NumberedRequest& request);
std::string encode(const NumberedReply& reply);
std::string encode(const Startup& startup);
std::string encode(const DeviceRequest& request);
std::string encode(const DeviceReply& reply);
// Encodes one line, without the line end, of the journal in which the simulator records what it observes in a
// CUDA program.
std::string encode(const JournalLine& line);

tl::expected<NumberedRequest, Malformed> decode_request(std::string_view bytes);
tl::expected<NumberedReply, Malformed> decode_reply(std::string_view bytes);
tl::expected<Startup, Malformed> decode_startup(std::string_view text);
tl::expected<DeviceRequest, Malformed> decode_device_request(std::string_view bytes);
tl::expected<DeviceReply, Malformed> decode_device_reply(std::string_view bytes);
tl::expected<JournalLine, Malformed> decode_journal_line(std::string_view line);

}  // namespace warpmark::wire
