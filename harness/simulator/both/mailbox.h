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

// Kinds of messages between the CUDA program's process and the simulator's device process. The program sends
// a call, or the answer to a question; the device process sends a question, or the result of a call.
enum class Message : std::uint32_t {
  call,
  answer,
  done,       // message: the device process returns the result of a CUDA runtime call
  call_site,  // message: the device process requests the call stack of the current CUDA runtime call
  read,       // message: the device process requests the program's memory in an Exchange's address range
  // message: the device process sends an Exchange (address range) and bytes to write there in the program
  write,
  // message: the device process makes the program copy within its own memory, as given by an Exchange
  move,
  function,    // message: the device process makes the program call a host function of a stream
  print_out,   // message: the device process makes the program print the data to stdout
  print_error  // prints to the program's stderr
};

// Address range of the program's memory that the device process asks to read or write, in front of any data
// in the message. `to` is the destination of a copy within the program's memory (Message::move).
struct Exchange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t to = 0;
};

// Limits in bytes on what a message between program and device process carries along to save a round trip:
// memory contents, and a serialised call stack.
inline constexpr std::size_t kMostAttached = 64 << 10;
inline constexpr std::size_t kMostSite = 4096;

struct Mailbox {
  static constexpr std::size_t kRoom = std::size_t{1} << 20;
  // Offset in a message of the data that follow an address range (Exchange). Aligned to a cache line, so that
  // copies are fast.
  static constexpr std::size_t kDataOffset = 64;
  static constexpr std::size_t kMostData = kRoom - kDataOffset;

  std::atomic<Turn> turn;
  std::atomic<std::uint32_t> asleep;  // number of processes that sleep on the shared-memory mailbox's futex
  std::atomic<std::int32_t> owner;    // pid of the process that owns the simulated device; 0: not claimed yet
  Message kind;
  // A mailbox message's parts lie in `room` in this order: buffered calls without a result (each preceded by
  // its own size as std::uint32_t), the message proper, the call stack, attached memory contents. The sizes
  // in bytes follow; only the program's calls have the first and the third part.
  std::uint32_t posted;
  std::uint32_t bytes;  // size of the mailbox message's main part: a call, question, answer or result
  std::uint32_t site;   // size of the call stack that the program sends along with a call; 0: not sent
  // Size of an Exchange (address range) and of the contents of that range of the program's memory. In a call:
  // contents that the device process will probably read. In a result: contents that the program must write.
  std::uint32_t attached;
  // `thread`: number of the host thread that makes the runtime call. `own_default_stream`: 1 if its default
  // stream is the per-thread one, else 0.
  std::uint32_t thread;
  std::uint32_t own_default_stream;
  // Size of the serialised watches on host memory (both/host_watch.h) at the end of a call's result, which
  // replace the program's watches. kAsBefore: the result has none, and the program keeps its watches.
  static constexpr std::uint32_t kAsBefore = ~std::uint32_t{0};
  std::uint32_t watches;
  alignas(64) std::array<std::byte, kRoom> room;
};

// Adaptive spinning: number of polls before a waiting side sleeps. Grows while spinning succeeds and shrinks
// while it fails, as it does with fewer cores than processes.
struct Patience {
  int looks = 64;
};

// Waits until it is this process's turn to use the mailbox. Returns false if the other process has ended, in
// which case the other end of the socket is closed.
bool await(Mailbox& mailbox, Turn turn, int socket, Patience& patience);
// Hands the shared-memory mailbox over to the other process and wakes it. The message must have been written
// before.
void hand_over(Mailbox& mailbox, Turn to);

}  // namespace warpmark::simulator
