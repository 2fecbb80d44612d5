// Synchronous calls from a program to its device through shared memory.
// | Theory of operation. The memory belongs to one side at a time, given by `turn`. The program writes a call
// and hands over the turn; the device answers, or first asks a question (for the program's memory or call
// site), which is answered in the same way. The waiting side spins briefly, then sleeps on a futex, and
// periodically checks that the other side is alive: the socket closes when the other process ends.
// | If there are fewer cores than processes, each round-trip costs two context switches. A call therefore
// carries what the device is likely to ask for (the call site, small sources of copies), and calls without a
// result are posted: they are sent with the next call that needs an answer.
// | The device trusts nothing in here. It copies a message before parsing it, because the program may write
// to the memory at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpmark::simulator {

enum class Turn : std::uint32_t { program, device };

// Kinds of messages. From the program: a call, or the answer to a question. From the device: the result of a
// call, or a question.
enum class Message : std::uint32_t {
  call,
  answer,
  done,        // the result of the call
  call_site,   // asks for the call site
  read,        // asks for bytes of the program's memory: an Exchange
  write,       // writes to the program's memory: an Exchange, then the bytes
  move,        // copies within the program's memory: an Exchange with `to`
  function,    // asks the program to call a host function: a HostFunction
  print_out,   // prints to the program's stdout
  print_error  // prints to the program's stderr
};

// The range in the program's memory that a question is about.
struct Exchange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t to = 0;
};

// Maximum number of bytes attached to a call or result, after their Exchange.
inline constexpr std::size_t kMostAttached = 64 << 10;
inline constexpr std::size_t kMostSite = 4096;

struct Mailbox {
  static constexpr std::size_t kRoom = std::size_t{1} << 20;
  // Data starts at this offset, after an Exchange, so that copies are aligned.
  static constexpr std::size_t kDataOffset = 64;
  static constexpr std::size_t kMostData = kRoom - kDataOffset;

  std::atomic<Turn> turn;
  std::atomic<std::uint32_t> asleep;  // number of sides waiting on the futex
  std::atomic<std::int32_t> owner;    // pid of the process that owns the device; 0: not claimed yet
  Message kind;
  // Sizes in bytes of the parts of a message, which lie in `room` in this order. `posted` and `site` are used
  // by calls only.
  std::uint32_t posted;  // posted calls, each preceded by its size (std::uint32_t)
  std::uint32_t bytes;   // the message
  std::uint32_t site;    // the call site, as in an answer to `call_site`; 0: not sent, the device has to ask
  // An Exchange and data. With a call: bytes of the program that the device is likely to read. With a result:
  // bytes to write to the program's memory.
  std::uint32_t attached;
  // The calling thread's number, and whether it uses the per-thread default stream (0 or 1).
  std::uint32_t thread;
  std::uint32_t own_default_stream;
  // With a result, after the other parts: the watches (both/host_watch.h) that replace the program's current
  // ones, or kAsBefore if they have not changed.
  static constexpr std::uint32_t kAsBefore = ~std::uint32_t{0};
  std::uint32_t watches;  // size in bytes
  alignas(64) std::array<std::byte, kRoom> room;
};

// Adaptive spinning: how many times a side polls before it sleeps. Grows while spinning succeeds and shrinks
// while it does not, as with fewer cores than processes.
struct Patience {
  int looks = 64;
};

// Waits for the turn. Returns false if the other end of the socket is closed: the turn will never come.
bool await(Mailbox& mailbox, Turn turn, int socket, Patience& patience);
// Gives the turn to the other side. kind, sizes and room must be written before.
void hand_over(Mailbox& mailbox, Turn to);

}  // namespace warpmark::simulator
