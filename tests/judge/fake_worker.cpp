// A worker that misbehaves in the way that a request to load a library "please" names in its path, after a
// colon with an argument, and otherwise answers like one with a device (see fake_device.h). What it is to do
// instead of its first answer stands in a file "at_hello" beside it.
//
// Called warpmark-device it is the fake worker's simulated device, which tells the judge what the worker told
// it to.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/wire/channel.h"
#include "tests/judge/fake_device.h"

namespace {

namespace wire = warpmark::wire;

constexpr int kSocket = 3;
constexpr int kLastWords = 4;
constexpr int kToDevice = 5;  // of the worker
constexpr int kToWorker = 4;  // of the device

void write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0) ::_exit(9);
    done += static_cast<std::size_t>(written);
  }
}

std::string frame_of(const std::string& text, std::uint32_t length = 0) {
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

void replace(std::string& text, const std::string& part, const std::string& by) {
  if (const std::size_t at = text.find(part); at != std::string::npos) text.replace(at, part.size(), by);
}

// Does what `what` names. Returns the bytes to send in the ordinary way.
std::string misbehave(const std::string& what, const std::string& argument, wire::NumberedReply reply) {
  const std::uint64_t number = reply.number;
  const auto loaded = [&](std::string text) {
    std::get<wire::LoadReply>(reply.reply).not_loaded = std::move(text);
  };
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "abort") std::abort();
  if (what == "exit") ::_exit(std::atoi(argument.c_str()));
  if (what == "stall") wait_for_ever();
  if (what == "late") std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argument.c_str())));
  if (what == "wrong_number") reply.number = number + 1;
  if (what == "another_reply") reply.reply = wire::CopyReply{};
  if (what == "fail") {
    wire::FailedReply failed;
    failed.why = "out of memory";
    reply.reply = failed;
  }
  if (what == "no_before") wire::seen_in(reply.reply).before.reset();
  if (what == "no_events") wire::seen_in(reply.reply).observed.events.reset();
  if (what == "no_observer") std::get<wire::HelloReply>(reply.reply).observer = "no CUPTI here";
  if (what == "echo") loaded(std::to_string(number) + ":" + argument);
  if (what == "leave_a_thread") std::thread([] { wait_for_ever(); }).detach();
  if (what == "leave_a_thread_for") {
    std::thread([time = std::chrono::milliseconds(std::atoi(argument.c_str()))] {
      std::this_thread::sleep_for(time);
    }).detach();
  }
  if (what == "leave_a_daemon") loaded(std::to_string(leave_a_daemon()));
  std::string bytes = wire::encode(reply);
  const std::string numbered = "\"reply\":" + std::to_string(number);
  if (what == "number_as_text") replace(bytes, numbered, "\"reply\":\"" + std::to_string(number) + "\"");
  if (what == "no_number") replace(bytes, numbered, "\"no\":1");
  if (what == "no_launches") replace(bytes, "\"launches\":[],", "");
  if (what == "unknown_member") replace(bytes, "{", "{\"points\":100,");
  if (what == "raw") bytes = argument;
  // In one write: when the judge has read the first, the second is there.
  if (what == "answer_twice") write_all(kSocket, frame_of(bytes) + frame_of(bytes));
  if (what == "answer_ahead") {
    reply.number = number + 1;
    write_all(kSocket, frame_of(bytes) + frame_of(wire::encode(reply)));
    reply.number = number + 2;
    bytes = wire::encode(reply);
  }
  if (what == "print_into_the_channel") {
    write_all(kSocket, "sum = 42\n");
    wait_for_ever();
  }
  if (what == "half_an_answer") {
    write_all(kSocket, frame_of(bytes).substr(0, 7));
    wait_for_ever();
  }
  if (what == "huge_answer") {
    write_all(kSocket, frame_of(bytes, wire::kFrameLimit + 1));
    wait_for_ever();
  }
  // 15 MB of small objects where one member is expected.
  if (what == "long_list") {
    std::string list = "[";
    for (int i = 0; i < 5'000'000; ++i) list += "{},";
    replace(bytes, "\"findings\":[]", "\"findings\":" + list + "{}]");
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
  if (what == "leave_a_daemon_and_exit") {
    write_all(kLastWords, std::to_string(leave_a_daemon()));  // told this way, as no answer comes
    ::_exit(0);
  }
  if (what == "last_words") {
    write_all(kLastWords, argument);
    ::raise(SIGSEGV);
  }
  if (what == "answer_and_die") {
    // Held open until this process is gone, so that the test can wait for that.
    ::open(argument.c_str(), O_WRONLY | O_CLOEXEC);
    write_all(kSocket, frame_of(bytes));
    ::raise(SIGSEGV);
  }
  return bytes;
}

std::string misbehave(const std::string& how, wire::NumberedReply reply) {
  const std::size_t colon = how.find(':');
  return misbehave(how.substr(0, colon), colon == std::string::npos ? "" : how.substr(colon + 1),
                   std::move(reply));
}

// What the judge gave to the device for this request: the device passes it on. The values of patches and the
// run mode, which the device keeps until it is given another one, come back to the request.
std::vector<warpmark::UniqueFd> given_to_device(wire::Channel& device, wire::Request& request,
                                                wire::RunMode& mode) {
  std::vector<warpmark::UniqueFd> files;
  while (device.has_unread()) {
    auto frame = device.receive(wire::Channel::kNoDeadline);
    if (!frame) ::_exit(9);
    files = std::move(frame->descriptors);
    mode = wire::decode_device_request(frame->bytes)->mode.value_or(mode);
  }
  auto* call = std::get_if<wire::Call>(&request);
  if (call == nullptr) return files;
  if (call->mode != wire::RunMode{}) ::_exit(8);  // a real worker is not told how its kernels run
  call->mode = mode;
  if (call->patches.empty()) return files;
  off_t at = 0;
  for (wire::Patch& patch : call->patches) {
    if (::pread(files.front().get(), &patch.value, patch.where.bytes, at) < 0) ::_exit(9);
    at += static_cast<off_t>(patch.where.bytes);
  }
  files.erase(files.begin());
  return files;
}

// What the device is to say of this reply's request.
void tell_device(warpmark::fake::Device& device, wire::Channel& channel, const wire::Request& request,
                 wire::Reply reply, bool audited) {
  const wire::Seen& seen = wire::seen_in(reply);
  wire::DeviceReply told;
  if (const auto* call = std::get_if<wire::Call>(&request)) {
    told.calls = std::min(call->calls, call->turns);
    constexpr std::uint64_t kAnHour = 3'600'000'000;  // microseconds
    static std::uint64_t used = 0;
    if (call->library == "limited" && call->mode.launch_instructions != 0) used += kAnHour;
    told.processor_us = used;
    for (const wire::Patch& patch : call->patches) told.taken += call->turns * patch.where.bytes;
    for (const wire::View& view : call->reads) told.saved += call->turns * view.bytes;
  }
  if (const auto* read = std::get_if<wire::Read>(&request)) {
    for (const wire::View& view : read->reads) told.saved += view.bytes;
  }
  if (std::holds_alternative<wire::Upload>(request)) told.calls = 1;
  told.before = seen.before.value_or(wire::Observation{});
  told.observed = seen.observed;
  const bool is_call = std::holds_alternative<wire::CallReply>(reply) ||
                       std::holds_alternative<wire::UploadReply>(reply) ||
                       std::holds_alternative<wire::CanaryReply>(reply);
  told.marks = is_call || audited ? 1 : 0;
  static_cast<void>(channel.send(device.distorted(wire::encode(told)), {}, wire::Channel::kNoDeadline));
}

int be_the_device() {
  wire::Channel judge{warpmark::UniqueFd(kSocket)};
  wire::Channel worker{warpmark::UniqueFd(kToWorker)};
  for (;;) {
    const auto frame = judge.receive(wire::Channel::kNoDeadline);
    if (!frame) return 0;
    const auto asked = wire::decode_device_request(frame->bytes);
    if (!asked) return 1;
    std::vector<int> files;
    for (const auto& file : frame->descriptors) files.push_back(file.get());
    const bool passes_on = !files.empty() || asked->mode;
    if (passes_on && !worker.send(frame->bytes, files, wire::Channel::kNoDeadline)) return 1;
    wire::DeviceReply nothing;
    nothing.before.events.emplace();
    nothing.observed.events.emplace();
    std::string reply = wire::encode(nothing);
    while (asked->drain && worker.has_unread()) {
      const auto told = worker.receive(wire::Channel::kNoDeadline);
      if (!told) return 1;
      reply = told->bytes;
    }
    replace(reply, "\"number\":0", "\"number\":" + std::to_string(asked->number));
    if (!judge.send(reply, {}, wire::Channel::kNoDeadline)) return 0;
  }
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): one that throws is one that died
int main(int /*argc*/, char** argv) {
  if (std::filesystem::path(argv[0]).filename() == "warpmark-device") return be_the_device();
  std::optional<wire::Channel> to_device;
  if (std::filesystem::path(argv[0]).filename() == "warpmark-worker-simulator")
    to_device.emplace(warpmark::UniqueFd(kToDevice));
  bool audited = false;
  wire::Channel channel{warpmark::UniqueFd(kSocket)};
  wire::RunMode mode;  // of the device
  warpmark::fake::Device device;
  const std::filesystem::path folder = std::filesystem::path(argv[0]).parent_path();
  device.play(std::string_view(argv[0]).ends_with("simulator") ? "simulator" : "gpu");
  double* clock_ms = fake_clock(folder / "clock_ms");
  device.keep_time_in(clock_ms);
  const std::string at_hello = warpmark::read_file(folder / "at_hello").value_or("");
  if (at_hello == "record_nothing") device.record_nothing();
  for (;;) {
    const auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) return 0;
    const auto asked = wire::decode_request(frame->bytes);
    if (!asked) return 1;
    std::string bytes;
    const auto* load = std::get_if<wire::Load>(&asked->request);
    if (load != nullptr && load->library == "please") {
      wire::LoadReply reply;
      reply.before.emplace().events.emplace();
      reply.observed.events.emplace();
      bytes = misbehave(load->path, {asked->number, reply});
    } else {
      wire::Request request = asked->request;
      const auto files =
          to_device ? given_to_device(*to_device, request, mode) : std::vector<warpmark::UniqueFd>();
      const wire::NumberedReply reply{asked->number,
                                      device.answer(request, files.empty() ? frame->descriptors : files)};
      if (to_device) tell_device(device, *to_device, request, reply.reply, audited);
      if (const auto* hello = std::get_if<wire::Hello>(&asked->request)) audited = hello->observe;
      const bool at_first = std::holds_alternative<wire::Hello>(asked->request) && !at_hello.empty();
      bytes = at_first ? misbehave(at_hello, reply) : device.distorted(wire::encode(reply));
    }
    if (!channel.send(bytes, {}, wire::Channel::kNoDeadline)) return 0;
  }
}
