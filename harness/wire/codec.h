// The one place that reads and writes the messages between judge, worker and simulator. Student code may have
// written any of them: what is missing, of another type, out of bounds or not known is Malformed, and no
// input costs more than time and memory in proportion to its length.
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

inline constexpr std::size_t kFrameLimit = std::size_t{16} << 20;  // bytes of a message
inline constexpr int kDepthLimit = 16;                             // of lists and objects in it
inline constexpr std::size_t kElementLimit = 4'000'000;            // values in it

// Bytes of a text: the writer cuts a longer one and marks the cut. The reader takes three times as many,
// because bytes that are not UTF-8 are replaced by a character of three.
inline constexpr std::size_t kLongestText = 4096;

// Entries: the writer leaves out what is beyond.
inline constexpr std::size_t kMostFindings = 1000;
inline constexpr std::size_t kMostNotes = 1000;
inline constexpr std::size_t kMostFrames = 64;  // of a finding
inline constexpr std::size_t kMostAccesses = 2;
inline constexpr std::size_t kMostPlaces = 64;  // of ranks
inline constexpr std::size_t kMostLaunches = 100'000;
inline constexpr std::size_t kMostTransfers = 100'000;
inline constexpr std::size_t kMostLines = 5'000;  // of a launch
inline constexpr std::size_t kMostEvents = 20'000;
inline constexpr std::size_t kMostViews = 1'000;
inline constexpr std::size_t kMostScalars = 1'000;
inline constexpr std::size_t kMostPatches = 1'000'000;
inline constexpr std::size_t kMostTimes = 100'000;
inline constexpr std::size_t kMostReasons = 32;  // for lower clocks

inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53;  // a whole number in every reader
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 44;  // no bus moves more in an audit
inline constexpr int kMostLine = 1'000'000'000;

// Why a message is not one of ours.
struct Malformed {
  std::string why;
};

std::string encode(const NumberedRequest& request);
std::string encode(const NumberedReply& reply);
std::string encode(const Startup& startup);
std::string encode(const DeviceRequest& request);
std::string encode(const DeviceReply& reply);
// A line of a journal, without the line's end.
std::string encode(const JournalLine& line);

tl::expected<NumberedRequest, Malformed> decode_request(std::string_view bytes);
tl::expected<NumberedReply, Malformed> decode_reply(std::string_view bytes);
tl::expected<Startup, Malformed> decode_startup(std::string_view text);
tl::expected<DeviceRequest, Malformed> decode_device_request(std::string_view bytes);
tl::expected<DeviceReply, Malformed> decode_device_reply(std::string_view bytes);
tl::expected<JournalLine, Malformed> decode_journal_line(std::string_view line);

}  // namespace warpmark::wire
