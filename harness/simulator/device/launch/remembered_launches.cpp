#include "harness/simulator/device/launch/remembered_launches.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <utility>

#include "harness/simulator/watch/footprint.h"

namespace warpmark::simulator {
namespace {

// seconds that a launch must take for its result to be remembered; a shorter one is simply run again
constexpr double kShortest = 1e-4;
constexpr double kShare = 0.25;  // share of the launches' time that hashing memory may take
// Reduced share of the launches' time that hashing memory may take, in force once kManyLooks hashes of memory
// have matched no remembered launch.
constexpr double kShareInVain = 0.05;
constexpr std::size_t kManyLooks = 64;
constexpr double kAtFirst = 0.05;      // seconds of hashing allowed on top of its share of the time
constexpr double kBytesASecond = 5e9;  // estimated speed of hashing memory, in bytes per second
// limit on the size of all remembered launch results together, in bytes
constexpr std::size_t kMostBytes = std::size_t{512} << 20;
constexpr std::size_t kMostLaunches = 4096;

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Appends an argument's bytes to the key. A word that is an address in a live allocation is replaced by the
// allocation's index and the offset, so that equal launches on moved allocations have equal keys.
void append_argument(std::string& key, const std::byte* begin, std::size_t bytes,
                     const std::vector<HeldBytes>& all) {
  std::size_t at = 0;
  for (; at + sizeof(Address) <= bytes; at += sizeof(Address)) {
    Address word = 0;
    std::memcpy(&word, begin + at, sizeof word);
    const auto above = std::ranges::upper_bound(all, word, {}, &HeldBytes::begin);
    const bool inside =
        above != all.begin() && word - std::prev(above)->begin <= std::prev(above)->bytes.size();
    append(key, inside);
    if (inside) append(key, above - all.begin());
    append(key, inside ? word - std::prev(above)->begin : word);
  }
  key.append(reinterpret_cast<const char*>(begin + at), bytes - at);
}

// Returns a key of everything that the outcome of a launch depends on, except memory contents: kernel,
// configuration, options, arguments.
std::string key_of(const LaunchParameters& launch, const LaunchOptions& options,
                   const std::vector<HeldBytes>& all) {
  std::string key;
  append(key, reinterpret_cast<std::uintptr_t>(launch.kernel));
  for (const Dim3& size : {launch.grid, launch.block, launch.cluster}) {
    append(key, size.x);
    append(key, size.y);
    append(key, size.z);
  }
  append(key, launch.dynamic_shared_bytes);
  append(key, launch.device);
  append(key, launch.cooperative);
  append(key, launch.peers.size());
  for (const int peer : launch.peers) append(key, peer);
  append(key, options.schedule);
  append(key, options.check_accesses);
  append(key, options.count_work);
  append(key, options.keep_costly);
  append(key, options.first_block);
  append(key, options.footprint != nullptr);
  const auto sizes = parameter_sizes(*launch.kernel);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    append_argument(key, static_cast<const std::byte*>(launch.arguments[i]), sizes[i], all);
  return key;
}

bool has_too_many_unset(const AllocationContents& contents) {
  return contents.unset->size() > 2 * MemoryContents::kMostUnset;
}

// Returns the indices of the allocations in which a launch initialised bytes. `before` and `after` list the
// same allocations in the same order.
std::vector<std::size_t> newly_set(const std::vector<AllocationContents>& before,
                                   const std::vector<AllocationContents>& after) {
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (*before[i].unset != *after[i].unset) set.push_back(i);
  }
  return set;
}

// Calls fn(allocation index, offset, bytes) for each chunk of an allocation whose hash differs between
// `before` and `after`, which list the same allocations in the same order.
template <class Visit>
void each_change(const std::vector<AllocationContents>& before, const std::vector<AllocationContents>& after,
                 Visit fn) {
  constexpr std::size_t kPieceBytes = MemoryContents::kPieceBytes;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].whole == after[i].whole) continue;
    for (std::size_t n = 0; n < after[i].pieces->size(); ++n) {
      if ((*before[i].pieces)[n] != (*after[i].pieces)[n])
        fn(i, n * kPieceBytes, std::min(kPieceBytes, after[i].bytes - n * kPieceBytes));
    }
  }
}

// Relocates a remembered launch's footprint (the address ranges that the launch accessed): from the addresses
// that the allocations had then (`from`) to their present ones (`to`). Both list the same allocations in
// order.
Footprint moved(Footprint footprint, const std::vector<AllocationContents>& from,
                const std::vector<AllocationContents>& to) {
  for (auto* ranges : {&footprint.reads, &footprint.writes, &footprint.updates, &footprint.system_updates}) {
    for (Range& range : *ranges) {
      const auto above = std::ranges::upper_bound(from, range.begin, {}, &AllocationContents::begin);
      if (above == from.begin()) continue;
      const auto which = static_cast<std::size_t>(above - from.begin() - 1);
      range.begin += to[which].begin - from[which].begin;
      range.end += to[which].begin - from[which].begin;
    }
  }
  return footprint;
}

}  // namespace

bool RememberedLaunches::is_affordable(const Known& known, const DeviceMemory& memory) const {
  if (known.never || known.seconds < kShortest) return false;
  const double needed = static_cast<double>(contents_.unknown_bytes(memory)) / kBytesASecond;
  const double share = hits_ == 0 && looks_ >= kManyLooks ? kShareInVain : kShare;
  return spent_ + needed <= kAtFirst + share * ran_;
}

std::vector<AllocationContents> RememberedLaunches::look(const DeviceMemory& memory) {
  const Clock clock;
  std::vector<AllocationContents> contents = contents_.now(memory);
  spent_ += clock.seconds();
  return contents;
}

void RememberedLaunches::forget() {
  for (auto& [key, known] : known_) known.results.clear();
  kept_bytes_ = 0;
}

std::size_t RememberedLaunches::Result::bytes() const {
  std::size_t sum = sizeof *this;
  for (const Change& change : changes) sum += sizeof change + change.bytes.size();
  for (const AllocationContents& each : contents) {
    sum += sizeof each + sizeof(ContentHash) * each.pieces->size();
    sum += sizeof(std::size_t) * each.unset->size() + sizeof(Address) * each.pointed.size();
  }
  if (outcome.work) sum += sizeof(LineWork) * outcome.work->lines.size();
  if (footprint != nullptr) {
    for (const auto* ranges :
         {&footprint->reads, &footprint->writes, &footprint->updates, &footprint->system_updates})
      sum += sizeof(Range) * ranges->size();
  }
  return sum;
}

void RememberedLaunches::keep(Known& known, const ContentHash& before, Result result) {
  const std::size_t bytes = result.bytes();
  if (bytes > kMostBytes) return;
  if (kept_bytes_ + bytes > kMostBytes) forget();
  kept_bytes_ += bytes;
  known.results.insert_or_assign(before, std::move(result));
}

Outcome RememberedLaunches::timed(Known& known, const LaunchParameters& launch,
                                  const std::function<Outcome()>& run) {
  const Clock clock;
  Outcome outcome = run();
  seconds_[launch.kernel] = known.seconds = clock.seconds();
  ran_ += known.seconds;
  if (!outcome.repeatable) contents_.kernel_ran();
  known.never = !outcome.by_memory_alone;
  return outcome;
}

Outcome RememberedLaunches::again(const Result& result, const std::vector<AllocationContents>& before,
                                  const LaunchOptions& options, DeviceMemory& memory) {
  for (const Change& change : result.changes)
    memory.store_as_a_kernel(before[change.allocation].begin + change.offset, change.bytes);
  for (const std::size_t which : result.set)
    memory.set_but_for(before[which].begin, before[which].bytes, *result.contents[which].unset);
  if (options.footprint != nullptr) {
    options.footprint->is(
        std::make_shared<const Footprint>(moved(*result.footprint, result.contents, before)));
  }
  std::vector<AllocationContents> contents = result.contents;
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i].begin = before[i].begin;
  contents_.are(std::move(contents), memory);
  ran_ += result.seconds;
  ++hits_;
  return result.outcome;
}

Outcome RememberedLaunches::outcome_of(const LaunchParameters& launch, const LaunchOptions& options,
                                       DeviceMemory& memory, const std::function<Outcome()>& run) {
  if (known_.size() >= kMostLaunches) {
    known_.clear();
    kept_bytes_ = 0;
  }
  const auto last = seconds_.find(launch.kernel);
  if (last == seconds_.end() || last->second < kShortest) {
    Known unknown;
    return timed(unknown, launch, run);
  }
  Known& known = known_[key_of(launch, options, memory.held())];
  // A launch that has not run yet is estimated to take as long as the kernel's last launch.
  if (known.seconds == 0) known.seconds = last->second;
  if (!is_affordable(known, memory)) return timed(known, launch, run);

  const std::vector<AllocationContents> before = look(memory);
  const ContentHash hash = MemoryContents::hash_of(before);
  ++looks_;
  if (const auto found = known.results.find(hash); found != known.results.end())
    return again(found->second, before, options, memory);
  Outcome outcome = timed(known, launch, run);
  if (known.never || !is_affordable(known, memory)) return outcome;
  Result result{.changes = {},
                .set = {},
                .contents = look(memory),
                .outcome = outcome,
                .footprint = {},
                .seconds = known.seconds};
  if (result.contents.size() != before.size() || std::ranges::any_of(result.contents, has_too_many_unset))
    return outcome;
  result.set = newly_set(before, result.contents);
  each_change(before, result.contents, [&](std::size_t allocation, std::size_t offset, std::size_t bytes) {
    if (const std::byte* held = memory.host_view(before[allocation].begin + offset, bytes)) {
      result.changes.push_back({allocation, offset, {held, held + bytes}});
    }
  });
  if (options.footprint != nullptr) result.footprint = options.footprint->keep(program_of(*launch.kernel));
  keep(known, hash, std::move(result));
  return outcome;
}

}  // namespace warpmark::simulator
