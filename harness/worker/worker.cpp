// The worker: the untrusted process that loads a submission. It answers the judge's numbered requests over
// the socket at descriptor 3 until that closes; descriptor 4 takes its last words.
#include <cstdint>

#include <unistd.h>

#include "harness/worker/channel.h"
#include "harness/worker/session.h"

int main() {
  constexpr int kSocket = 3;
  constexpr int kLastWords = 4;
  warpmark::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::Session session(warpmark::make_observer(kLastWords));
  for (;;) {
    const auto frame = channel.receive(warpmark::Channel::kNoDeadline);
    if (!frame) break;
    nlohmann::json reply = session.answer(frame->body, frame->descriptors);
    reply["reply"] = frame->body.value("request", std::uint64_t{0});
    if (!channel.send(reply, {}, warpmark::Channel::kNoDeadline)) break;
  }
  ::_exit(0);  // destructors and atexit functions of student libraries have no say
}
