// One call at a time between a program and its device, through memory that both have mapped.
//
// Theory of operation. The memory belongs to one side at a time: `turn` says whose it is. The program writes
// a call there and gives the turn away; the device answers, or asks something back first (the program's
// memory, where in its code it is) and gets its answer in the same way. Who waits looks again for a moment,
// then sleeps on a futex, and from time to time makes sure that the other side is still there: its end of the
// socket closes with its process.
//
// A message costs two changes of process where there are fewer processors than processes, so a call takes
// along what the device is likely to ask for (the place of the call, small sources of copies), and what need
// not be answered waits for the next call that has to be.
//
// The device trusts nothing in here. It copies a message before it reads it, because the program may write
// there at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpmark::simulator {

enum class Turn : std::uint32_t { program, device };

// What a message is. From the program: a call, or the answer to a question. From the device: the end of a
// call, or a question.
enum class Message : std::uint32_t {
  call,
  answer,
  done,        // the result of the call
  call_site,   // "where are you?"
  read,        // "give me these bytes": an Exchange
  write,       // "take these bytes": an Exchange, then the bytes
  move,        // "copy this to there": an Exchange with `to`
  function,    // "call this": a HostFunction
  print_out,   // "write this to your stdout"
  print_error  // the same of stderr
};

// What a question is about: memory of the program.
struct Exchange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t to = 0;
};

// An Exchange's bytes follow it.
inline constexpr std::size_t kMostAttached = 64 << 10;
inline constexpr std::size_t kMostSite = 4096;

struct Mailbox {
  static constexpr std::size_t kRoom = std::size_t{1} << 20;
  // Behind an Exchange, so that copies are aligned.
  static constexpr std::size_t kDataOffset = 64;
  static constexpr std::size_t kMostData = kRoom - kDataOffset;

  std::atomic<Turn> turn;
  std::atomic<std::uint32_t> asleep;  // how many wait on the futex
  std::atomic<std::int32_t> owner;    // the process whose device this is; 0: nobody's yet
  Message kind;
  // Of the parts of a message, which lie in the room in this order. The first and the third belong to calls.
  std::uint32_t posted;  // calls that nobody waits for, each behind its size (std::uint32_t)
  std::uint32_t bytes;   // the message
  std::uint32_t site;    // where the call was made: an answer to `call_site`; none: to be asked for
  // With a call an Exchange, bytes of the program that it is likely to read; with its end those that the
  // program is to write.
  std::uint32_t attached;
  // Of the thread that makes the call: its number, and whether the default stream is its own (0 or 1).
  std::uint32_t thread;
  std::uint32_t own_default_stream;
  // With the end of a call, behind the others: memory that the program is to watch (order/watch.h), in place
  // of what it watches; kAsBefore: nothing new.
  static constexpr std::uint32_t kAsBefore = ~std::uint32_t{0};
  std::uint32_t watches;  // bytes
  alignas(64) std::array<std::byte, kRoom> room;
};

// How long one side looks before it sleeps: as long as that has been worth it lately. It is not where there
// are fewer processors than processes.
struct Patience {
  int looks = 64;
};

// Waits for the turn. False when the other end of the socket is closed, and its turn will not end any more.
bool await(Mailbox& mailbox, Turn turn, int socket, Patience& patience);
// Gives the turn to the other side; kind, bytes and room are written.
void hand_over(Mailbox& mailbox, Turn to);

}  // namespace warpmark::simulator
