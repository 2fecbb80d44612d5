#include "harness/simulator/program/watched_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <utility>

#include <sys/mman.h>
#include <ucontext.h>

#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/host_instruction.h"

namespace warpmark::simulator {
namespace {

constexpr Address kPage = 4096;
constexpr std::size_t kMostEarly = 64;
// Limit on single-stepped faults per set of watches, before faulting pages stay unprotected. Each step takes
// a few microseconds.
constexpr int kMostSteps = 50'000;
constexpr std::size_t kMostOpen = 8;  // maximum number of protected pages that one instruction may touch

// A run of adjacent pages with the same protection.
struct Run {
  Address begin = 0;
  Address end = 0;
  int protection = PROT_NONE;
};

// A plain read of memory that the work updates by system-scope atomics. It may be the first load of a
// compare-and-swap loop; then the thread's next watched access is the compare-and-swap, which validates it,
// and the read is no error.
struct Guess {
  const void* thread = nullptr;
  EarlyAccess access;
};
constexpr std::size_t kMostGuesses = 16;

// Shared with signal handlers: therefore fixed-size, and guarded by a spin lock that is never held by code
// that could fault.
struct State {
  std::atomic_flag locked = ATOMIC_FLAG_INIT;
  std::array<Watch, kMostWatches> watches;
  std::array<bool, kMostWatches> told;
  std::size_t watch_count = 0;
  std::array<Run, kMostWatches> runs;
  std::size_t run_count = 0;
  std::array<EarlyAccess, kMostEarly> early;
  std::size_t early_count = 0;
  std::array<Guess, kMostGuesses> guesses;
  bool opened = false;                 // all pages are unprotected for a library call
  std::atomic<std::uint64_t> ever{0};  // incremented whenever the set of watches changes
  int steps = 0;
};
State state;
std::atomic<bool> watching{false};

// Initial-exec TLS: a signal handler may be the first to access it, so it must not be allocated lazily.
[[gnu::tls_model("initial-exec")]] thread_local int library_depth = 0;
// value of State::ever at the last retry
[[gnu::tls_model("initial-exec")]] thread_local std::uint64_t retried = 0;
[[gnu::tls_model("initial-exec")]] thread_local std::size_t open_count = 0;
[[gnu::tls_model("initial-exec")]] thread_local Address open_pages[kMostOpen];

class Lock {
 public:
  Lock() {
    while (state.locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { state.locked.clear(std::memory_order_release); }
};

Address page_of(Address address) {
  return address / kPage * kPage;
}

void protect(Address begin, Address end, int protection) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  mprotect(reinterpret_cast<void*>(begin), end - begin, protection);
}

void open_all() {
  for (std::size_t i = 0; i < state.run_count; ++i)
    protect(state.runs[i].begin, state.runs[i].end, PROT_READ | PROT_WRITE);
}

void close_all() {
  for (std::size_t i = 0; i < state.run_count; ++i)
    protect(state.runs[i].begin, state.runs[i].end, state.runs[i].protection);
}

const Run* run_at(Address address) {
  for (std::size_t i = 0; i < state.run_count; ++i) {
    if (address - state.runs[i].begin < state.runs[i].end - state.runs[i].begin) return &state.runs[i];
  }
  return nullptr;
}

bool disturbs(const Watch& watch, HostAccess access) {
  if (watch.readable && is_read(access)) return false;
  return !watch.atomic || !is_atomic(access);
}

bool is_hit(std::size_t watch, HostAccess access, Address begin, Address end) {
  const Watch& each = state.watches[watch];
  return each.begin < end && each.end > begin && !state.told[watch] && disturbs(each, access);
}

// Returns a new entry for the access if it hits a watch that was not yet reported (and marks the watch as
// reported), else null. Also null if the buffer is full.
EarlyAccess* note(HostAccess access, Address begin, Address end) {
  bool hit = false;
  for (std::size_t i = 0; i < state.watch_count; ++i) {
    if (!is_hit(i, access, begin, end)) continue;
    state.told[i] = true;
    hit = true;
  }
  if (!hit || state.early_count == kMostEarly) return nullptr;
  EarlyAccess& early = state.early[state.early_count++];
  early = {.access = access, .begin = begin, .end = end};
  return &early;
}

// True if the read hits only memory that the work updates by system-scope atomics.
bool may_be_guess(Address begin, Address end) {
  bool hit = false;
  for (std::size_t i = 0; i < state.watch_count; ++i) {
    if (!is_hit(i, HostAccess::read, begin, end)) continue;
    if (!state.watches[i].atomic) return false;
    hit = true;
  }
  return hit;
}

Guess* guess_of(const void* thread) {
  for (Guess& guess : state.guesses) {
    if (guess.thread == thread) return &guess;
  }
  return nullptr;
}

// Reports the read: no compare-and-swap followed it.
void tell_guess(Guess& guess) {
  guess.thread = nullptr;
  const EarlyAccess access = guess.access;
  if (EarlyAccess* early = note(access.access, access.begin, access.end)) *early = access;
}

// True if every watch on the page was already reported, so that the page need not be protected again.
bool all_told(Address page) {
  for (std::size_t i = 0; i < state.watch_count; ++i) {
    const Watch& watch = state.watches[i];
    if (watch.begin < page + kPage && watch.end > page && !state.told[i]) return false;
  }
  return true;
}

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;

const void* instruction_of(const void* context) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

// Sets or clears the trap flag for single-stepping. Returns false if unsupported; then pages stay
// unprotected.
bool step(void* context, bool on) {
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags = on ? flags | kTrapFlag : flags & ~kTrapFlag;
  return true;
}
#else
const void* instruction_of(const void* /*context*/) {
  return nullptr;
}
bool step(void* /*context*/, bool /*on*/) {
  return false;
}
#endif

HostAccess access_of(HostOperation operation, bool written) {
  if (operation == HostOperation::plain) return written ? HostAccess::write : HostAccess::read;
  return written ? HostAccess::atomic_write : HostAccess::atomic_read;
}

// Returns the pages of the watches; each page gets the strictest protection that a watch on it needs.
std::vector<Run> runs_of(std::span<const Watch> watches) {
  std::map<Address, int> pages;  // protection from this address up to the next entry
  for (const bool readable : {true, false}) {
    for (const Watch& watch : watches) {
      if (watch.readable != readable) continue;
      const Address begin = watch.whole_pages ? page_of(watch.begin + kPage - 1) : page_of(watch.begin);
      const Address end = watch.whole_pages ? page_of(watch.end) : page_of(watch.end + kPage - 1);
      if (begin >= end) continue;
      const auto before = [&](Address at) {
        const auto next = pages.upper_bound(at);
        return next == pages.begin() ? PROT_READ | PROT_WRITE : std::prev(next)->second;
      };
      const int behind = before(end);
      pages.erase(pages.lower_bound(begin), pages.upper_bound(end));
      pages[begin] = readable ? PROT_READ : PROT_NONE;
      pages[end] = behind;
    }
  }
  std::vector<Run> runs;
  for (auto it = pages.begin(); it != pages.end(); ++it) {
    const auto next = std::next(it);
    if (it->second != (PROT_READ | PROT_WRITE) && next != pages.end())
      runs.push_back({it->first, next->first, it->second});
  }
  if (runs.size() > kMostWatches) runs.resize(kMostWatches);
  return runs;
}

}  // namespace

void WatchedMemory::watch(std::span<const Watch> watches) {
  if (watches.empty() && !watching) return;
  const auto runs = runs_of(watches);
  const Lock lock;
  open_all();
  ++state.ever;
  const std::size_t count = std::min(watches.size(), kMostWatches);
  // Watches that were already reported keep that mark.
  static std::array<Watch, kMostWatches> told;
  std::size_t told_count = 0;
  for (std::size_t i = 0; i < state.watch_count; ++i) {
    if (state.told[i]) told[told_count++] = state.watches[i];
  }
  std::copy_n(watches.begin(), count, state.watches.begin());
  state.watch_count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto end = told.begin() + static_cast<std::ptrdiff_t>(told_count);
    state.told[i] = std::find(told.begin(), end, state.watches[i]) != end;
  }
  std::copy(runs.begin(), runs.end(), state.runs.begin());
  state.run_count = runs.size();
  state.steps = 0;
  state.opened = false;
  watching = count != 0;
  close_all();
}

bool WatchedMemory::is_watching() {
  return watching.load(std::memory_order_relaxed);
}

std::vector<EarlyAccess> WatchedMemory::take() {
  if (!watching) return {};
  std::array<EarlyAccess, kMostEarly> early;
  std::size_t count = 0;
  {
    const Lock lock;
    for (Guess& guess : state.guesses) {
      if (guess.thread != nullptr) tell_guess(guess);
    }
    count = std::exchange(state.early_count, 0);
    std::copy_n(state.early.begin(), count, early.begin());
  }
  return {early.begin(), early.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool WatchedMemory::in_library() {
  return library_depth != 0;
}

void WatchedMemory::open_for_library() {
  const Lock lock;
  if (state.run_count == 0 || std::exchange(state.opened, true)) return;
  open_all();
}

void WatchedMemory::called(const char* function, HostAccess access, const void* memory, std::size_t bytes) {
  const InLibrary inside;
  const CallSite site = call_site();  // allocates memory, so it must come before taking the lock
  const Address begin = address_of(memory);
  const Lock lock;
  if (EarlyAccess* early = note(access, begin, begin + bytes)) {
    std::strncpy(early->function.data(), function, early->function.size() - 1);
    early->frame_count = static_cast<int>(std::min(site.frames.size(), early->frames.size()));
    std::copy_n(site.frames.begin(), early->frame_count, early->frames.begin());
  }
  for (std::size_t i = 0; i < state.run_count && access != HostAccess::free; ++i) {
    const Run& run = state.runs[i];
    const Address first = std::max(run.begin, page_of(begin));
    const Address end = std::min(run.end, page_of(begin + bytes + kPage - 1));
    if (first < end) protect(first, end, PROT_READ | PROT_WRITE);
  }
}

void WatchedMemory::enter_library() {
  ++library_depth;
}

void WatchedMemory::leave_library() {
  if (--library_depth != 0 || !watching) return;
  const Lock lock;
  if (std::exchange(state.opened, false)) close_all();
}

bool WatchedMemory::let_pass(Address address, bool written, void* context) {
  if (state.ever == 0) return false;
  const Lock lock;
  const Run* run = run_at(address);
  if (run == nullptr) {
    // Another thread may have removed the watch since the fault: retry once per set of watches.
    return std::exchange(retried, state.ever.load()) != state.ever;
  }
  if (library_depth != 0) {
    open_all();
    state.opened = true;
    return true;
  }
  const HostOperation operation = host_operation(instruction_of(context));
  if (Guess* guess = guess_of(&library_depth)) {
    if (operation == HostOperation::compare_and_swap && guess->access.begin == address)
      guess->thread = nullptr;
    else
      tell_guess(*guess);
  }
  const auto add_frames = [&](EarlyAccess& early) {
    early.frame_count = fault_frames(instruction_of(context), early.frames.data(), EarlyAccess::kMostFrames);
  };
  Guess* free_place = guess_of(nullptr);
  if (operation == HostOperation::plain && !written && free_place != nullptr &&
      may_be_guess(address, address + 1)) {
    *free_place = {&library_depth, {.access = HostAccess::read, .begin = address, .end = address + 1}};
    add_frames(free_place->access);
  } else if (EarlyAccess* early = note(access_of(operation, written), address, address + 1)) {
    add_frames(*early);
  }
  const Address page = page_of(address);
  protect(page, page + kPage, PROT_READ | PROT_WRITE);
  if (++state.steps > kMostSteps) {
    // The page is no longer watched, so a compare-and-swap that follows the read would be missed.
    for (Guess& guess : state.guesses) guess.thread = nullptr;
    return true;
  }
  if (all_told(page) || open_count == kMostOpen) return true;
  if (step(context, true)) open_pages[open_count++] = page;
  return true;
}

bool WatchedMemory::stepped(void* context) {
  if (open_count == 0) return false;
  const Lock lock;
  for (; open_count > 0; --open_count) {
    const Address page = open_pages[open_count - 1];
    // The watches may have changed since the page was opened.
    if (const Run* run = run_at(page)) protect(page, page + kPage, run->protection);
  }
  step(context, false);
  return true;
}

}  // namespace warpmark::simulator
