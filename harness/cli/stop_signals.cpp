#include "harness/cli/stop_signals.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace warpmark::cli {

StopSignals::StopSignals(std::string message) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  signals_ = UniqueFd(signalfd(-1, &watched, SFD_CLOEXEC));
  wake_ = UniqueFd(eventfd(0, EFD_CLOEXEC));
  watcher_ = std::jthread([this, message = std::move(message)] {
    std::array<pollfd, 2> waits{pollfd{signals_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
    while (::poll(waits.data(), waits.size(), -1) < 0) {
    }
    if ((waits[0].revents & POLLIN) == 0) return;
    fmt::print(stderr, "\nwarpmark {}\n", message);
    source_.request_stop();
  });
}

StopSignals::~StopSignals() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

}  // namespace warpmark::cli
