// Signal handler of the program's process that reports a host access to device memory, or another crash, as a
// line of JSON (a finding); then SIGSEGV takes its normal course. The handler is async-signal-safe: no
// allocation, no locks, no stdio.
#include "harness/simulator/program/fault.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/watched_memory.h"

namespace warpmark::simulator {
namespace {

std::atomic<Address> device_begin{0};
std::atomic<std::size_t> device_bytes{0};
std::atomic<int> report_descriptor{-1};
std::atomic<bool> crashes_told{false};
constexpr Address kNullReach = 0x10000;  // faults below this address count as uses of a null pointer
struct sigaction previous_action;
struct sigaction previous_trap;
// Alternate signal stack: after a stack overflow the handler cannot run on the normal one.
alignas(16) std::array<char, 1 << 16> alternate_stack;

class Line {
 public:
  void add(std::string_view text) {
    const std::size_t count = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), count);
    size_ += count;
  }
  void add_decimal(std::uint64_t value) {
    std::array<char, 20> digits{};
    std::size_t first = digits.size();
    do digits[--first] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    add({digits.data() + first, digits.size() - first});
  }
  void write_to(int descriptor) const {
    for (std::size_t done = 0; done < size_;) {
      const ssize_t count = write(descriptor, text_.data() + done, size_ - done);
      if (count <= 0) return;
      done += static_cast<std::size_t>(count);
    }
  }

 private:
  std::array<char, 512> text_;
  std::size_t size_ = 0;
};

bool was_write([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr greg_t written = 2;  // bit 1 of the x86 page-fault error code: the access was a write
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & written) != 0;
#else
  return false;
#endif
}

#if defined(__x86_64__)
const void* register_of(const void* context, int which) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[which]);
}
const void* faulting_instruction(const void* context) {
  return register_of(context, REG_RIP);
}
const void* stack_of(const void* context) {
  return register_of(context, REG_RSP);
}
#else
const void* faulting_instruction(const void* /*context*/) {
  return nullptr;
}
const void* stack_of(const void* /*context*/) {
  return nullptr;
}
#endif

// Drops the frames inside the innermost call that occurs repeatedly, so that the trace of a stack overflow
// begins with the recursion. Returns the number of frames left.
int from_recursion(std::uint64_t* frames, int count) {
  constexpr int kRepeated = 3;
  for (int i = 0; i < count; ++i) {
    if (std::count(frames + i, frames + count, frames[i]) < kRepeated) continue;
    std::copy(frames + i, frames + count, frames);
    return count - i;
  }
  return count;
}

// Writes the call stack of a host program's crash on a line of its own, after the line with the finding,
// because unwinding a crashed program may fail.
void write_frames(const void* context, int descriptor, bool overflow = false) {
  constexpr int kWritten = 16;
  std::array<std::uint64_t, 64> frames{};
  int count = fault_frames(faulting_instruction(context), frames.data(), static_cast<int>(frames.size()));
  if (overflow) count = from_recursion(frames.data(), count);
  count = std::min(count, kWritten);
  if (count == 0) return;
  Line line;
  line.add(R"({"frames":[)");
  for (int i = 0; i < count; ++i) {
    if (i > 0) line.add(",");
    line.add_decimal(frames[static_cast<std::size_t>(i)]);
  }
  line.add("]}\n");
  line.write_to(descriptor);
}

void tell_crash(Address address, const void* context) {
  // distance in bytes from the stack pointer within which a fault counts as stack overflow
  constexpr Address kStackReach = 1 << 16;
  const Address stack = address_of(stack_of(context));
  const bool overflow = stack != 0 && address - (stack - kStackReach) < 2 * kStackReach;
  Line line;
  line.add(R"({"kind":"crashed","kernel":"","file":"","line":0,"message":"host code )");
  line.add(was_write(context) ? "wrote" : "read");
  if (overflow) {
    line.add(" past the end of its stack: a recursion that does not end, or too large a local array\"}\n");
  } else if (address < kNullReach) {
    line.add(" through a null pointer: was it ever set, and was the allocation tested?\"}\n");
  } else {
    line.add(
        " memory that the program does not have: an index out of range, or a pointer used after free\"}\n");
  }
  const int descriptor = report_descriptor.load();
  line.write_to(descriptor);
  write_frames(context, descriptor, overflow);
}

void explain(int /*signal*/, siginfo_t* info, void* context) {
  const Address address = address_of(info->si_addr);
  WatchedMemory* watched = WatchedMemory::current();
  if (watched != nullptr && watched->let_pass(address, was_write(context), context)) return;
  if (address - device_begin.load() >= device_bytes.load()) {
    if (crashes_told.exchange(false)) tell_crash(address, context);
    // A SIGSEGV outside device memory is left to the program: restores the previous signal action, which
    // takes effect when the retried access faults again.
    sigaction(SIGSEGV, &previous_action, nullptr);
    return;
  }
  Line line;
  line.add(R"({"kind":"device_pointer","kernel":"","file":"","line":0,"message":"host code )");
  line.add(was_write(context) ? "wrote to" : "read from");
  line.add(" device memory: the host cannot use a device pointer itself; copy with cudaMemcpy\"}\n");
  const int descriptor = report_descriptor.load();
  line.write_to(descriptor < 0 ? STDERR_FILENO : descriptor);
  signal(SIGSEGV, SIG_DFL);
  if (descriptor >= 0) write_frames(context, descriptor);
}

// Handles SIGTRAP: an instruction that accessed protected (watched) host pages has been single-stepped, so
// the pages are protected again.
void stepped(int /*signal*/, siginfo_t* /*info*/, void* context) {
  WatchedMemory* watched = WatchedMemory::current();
  if (watched != nullptr && watched->stepped(context)) return;
  sigaction(SIGTRAP, &previous_trap, nullptr);
  raise(SIGTRAP);
}

}  // namespace

void explain_faults(Address begin, std::size_t bytes) {
  device_begin = begin;
  device_bytes = bytes;
  stack_t stack{};
  stack.ss_sp = alternate_stack.data();
  stack.ss_size = alternate_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_action);
  action.sa_sigaction = stepped;
  sigaction(SIGTRAP, &action, &previous_trap);
}

void report_crashes() {
  prepare_call_sites();
  crashes_told = true;
}

void report_faults_to(int fd) {
  report_descriptor = fd;
  crashes_told = fd >= 0;
}

}  // namespace warpmark::simulator
