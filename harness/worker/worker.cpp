// The worker: the untrusted process that loads a submission. It answers the judge's numbered requests over
// the socket at descriptor 3 until that closes; descriptor 4 takes its last words. With --sealed it makes no
// process and sends no signal after the first of them (harness/sandbox/filter.h).
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/sandbox/filter.h"
#include "harness/worker/channel.h"
#include "harness/worker/session.h"

int main(int argc, char** argv) {
  constexpr int kSocket = 3;
  constexpr int kLastWords = 4;
  warpmark::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::Session session(warpmark::make_observer(kLastWords));
  // Once the device is set up, and before any code of others is here.
  bool to_be_sealed = argc > 1 && std::string_view(argv[1]) == "--sealed";
  for (;;) {
    const auto frame = channel.receive(warpmark::Channel::kNoDeadline);
    if (!frame) break;
    nlohmann::json reply = session.answer(frame->body, frame->descriptors);
    if (std::exchange(to_be_sealed, false)) {
      const int error = warpmark::sandbox::install(warpmark::sandbox::Filter::sealed);
      if (error != 0) reply["failed"] = fmt::format("no system call filter: {}", std::strerror(error));
    }
    reply["reply"] = frame->body.value("request", std::uint64_t{0});
    if (!channel.send(reply, {}, warpmark::Channel::kNoDeadline)) break;
  }
  ::_exit(0);  // destructors and atexit functions of student libraries have no say
}
