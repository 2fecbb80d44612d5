#include "harness/simulator/messages/mailbox.h"

#include <ctime>
#include <thread>

#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warpmark::simulator {
namespace {

// A call that does next to nothing comes back within this many looks; more would take time from the other side
// where there are fewer processors than processes.
constexpr int kLooks = 200;
constexpr timespec kLookAfter{0, 50'000'000};

void pause_for_a_moment() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

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

bool await(Mailbox& mailbox, Turn turn, int socket) {
  static const int looks = std::thread::hardware_concurrency() > 1 ? kLooks : 1;
  for (int i = 0; i < looks; ++i) {
    if (mailbox.turn.load(std::memory_order_acquire) == turn) return true;
    pause_for_a_moment();
  }
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
