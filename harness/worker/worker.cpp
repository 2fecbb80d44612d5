// The worker: the untrusted process that loads a submission. It answers the judge's numbered requests over
// the socket at descriptor 3 until that closes; descriptor 4 takes its last words.
#include <unistd.h>

#include "harness/wire/channel.h"
#include "harness/worker/session.h"

int main() {
  namespace wire = warpmark::wire;
  constexpr int kSocket = 3;
  constexpr int kLastWords = 4;
  wire::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::Session session(warpmark::make_observer(kLastWords));
  for (;;) {
    const auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) break;
    const auto asked = wire::decode_request(frame->bytes);
    if (!asked) break;
    const std::string reply =
        wire::encode({asked->number, session.answer(asked->request, frame->descriptors)});
    if (!channel.send(reply, {}, wire::Channel::kNoDeadline)) break;
  }
  ::_exit(0);  // destructors and atexit functions of student libraries have no say
}
