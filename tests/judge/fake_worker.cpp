// A worker that misbehaves in the way that the request names, and otherwise answers like one with a device
// (see fake_device.h). What it is to do instead of its first answer stands in a file "at_hello" beside it.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/worker/channel.h"
#include "tests/judge/fake_device.h"

namespace {

using nlohmann::json;

constexpr int kSocket = 3;
constexpr int kLastWords = 4;

void write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0) ::_exit(9);
    done += static_cast<std::size_t>(written);
  }
}

std::string frame_of(const json& body, std::uint32_t length = 0) {
  const std::string text = body.dump();
  if (length == 0) length = static_cast<std::uint32_t>(text.size());
  std::string frame(sizeof length, '\0');
  std::memcpy(frame.data(), &length, sizeof length);
  return frame + text;
}

// A number in a file that all fake workers of a test and the test itself share; none where it is missing.
double* fake_clock(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  void* shared = ::mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  return shared == MAP_FAILED ? nullptr : static_cast<double*>(shared);
}

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

// A process of its own session that nothing polite ends; returns its id.
pid_t leave_a_daemon() {
  int ends[2];
  if (::pipe(ends) != 0) ::_exit(9);
  if (::fork() == 0) {
    ::setsid();
    const pid_t daemon = ::fork();
    if (daemon != 0) ::_exit(0);
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    const pid_t self = ::getpid();
    if (::write(ends[1], &self, sizeof self) != sizeof self) ::_exit(9);
    wait_for_ever();
  }
  pid_t daemon = -1;
  if (::read(ends[0], &daemon, sizeof daemon) != sizeof daemon) ::_exit(9);
  return daemon;
}

// Does what `what` names. Returns the answer when one is to be sent in the ordinary way.
json misbehave(const std::string& what, const json& request, json reply) {
  const std::uint64_t number = request.value("request", std::uint64_t{0});
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "abort") std::abort();
  if (what == "exit") ::_exit(request.value("status", 0));
  if (what == "stall") wait_for_ever();
  if (what == "wrong_number") reply["reply"] = number + 1;
  if (what == "number_as_text") reply["reply"] = std::to_string(number);
  if (what == "no_number") reply.erase("reply");
  if (what == "fail") reply["failed"] = "out of memory";
  if (what == "no_observer") reply["observer"] = "no CUPTI here";
  if (what == "echo") reply["echo"] = request;
  if (what == "answer_twice") write_all(kSocket, frame_of(reply));
  if (what == "answer_ahead") {
    json ahead = reply;
    ahead["reply"] = number + 1;
    write_all(kSocket, frame_of(reply) + frame_of(ahead));
    reply["reply"] = number + 2;
  }
  if (what == "print_into_the_channel") {
    write_all(kSocket, "sum = 42\n");
    wait_for_ever();
  }
  if (what == "half_an_answer") {
    write_all(kSocket, frame_of(reply).substr(0, 7));
    wait_for_ever();
  }
  if (what == "huge_answer") {
    write_all(kSocket, frame_of(reply, warpmark::kFrameLimit + 1));
    wait_for_ever();
  }
  if (what == "flood") {
    const std::string line(1023, 'x');
    for (int i = 0; i < 8192; ++i) std::puts(line.c_str());
    std::fflush(stdout);
  }
  if (what == "print_and_crash") {
    std::puts("about to crash");
    std::fputs("on stderr, too\n", stderr);
    std::fflush(stdout);
    ::raise(SIGSEGV);
  }
  if (what == "close_channel") {
    ::close(kSocket);
    wait_for_ever();
  }
  if (what == "leave_a_daemon") reply["daemon"] = leave_a_daemon();
  if (what == "leave_a_daemon_and_exit") {
    write_all(kLastWords, std::to_string(leave_a_daemon()));  // told this way, as no answer comes
    ::_exit(0);
  }
  if (what == "last_words") {
    write_all(kLastWords, request.at("words").get<std::string>());
    ::raise(SIGSEGV);
  }
  if (what == "answer_and_die") {
    // Held open until this process is gone, so that the test can wait for that.
    ::open(request.at("held").get<std::string>().c_str(), O_WRONLY | O_CLOEXEC);
    write_all(kSocket, frame_of(reply));
    ::raise(SIGSEGV);
  }
  return reply;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): one that throws is one that died
int main(int /*argc*/, char** argv) {
  warpmark::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::fake::Device device;
  const std::filesystem::path folder = std::filesystem::path(argv[0]).parent_path();
  double* clock_ms = fake_clock(folder / "clock_ms");
  device.keep_time_in(clock_ms);
  const std::string at_hello = warpmark::read_file(folder / "at_hello").value_or("");
  if (at_hello == "record_nothing") device.record_nothing();
  for (;;) {
    const auto frame = channel.receive(warpmark::Channel::kNoDeadline);
    if (!frame) return 0;
    const json& request = frame->body;
    const std::string what = request.at("do");
    json reply;
    if (what == "hello") {
      reply = {{"devices", 1},
               {"device", "fake"},
               {"observer", ""},
               {"l2_bytes", 4096},
               {"multiprocessors", 1},
               {"clock_hz", 1e9},
               {"free_bytes", std::uint64_t{1} << 33}};
    } else if (!what.starts_with("please ")) {
      reply = device.answer(request, frame->descriptors);
    }
    reply["reply"] = request.at("request");
    if (what.starts_with("please ")) reply = misbehave(what.substr(7), request, reply);
    if (what == "hello" && !at_hello.empty()) reply = misbehave(at_hello, request, reply);
    if (!channel.send(reply, {}, warpmark::Channel::kNoDeadline)) return 0;
  }
}
