// Synchronous calls from the program's process to the device process through shared memory.
// | Theory of operation. The memory belongs to one side at a time, given by `turn`. The program writes a call
// and hands over the turn; the device process replies, or first asks a question (for the program's memory or
// call site), which is answered in the same way. The waiting side spins briefly, then sleeps on a futex, and
// periodically checks that the other side is alive: the socket closes when the other process ends.
// | If there are fewer cores than processes, each round trip costs two context switches. A call therefore
// carries what the device process is likely to request (the call site, small sources of copies), and calls
// without a result are posted: they are sent with the next call that needs a reply.
// | The device process trusts nothing in the mailbox. It copies a message before parsing it, because the
// program may write to the memory at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpmark::simulator {

enum class Turn : std::uint32_t { program, device };

// Kinds of messages. The program sends a call, or the answer to a question. The device process sends the
// result of a call, or a question.
enum class Message : std::uint32_t {
  call,
  answer,
  done,        // carries the result of a runtime call
  call_site,   // requests the call stack of the current runtime call
  read,        // requests bytes of the program's memory, whose range is given by an Exchange
  write,       // writes bytes to the program's memory; data: an Exchange (the address range), then the bytes
  move,        // copies bytes within the program's memory, as given by an Exchange (source and destination)
  function,    // requests the call of a host function; data: a HostFunction
  print_out,   // prints the data to the program's stdout
  print_error  // prints to the program's stderr
};

// Range of the program's memory that a message of the device process reads or writes; any data follow it.
// `to` is the destination of Message::move.
struct Exchange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t to = 0;
};

// Limits in bytes on the data attached to a call or result, without the Exchange in front of the data, and on
// a serialised call site.
inline constexpr std::size_t kMostAttached = 64 << 10;
inline constexpr std::size_t kMostSite = 4096;

struct Mailbox {
  static constexpr std::size_t kRoom = std::size_t{1} << 20;
  // Offset in `room` of the data that follow the Exchange of a question. Aligned, so that copies are fast.
  static constexpr std::size_t kDataOffset = 64;
  static constexpr std::size_t kMostData = kRoom - kDataOffset;

  std::atomic<Turn> turn;
  std::atomic<std::uint32_t> asleep;  // number of processes (program, device process) that wait on the futex
  std::atomic<std::int32_t> owner;    // pid of the process that owns the device; 0: not claimed yet
  Message kind;
  // Sizes in bytes of the parts of a message, which lie in `room` in this order. Only calls have `posted` and
  // `site`. `posted` is the size of the buffered calls without a result, each preceded by its own size
  // (std::uint32_t).
  std::uint32_t posted;
  std::uint32_t bytes;  // size of the call, question, answer or result of this message
  std::uint32_t site;   // size of the call site that the program sends with a call; 0: not sent
  // Size of an Exchange and the data of its range. With a call: bytes of the program's memory that the device
  // process is likely to read. With a result: bytes to write to the program's memory.
  std::uint32_t attached;
  // Number of the calling host thread; 1 if its default stream is the per-thread one, else 0.
  std::uint32_t thread;
  std::uint32_t own_default_stream;
  // A result ends with serialised watches on host memory (both/host_watch.h), which replace the program's
  // current watches. kAsBefore: the result has none, and the current watches remain.
  static constexpr std::uint32_t kAsBefore = ~std::uint32_t{0};
  std::uint32_t watches;  // size in bytes of the serialised watches, or kAsBefore
  alignas(64) std::array<std::byte, kRoom> room;
};

// Adaptive spinning: number of polls before a waiting side sleeps. Grows while spinning succeeds and shrinks
// while it fails, as it does with fewer cores than processes.
struct Patience {
  int looks = 64;
};

// Waits until the mailbox belongs to `turn`. Returns false if the other end of the socket is closed: the
// other process has ended.
bool await(Mailbox& mailbox, Turn turn, int socket, Patience& patience);
// Hands the mailbox over to the side `to` and wakes that process. The caller has written the message (kind,
// sizes and room) before.
void hand_over(Mailbox& mailbox, Turn to);

}  // namespace warpmark::simulator
