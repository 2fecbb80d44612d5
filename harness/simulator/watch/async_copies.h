// Asynchronous copies to shared memory (cp.async) that their threads have not waited for.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// The simulator copies at once. AsyncCopies remembers which words a GPU might not have written yet: a copy
// belongs to the group that its thread commits next, and has ended when the thread has waited for that group.
class AsyncCopies {
 public:
  struct Copy {
    std::uint32_t thread = 0;  // number in the block
    std::uint64_t group = 0;   // number of the group among the thread's
    Address begin = 0;         // offset in shared memory, in bytes
    unsigned bytes = 0;
    std::uint16_t site = 0;  // of the instruction that copies
  };

  void clear();  // at the begin of a block
  [[nodiscard]] bool any() const { return pending_ != 0; }
  void started(std::uint32_t thread, Address begin, unsigned bytes, std::uint16_t site);
  void committed(std::uint32_t thread) { ++threads_[thread].groups; }
  // The thread has waited until at most `prior` of its latest groups are left; kAllCopies: for all of its
  // copies, those of no group as well.
  void awaited(std::uint32_t thread, std::uint64_t prior);
  // Returns a copy that has not ended and overlaps the bytes; null: there is none.
  [[nodiscard]] const Copy* at(Address begin, unsigned bytes) const;

 private:
  struct Thread {
    std::uint64_t groups = 0;  // committed so far
    std::vector<Copy> copies;  // that have not ended
  };
  void end(Thread& thread, std::uint64_t first_group_left);

  std::unordered_map<std::uint32_t, Thread> threads_;
  // By word of shared memory: 1 + the number of the thread that copies to it; 0: none.
  std::vector<std::uint32_t> thread_of_word_;
  std::size_t pending_ = 0;
};

}  // namespace warpmark::simulator
