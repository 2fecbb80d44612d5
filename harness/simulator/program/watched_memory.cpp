#include "harness/simulator/program/watched_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <utility>

#include <sys/mman.h>
#include <ucontext.h>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/host_instruction.h"

namespace warpmark::simulator {
namespace {

constexpr Address kPage = 4096;
static_assert(alignof(WatchedMemory) == kPage);
// Limit on accesses to watched (protected) pages that are single-stepped, at a few microseconds each, until
// the set of watches changes. Beyond the limit, a page that faults stays unprotected.
constexpr int kMostSteps = 50'000;
// limit on protected pages that one single-stepped instruction may touch
constexpr std::size_t kMostOpen = 8;

// The pointer to the process's WatchedMemory is constinit, because signal handlers and interposed functions
// may use it before dynamic initialisation.
constinit std::atomic<WatchedMemory*> current_memory{nullptr};
static_assert(decltype(current_memory)::is_always_lock_free);

// Thread-locals that a signal handler accesses use the initial-exec TLS model: the handler may make the
// thread's first access, and lazy allocation of TLS is not async-signal-safe.
[[gnu::tls_model("initial-exec")]] thread_local int library_depth = 0;
// Number of changes of the set of watched pages when this thread last retried a faulting access; limits it to
// one retry per change.
[[gnu::tls_model("initial-exec")]] thread_local std::uint64_t retried = 0;
[[gnu::tls_model("initial-exec")]] thread_local std::size_t open_count = 0;
[[gnu::tls_model("initial-exec")]] thread_local Address open_pages[kMostOpen];

Address page_of(Address address) {
  return address / kPage * kPage;
}

void protect(Address begin, Address end, int protection) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  mprotect(reinterpret_cast<void*>(begin), end - begin, protection);
}

bool disturbs(const Watch& watch, HostAccess access) {
  if (watch.readable && is_read(access)) return false;
  return !watch.atomic || !is_atomic(access);
}

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;

const void* instruction_of(const void* context) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

// Sets or clears the CPU's trap flag in a signal context, to single-step the interrupted instruction. Returns
// false if unsupported; watched pages then stay unprotected after the first fault.
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

}  // namespace

class WatchedMemory::Lock {
 public:
  explicit Lock(WatchedMemory& memory) : memory_(memory) {
    while (memory_.locked_.test_and_set(std::memory_order_acquire)) {
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { memory_.locked_.clear(std::memory_order_release); }

 private:
  WatchedMemory& memory_;
};

WatchedMemory::WatchedMemory() {
  current_memory = this;
}

WatchedMemory::~WatchedMemory() {
  stop();
  current_memory = nullptr;
}

WatchedMemory* WatchedMemory::current() {
  return current_memory.load(std::memory_order_acquire);
}

void WatchedMemory::open_all() const {
  for (std::size_t i = 0; i < run_count_; ++i) protect(runs_[i].begin, runs_[i].end, PROT_READ | PROT_WRITE);
}

void WatchedMemory::close_all() const {
  for (std::size_t i = 0; i < run_count_; ++i) protect(runs_[i].begin, runs_[i].end, runs_[i].protection);
}

const WatchedMemory::Run* WatchedMemory::run_at(Address address) const {
  for (std::size_t i = 0; i < run_count_; ++i) {
    if (address - runs_[i].begin < runs_[i].end - runs_[i].begin) return &runs_[i];
  }
  return nullptr;
}

bool WatchedMemory::is_hit(std::size_t watch, HostAccess access, Address begin, Address end) const {
  const Watch& each = watches_[watch];
  return each.begin < end && each.end > begin && !told_[watch] && disturbs(each, access);
}

// Records a host access to watched memory, unless every watch that the access violates was reported already.
// Returns the new record, or null if there is none or the buffer is full.
EarlyAccess* WatchedMemory::note(HostAccess access, Address begin, Address end) {
  bool hit = false;
  for (std::size_t i = 0; i < watch_count_; ++i) {
    if (!is_hit(i, access, begin, end)) continue;
    told_[i] = true;
    hit = true;
  }
  if (!hit || early_count_ == kMostEarly) return nullptr;
  EarlyAccess& early = early_[early_count_++];
  early = {.access = access, .begin = begin, .end = end};
  return &early;
}

// True if a host read violates only watches on memory that pending work updates by system-scope atomics, so
// it may be the first load of a host compare-and-swap loop, which is allowed.
bool WatchedMemory::may_be_guess(Address begin, Address end) const {
  bool hit = false;
  for (std::size_t i = 0; i < watch_count_; ++i) {
    if (!is_hit(i, HostAccess::read, begin, end)) continue;
    if (!watches_[i].atomic) return false;
    hit = true;
  }
  return hit;
}

WatchedMemory::Guess* WatchedMemory::guess_of(const void* thread) {
  for (Guess& guess : guesses_) {
    if (guess.thread == thread) return &guess;
  }
  return nullptr;
}

// Reports a host's plain read of memory that pending work updates atomically: it was not followed by a
// compare-and-swap, so it is a premature access.
void WatchedMemory::tell_guess(Guess& guess) {
  guess.thread = nullptr;
  const EarlyAccess access = guess.access;
  if (EarlyAccess* early = note(access.access, access.begin, access.end)) *early = access;
}

// True if a premature access was reported for every watch on the page, so that the page need not be protected
// again.
bool WatchedMemory::all_told(Address page) const {
  for (std::size_t i = 0; i < watch_count_; ++i) {
    const Watch& watch = watches_[i];
    if (watch.begin < page + kPage && watch.end > page && !told_[i]) return false;
  }
  return true;
}

// Returns the runs of pages to protect so that premature accesses to watched memory fault. Each page gets the
// strictest protection that a watch on it needs.
std::vector<WatchedMemory::Run> WatchedMemory::runs_of(std::span<const Watch> watches) {
  // page protection by address: PROT_ flags from a key's address up to the next key
  std::map<Address, int> pages;
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

void WatchedMemory::watch(std::span<const Watch> watches) {
  if (watches.empty() && !watching_) return;
  const auto runs = runs_of(watches);
  const Lock lock(*this);
  open_all();
  ++ever_;
  const std::size_t count = std::min(watches.size(), kMostWatches);
  // A watch on host memory that is in both the old and the new set stays marked as reported, so that a
  // premature access is reported only once.
  std::size_t told_count = 0;
  for (std::size_t i = 0; i < watch_count_; ++i) {
    if (told_[i]) told_before_[told_count++] = watches_[i];
  }
  std::copy_n(watches.begin(), count, watches_.begin());
  watch_count_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto end = told_before_.begin() + static_cast<std::ptrdiff_t>(told_count);
    told_[i] = std::find(told_before_.begin(), end, watches_[i]) != end;
  }
  std::copy(runs.begin(), runs.end(), runs_.begin());
  run_count_ = runs.size();
  steps_ = 0;
  opened_ = false;
  watching_ = count != 0;
  close_all();
}

std::vector<EarlyAccess> WatchedMemory::take() {
  if (!watching_) return {};
  std::array<EarlyAccess, kMostEarly> early;
  std::size_t count = 0;
  {
    const Lock lock(*this);
    for (Guess& guess : guesses_) {
      if (guess.thread != nullptr) tell_guess(guess);
    }
    count = std::exchange(early_count_, 0);
    std::copy_n(early_.begin(), count, early.begin());
  }
  return {early.begin(), early.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool WatchedMemory::in_library() {
  return library_depth != 0;
}

void WatchedMemory::open_for_library() {
  const Lock lock(*this);
  if (run_count_ == 0 || std::exchange(opened_, true)) return;
  open_all();
}

void WatchedMemory::called(const char* function, HostAccess access, const void* memory, std::size_t bytes) {
  const InLibrary inside;
  // Captures the call stack before taking the spin lock, because capturing allocates memory, which could
  // fault on a watched page and deadlock in the signal handler.
  const CallSite site = call_site();
  const Address begin = address_of(memory);
  const Lock lock(*this);
  if (EarlyAccess* early = note(access, begin, begin + bytes)) {
    std::strncpy(early->function.data(), function, early->function.size() - 1);
    early->frame_count = static_cast<int>(std::min(site.frames.size(), early->frames.size()));
    std::copy_n(site.frames.begin(), early->frame_count, early->frames.begin());
  }
  for (std::size_t i = 0; i < run_count_ && access != HostAccess::free; ++i) {
    const Run& run = runs_[i];
    const Address first = std::max(run.begin, page_of(begin));
    const Address end = std::min(run.end, page_of(begin + bytes + kPage - 1));
    if (first < end) protect(first, end, PROT_READ | PROT_WRITE);
  }
}

void WatchedMemory::enter_library() {
  ++library_depth;
}

void WatchedMemory::leave_library() {
  if (--library_depth != 0) return;
  WatchedMemory* memory = current();
  if (memory == nullptr || !memory->is_watching()) return;
  const Lock lock(*memory);
  if (std::exchange(memory->opened_, false)) memory->close_all();
}

bool WatchedMemory::let_pass(Address address, bool written, void* context) {
  if (ever_ == 0) return false;
  const Lock lock(*this);
  const Run* run = run_at(address);
  if (run == nullptr) {
    // SIGSEGV on a page that is not watched: another thread may have removed the page's watch since the
    // fault. Retries the access, but only once per change of the watches, so that a real crash does not loop.
    return std::exchange(retried, ever_.load()) != ever_;
  }
  if (library_depth != 0) {
    open_all();
    opened_ = true;
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
  if (++steps_ > kMostSteps) {
    // Too many single steps: the faulting page of watched host memory stays unprotected from now on. A
    // compare-and-swap on it would go unnoticed, so the plain reads that only a later compare-and-swap would
    // excuse are dropped instead of being reported wrongly.
    for (Guess& guess : guesses_) guess.thread = nullptr;
    return true;
  }
  if (all_told(page) || open_count == kMostOpen) return true;
  if (step(context, true)) open_pages[open_count++] = page;
  return true;
}

bool WatchedMemory::stepped(void* context) {
  if (open_count == 0) return false;
  const Lock lock(*this);
  for (; open_count > 0; --open_count) {
    const Address page = open_pages[open_count - 1];
    // Once the instruction that accessed a watched host page has been single-stepped, protects the page again
    // as the current set of watches requires, which may have changed since the fault.
    if (const Run* run = run_at(page)) protect(page, page + kPage, run->protection);
  }
  step(context, false);
  return true;
}

}  // namespace warpmark::simulator
