#include "harness/simulator/device/program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/simulator/both/address_plan.h"
#include "harness/simulator/both/packing.h"
#include "harness/simulator/device/runtime/host_side.h"
#include "harness/wire/channel.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kMostFrames = 32;

// Creates a shared-memory file of `bytes` bytes; lowers `bytes` to RLIMIT_FSIZE if that is less. The file is
// sealed against resizing, because truncating a mapped file would kill the process that maps it (SIGBUS).
UniqueFd memory_file(const char* name, std::size_t& bytes) {
  rlimit most{};
  getrlimit(RLIMIT_FSIZE, &most);
  bytes = std::min<std::size_t>(bytes, most.rlim_cur / 4096 * 4096);
  UniqueFd file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    file.reset();
  }
  return file;
}

std::uint64_t number_of(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

CallSite site_in(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  CallSite site;
  site.function = unpacker.take_text();
  const auto frames = std::min<std::size_t>(unpacker.take<std::uint32_t>(), kMostFrames);
  for (std::size_t i = 0; i < frames; ++i) site.frames.push_back(unpacker.take<std::uint64_t>());
  return unpacker.failed() ? CallSite{} : site;
}

bool send_files(int socket, const std::vector<int>& files) {
  wire::Channel channel{UniqueFd(dup(socket))};
  return channel.send("", files, wire::Channel::kNoDeadline).has_value();
}

}  // namespace

HostProgram& HostProgram::instance() {
  static HostProgram program;
  return program;
}

std::string_view HostProgram::connect(UniqueFd socket) {
  socket_ = std::move(socket);
  std::size_t mailbox_bytes = sizeof(Mailbox);
  pages_.bytes = kHostWindowBytes;
  mailbox_file_ = memory_file("warpmark mailbox", mailbox_bytes);
  host_file_ = memory_file("warpmark host memory", pages_.bytes);
  if (!mailbox_file_ || !host_file_ || mailbox_bytes < sizeof(Mailbox))
    return "no file in memory can be made, or none as large as it has to be (ulimit -f)";
  pages_.file = host_file_.get();
  void* mapped = mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE, MAP_SHARED, mailbox_file_.get(), 0);
  if (mapped == MAP_FAILED) return "the mailbox cannot be mapped";
  mailbox_ = static_cast<Mailbox*>(mapped);
  if (!send_files(socket_.get(), {mailbox_file_.get(), host_file_.get()})) return "the program is not there";
  return {};
}

bool HostProgram::serve(const Answer& answer) {
  while (!gone_ && await(*mailbox_, Turn::device, socket_.get(), patience_)) {
    if (!take_call() || !answer_posted(answer)) return false;
    const std::size_t written = answer(call_, mailbox_->room);
    mailbox_->kind = Message::done;
    mailbox_->bytes = static_cast<std::uint32_t>(written);
    mailbox_->attached = static_cast<std::uint32_t>(kept_.size());
    if (!kept_.empty()) std::memcpy(mailbox_->room.data() + written, kept_.data(), kept_.size());
    put_watches(written + kept_.size());
    kept_.clear();
    hand_over(*mailbox_, Turn::program);
  }
  return true;
}

// Appends the changed list of host-memory watchpoints to a call's result, at byte `offset` of the
// shared-memory mailbox. If they do not fit, they are sent with the next call's result.
void HostProgram::put_watches(std::size_t offset) {
  mailbox_->watches = Mailbox::kAsBefore;
  if (!watches_) return;
  const std::size_t bytes = watches_->size() * sizeof(Watch);
  if (bytes > Mailbox::kRoom - offset) return;
  if (bytes != 0) std::memcpy(mailbox_->room.data() + offset, watches_->data(), bytes);
  mailbox_->watches = static_cast<std::uint32_t>(bytes);
  watches_.reset();
}

bool HostProgram::take_call() {
  // Message sizes are read from the shared-memory mailbox exactly once, because the untrusted CUDA program
  // may change them between validation and use.
  const std::array<std::size_t, 4> sizes{mailbox_->posted, mailbox_->bytes, mailbox_->site,
                                         mailbox_->attached};
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (mailbox_->kind != Message::call || total > Mailbox::kRoom) return false;
  message_.assign(mailbox_->room.data(), mailbox_->room.data() + total);
  thread_ = {mailbox_->thread, mailbox_->own_default_stream != 0};
  Unpacker message(message_);
  posted_ = message.take_bytes(sizes[0]);
  call_ = message.take_bytes(sizes[1]);
  site_.reset();
  if (const auto site = message.take_bytes(sizes[2]); !site.empty()) site_ = site_in(site);
  attached_ = message.take<Exchange>();
  attached_bytes_ = message.take_rest();
  attached_.bytes = attached_bytes_.size();
  return true;
}

bool HostProgram::answer_posted(const Answer& answer) {
  Unpacker posted(posted_);
  while (!posted.at_end()) {
    const auto call = posted.take_bytes(posted.take<std::uint32_t>());
    if (posted.failed()) return false;
    std::array<std::byte, 256> result;  // NOLINT(cppcoreguidelines-pro-type-member-init): written first
    const std::size_t size = answer(call, result);
    Unpacker answered(std::span<const std::byte>(result).first(size));
    if (posted_error_ == cudaSuccess) posted_error_ = answered.take<cudaError_t>();
  }
  return true;
}

void HostProgram::keep(void* there, const void* here, std::size_t bytes) {
  const Exchange exchange{number_of(there), bytes, 0};
  const auto* header = reinterpret_cast<const std::byte*>(&exchange);
  kept_.insert(kept_.end(), header, header + sizeof exchange);
  kept_.insert(kept_.end(), static_cast<const std::byte*>(here), static_cast<const std::byte*>(here) + bytes);
}

// Sends the buffered writes to the CUDA program's process at once instead of with the call's result, so that
// a later operation on that memory sees them.
bool HostProgram::send_kept() {
  const std::vector<std::byte> kept = std::exchange(kept_, {});
  for (std::size_t at = 0; at < kept.size();) {
    Exchange exchange;
    std::memcpy(&exchange, kept.data() + at, sizeof exchange);
    at += sizeof exchange;
    std::memcpy(mailbox_->room.data(), &exchange, sizeof exchange);
    std::memcpy(mailbox_->room.data() + Mailbox::kDataOffset, kept.data() + at, exchange.bytes);
    if (!ask(Message::write, Mailbox::kDataOffset + exchange.bytes)) return false;
    at += exchange.bytes;
  }
  return true;
}

bool HostProgram::ask(Message question, std::size_t bytes) {
  if (gone_) return false;
  mailbox_->kind = question;
  mailbox_->bytes = static_cast<std::uint32_t>(bytes);
  hand_over(*mailbox_, Turn::program);
  gone_ = !await(*mailbox_, Turn::device, socket_.get(), patience_) || mailbox_->kind != Message::answer;
  return !gone_;
}

bool HostProgram::read(void* here, const void* there, std::size_t bytes) {
  const std::uint64_t offset = number_of(there) - attached_.address;
  if (offset <= attached_.bytes && bytes <= attached_.bytes - offset) {
    std::memcpy(here, attached_bytes_.data() + offset, bytes);
    return true;
  }
  if (!send_kept()) return false;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, Mailbox::kMostData);
    const Exchange exchange{number_of(there) + done, part, 0};
    std::memcpy(mailbox_->room.data(), &exchange, sizeof exchange);
    if (!ask(Message::read, sizeof exchange)) return false;
    std::memcpy(static_cast<std::byte*>(here) + done, mailbox_->room.data() + Mailbox::kDataOffset, part);
    done += part;
  }
  return true;
}

bool HostProgram::write(void* there, const void* here, std::size_t bytes) {
  if (kept_.size() + bytes + sizeof(Exchange) <= kMostAttached) {
    keep(there, here, bytes);
    return true;
  }
  if (!send_kept()) return false;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, Mailbox::kMostData);
    const Exchange exchange{number_of(there) + done, part, 0};
    std::memcpy(mailbox_->room.data(), &exchange, sizeof exchange);
    std::memcpy(mailbox_->room.data() + Mailbox::kDataOffset, static_cast<const std::byte*>(here) + done,
                part);
    if (!ask(Message::write, Mailbox::kDataOffset + part)) return false;
    done += part;
  }
  return true;
}

bool HostProgram::move(void* to, const void* from, std::size_t bytes) {
  if (!send_kept()) return false;
  const Exchange exchange{number_of(from), bytes, number_of(to)};
  std::memcpy(mailbox_->room.data(), &exchange, sizeof exchange);
  return ask(Message::move, sizeof exchange);
}

void HostProgram::print_itself() {
  prints_itself_ = true;
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0) ::fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
}

void HostProgram::print(Message to, std::string_view text) {
  if (prints_itself_ && !prints_to_program_) {
    // A full pipe loses text: the judge keeps little of it, and a launch must not wait for the judge.
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    return;
  }
  for (std::size_t done = 0; done < text.size();) {
    const std::size_t part = std::min(text.size() - done, Mailbox::kMostData);
    std::memcpy(mailbox_->room.data(), text.data() + done, part);
    if (!ask(to, part)) return;
    done += part;
  }
}

// Makes the program's process call a host function. Buffered writes to its memory are sent first, so that the
// function sees them.
void HostProgram::call(const HostFunction& function) {
  if (!send_kept()) return;
  std::memcpy(mailbox_->room.data(), &function, sizeof function);
  ask(Message::function, sizeof function);
}

CallSite HostProgram::call_site() {
  if (site_) return *site_;
  if (!ask(Message::call_site, 0)) return {};
  const std::size_t bytes = std::min<std::size_t>(mailbox_->bytes, kMostSite);
  const std::vector<std::byte> answer(mailbox_->room.data(), mailbox_->room.data() + bytes);
  return site_.emplace(site_in(answer));
}

bool read_host(void* here, const void* there, std::size_t bytes) {
  return HostProgram::instance().read(here, there, bytes);
}

bool write_host(void* there, const void* here, std::size_t bytes) {
  return HostProgram::instance().write(there, here, bytes);
}

bool move_in_host(void* to, const void* from, std::size_t bytes) {
  return HostProgram::instance().move(to, from, bytes);
}

void print_on_host(std::string_view on_stdout, std::string_view on_stderr) {
  HostProgram::instance().print(Message::print_out, on_stdout);
  HostProgram::instance().print(Message::print_error, on_stderr);
}

HostThread host_thread() {
  return HostProgram::instance().thread();
}

void call_on_host(const HostFunction& function) {
  HostProgram::instance().call(function);
}

void watch_host(std::span<const Watch> watches) {
  HostProgram::instance().watch(watches);
}

// Hooks at the beginning and end of each CUDA runtime function. In the device process they are no-ops: the
// client library in the program's process tracks which threads are inside of a runtime function.
void begin_function(Runtime& /*runtime*/) {}
void end_function() {}

std::unique_ptr<DeviceMemory> make_device_memory() {
  return std::make_unique<DeviceMemory>(HostProgram::instance().pages());
}

CallSite call_site() {
  return HostProgram::instance().call_site();
}

}  // namespace warpmark::simulator
