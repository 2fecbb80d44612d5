// The worker: the untrusted process that loads a submission. It answers the judge's numbered requests over
// the socket at descriptor 3 until that closes; descriptor 4 takes its last words; on the simulator,
// descriptor 5 is the way to the device. With --sealed it makes no process and sends no signal after the
// first of them (harness/sandbox/filter.h).
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/sandbox/filter.h"
#include "harness/wire/channel.h"
#include "harness/worker/session.h"

int main(int argc, char** argv) {
  namespace wire = warpmark::wire;
  constexpr int kSocket = 3;
  constexpr int kLastWords = 4;
  // What a submission prints before it crashes shall not be lost in a buffer.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  wire::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::Session session(warpmark::make_observer(kLastWords), kLastWords);
  // Once the device is set up, and before any code of others is here.
  bool to_be_sealed = argc > 1 && std::string_view(argv[1]) == "--sealed";
  for (;;) {
    const auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) break;
    const auto asked = wire::decode_request(frame->bytes);
    if (!asked) break;
    wire::Reply reply = session.answer(asked->request, frame->descriptors);
    if (std::exchange(to_be_sealed, false)) {
      const int error = warpmark::sandbox::install(warpmark::sandbox::Filter::sealed);
      if (error != 0) {
        wire::FailedReply failed;
        failed.why = fmt::format("no system call filter: {}", std::strerror(error));
        reply = std::move(failed);
      }
    }
    if (!channel.send(wire::encode({asked->number, std::move(reply)}), {}, wire::Channel::kNoDeadline)) break;
  }
  ::_exit(0);  // destructors and atexit functions of student libraries have no say
}
