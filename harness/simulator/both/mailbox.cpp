#include "harness/simulator/both/mailbox.h"

#include <algorithm>
#include <ctime>

#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/base/pause.h"

namespace warpmark::simulator {
namespace {

// Waiting for the other process: upper and lower bound on the number of polls before the wait becomes a futex
// sleep (the upper one suffices for a trivial call), and nanoseconds of sleep between checks that the other
// process is alive.
constexpr int kMostLooks = 256;
constexpr int kLeastLooks = 4;
constexpr timespec kLookAfter{0, 50'000'000};

void* word_of(Mailbox& mailbox) {
  static_assert(sizeof mailbox.turn == sizeof(std::uint32_t) && std::atomic<Turn>::is_always_lock_free);
  return &mailbox.turn;
}

bool is_closed(int socket) {
  pollfd end{socket, 0, 0};
  return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

Turn other(Turn turn) {
  return turn == Turn::program ? Turn::device : Turn::program;
}

}  // namespace

bool await(Mailbox& mailbox, Turn turn, int socket, Patience& patience) {
  for (int i = 0; i < patience.looks; ++i) {
    if (mailbox.turn.load(std::memory_order_acquire) == turn) {
      patience.looks = std::min(2 * patience.looks, kMostLooks);
      return true;
    }
    pause_for_a_moment();
  }
  patience.looks = std::max(patience.looks / 2, kLeastLooks);
  while (mailbox.turn.load(std::memory_order_acquire) != turn) {
    mailbox.asleep.fetch_add(1);
    if (mailbox.turn.load() != turn)
      syscall(SYS_futex, word_of(mailbox), FUTEX_WAIT, static_cast<std::uint32_t>(other(turn)), &kLookAfter);
    mailbox.asleep.fetch_sub(1);
    if (mailbox.turn.load(std::memory_order_acquire) != turn && is_closed(socket)) return false;
  }
  return true;
}

void hand_over(Mailbox& mailbox, Turn to) {
  mailbox.turn.store(to);
  if (mailbox.asleep.load() != 0) syscall(SYS_futex, word_of(mailbox), FUTEX_WAKE, 1);
}

}  // namespace warpmark::simulator
