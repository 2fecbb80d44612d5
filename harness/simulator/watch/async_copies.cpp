#include "harness/simulator/watch/async_copies.h"

#include <bit>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/operations/observer.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

constexpr unsigned kWord = 4;

}  // namespace

void AsyncCopies::clear() {
  threads_.clear();
  thread_of_word_.clear();
  pending_ = 0;
}

void AsyncCopies::started(std::uint32_t thread, Address begin, unsigned bytes, std::uint16_t site) {
  if (bytes == 0) return;
  Thread& mine = threads_[thread];
  mine.copies.push_back({thread, mine.groups, begin, bytes, site});
  ++pending_;
  const std::size_t end = (begin + bytes - 1) / kWord + 1;
  if (thread_of_word_.size() < end) thread_of_word_.resize(end);
  for (std::size_t word = begin / kWord; word < end; ++word) thread_of_word_[word] = thread + 1;
}

void AsyncCopies::awaited(std::uint32_t thread, std::uint64_t prior) {
  if (!any()) return;
  Thread& mine = threads_[thread];
  if (prior == kAllCopies) return end(mine, UINT64_MAX);
  end(mine, mine.groups < prior ? 0 : mine.groups - prior);
}

void AsyncCopies::end(Thread& thread, std::uint64_t first_group_left) {
  const std::size_t before = thread.copies.size();
  std::erase_if(thread.copies, [&](const Copy& copy) {
    if (copy.group >= first_group_left) return false;
    for (std::size_t word = copy.begin / kWord; word <= (copy.begin + copy.bytes - 1) / kWord; ++word) {
      if (thread_of_word_[word] == copy.thread + 1) thread_of_word_[word] = 0;
    }
    return true;
  });
  pending_ -= before - thread.copies.size();
}

const AsyncCopies::Copy* AsyncCopies::at(Address begin, unsigned bytes) const {
  for (std::size_t word = begin / kWord; word <= (begin + bytes - 1) / kWord; ++word) {
    if (word >= thread_of_word_.size() || thread_of_word_[word] == 0) continue;
    for (const Copy& copy : threads_.at(thread_of_word_[word] - 1).copies) {
      if (copy.begin < begin + bytes && begin < copy.begin + copy.bytes) return &copy;
    }
  }
  return nullptr;
}

void BlockShadow::copy_started(std::size_t warp, unsigned lane, Address offset, unsigned bytes,
                               const Instruction& instruction) {
  // A copy by a call of a library function has the site of the store before it, on the same source line.
  std::uint16_t site = instruction.site;
  const Program& program = block_.launch().program;
  for (std::size_t i = 1; site == 0 && i < program.sites.size(); ++i) {
    if (program.locations[program.sites[i].location] == program.locations[instruction.location])
      site = static_cast<std::uint16_t>(i);
  }
  copies_.started(static_cast<std::uint32_t>(warp * kLanes + lane), offset, bytes, site);
}

void BlockShadow::copies_committed(std::size_t warp, std::uint32_t lanes) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    copies_.committed(static_cast<std::uint32_t>(warp * kLanes) +
                      static_cast<std::uint32_t>(std::countr_zero(rest)));
}

void BlockShadow::copies_awaited(std::size_t warp, std::uint32_t lanes, std::uint64_t prior) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    copies_.awaited(
        static_cast<std::uint32_t>(warp * kLanes) + static_cast<std::uint32_t>(std::countr_zero(rest)),
        prior);
}

}  // namespace warpmark::simulator
