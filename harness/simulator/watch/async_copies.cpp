#include "harness/simulator/watch/async_copies.h"

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
  end(mine, mine.groups < prior ? 0 : mine.groups - prior);
}

void AsyncCopies::all_awaited(std::uint32_t thread) {
  if (any()) end(threads_[thread], UINT64_MAX);
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

}  // namespace warpmark::simulator
