#include "harness/worker/reachable_blocks.h"

#include <algorithm>
#include <utility>

#include <link.h>

namespace warpmark {
namespace {

struct Words {
  std::uint64_t begin = 0, end = 0;
};

// Returns the writable segments (globals) of the library that contains the address.
std::vector<Words> globals_of(std::uint64_t code) {
  struct Search {
    std::uint64_t code;
    std::vector<Words> found;
  } search{code, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        auto& wanted = *static_cast<Search*>(to);
        bool holds = false;
        std::vector<Words> writable;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uint64_t begin = object->dlpi_addr + segment.p_vaddr;
          holds = holds || (wanted.code >= begin && wanted.code - begin < segment.p_memsz);
          if ((segment.p_flags & PF_W) != 0) writable.push_back({begin, begin + segment.p_memsz});
        }
        if (holds) wanted.found = std::move(writable);
        return holds ? 1 : 0;
      },
      &search);
  return search.found;
}

}  // namespace

std::vector<HeapBlock> out_of_reach(std::vector<HeapBlock> blocks, std::uint64_t code) {
  std::ranges::sort(blocks, {}, &HeapBlock::address);
  std::vector<bool> reached(blocks.size());
  std::vector<Words> left = globals_of(code);
  while (!left.empty()) {
    const Words words = left.back();
    left.pop_back();
    const std::uint64_t first = (words.begin + sizeof(std::uint64_t) - 1) & ~(sizeof(std::uint64_t) - 1);
    for (std::uint64_t at = first; at + sizeof(std::uint64_t) <= words.end; at += sizeof(std::uint64_t)) {
      const std::uint64_t word =
          *reinterpret_cast<const volatile std::uint64_t*>(at);  // NOLINT(performance-no-int-to-ptr)
      const auto behind = std::ranges::upper_bound(blocks, word, {}, &HeapBlock::address);
      if (behind == blocks.begin()) continue;
      const auto block = std::prev(behind);
      const auto number = static_cast<std::size_t>(block - blocks.begin());
      if (word - block->address >= std::max<std::size_t>(block->bytes, 1) || reached[number]) continue;
      reached[number] = true;
      left.push_back({block->address, block->address + block->bytes});
    }
  }
  std::vector<HeapBlock> lost;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!reached[i]) lost.push_back(blocks[i]);
  }
  return lost;
}

}  // namespace warpmark
