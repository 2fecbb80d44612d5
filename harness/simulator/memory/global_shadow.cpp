#include "harness/simulator/memory/global_shadow.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <sys/mman.h>

namespace warpmark::simulator {
namespace {

constexpr std::size_t kPage = 4096;

Cell* map_cells(std::size_t count) {
  void* cells = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "reserve the access shadow");
  return static_cast<Cell*>(cells);
}

// Sets the cells to 0; whole pages go back to the machine.
void clear(Cell* first, Cell* last) {
  auto* begin = reinterpret_cast<std::byte*>(first);
  auto* end = reinterpret_cast<std::byte*>(last);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::size_t to_page = (kPage - address % kPage) % kPage;
  const std::size_t bytes = static_cast<std::size_t>(end - begin);
  if (bytes < to_page + kPage) {
    std::memset(begin, 0, bytes);
    return;
  }
  const std::size_t whole = (bytes - to_page) / kPage * kPage;
  std::memset(begin, 0, to_page);
  madvise(begin + to_page, whole, MADV_DONTNEED);
  std::memset(begin + to_page + whole, 0, bytes - to_page - whole);
}

}  // namespace

ShadowPlane::ShadowPlane(std::size_t bytes) : bytes_(bytes), rows_(map_cells(bytes / kShadowRowBytes)) {
  try {
    words_ = map_cells(bytes / 4);
  } catch (...) {
    munmap(rows_, bytes / kShadowRowBytes * sizeof(Cell));
    throw;
  }
}

ShadowPlane::~ShadowPlane() {
  munmap(rows_, bytes_ / kShadowRowBytes * sizeof(Cell));
  munmap(words_, bytes_ / 4 * sizeof(Cell));
}

void ShadowPlane::spread(std::size_t row) {
  Cell cell = load(rows_[row]);
  if (cell == kSpread || cell == kBusy) return;
  if (!__atomic_compare_exchange_n(&rows_[row], &cell, kBusy, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  for (std::size_t k = 0; k < kShadowRowWords; ++k)
    store(words_[row * kShadowRowWords + k], word_of(cell, k));
  // Fails when another thread has set the whole row meanwhile; the caller then spreads that.
  Cell busy = kBusy;
  __atomic_compare_exchange_n(&rows_[row], &busy, kSpread, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void ShadowPlane::forget(std::size_t offset, std::size_t bytes) {
  const std::size_t first = offset / kShadowRowBytes;
  const std::size_t last = (offset + bytes + kShadowRowBytes - 1) / kShadowRowBytes;
  clear(rows_ + first, rows_ + last);
  clear(words_ + first * kShadowRowWords, words_ + last * kShadowRowWords);
}

void ShadowPlane::set_all(std::size_t offset, std::size_t bytes, Cell cell) {
  std::size_t word = offset / 4;
  const std::size_t end = (offset + bytes + 3) / 4;
  while (word < end) {
    if (word % kShadowRowWords == 0 && end - word >= kShadowRowWords) {
      rows_[word / kShadowRowWords] = cell;
      word += kShadowRowWords;
    } else {
      set_word(word++, cell);
    }
  }
}

// Whole rows are given back; of the rows at the ends only the range's own words count.
void GlobalShadow::undefine(const Range& range) {
  const std::size_t end = range.offset + range.bytes;
  const std::size_t first_row = (range.offset + kShadowRowBytes - 1) / kShadowRowBytes * kShadowRowBytes;
  const std::size_t behind_rows = std::max(end / kShadowRowBytes * kShadowRowBytes, range.offset);
  if (first_row < behind_rows) {
    writers.set_all(range.offset, first_row - range.offset, Cell{0});
    writers.forget(first_row, behind_rows - first_row);
    writers.set_all(behind_rows, end - behind_rows, Cell{0});
  } else {
    writers.set_all(range.offset, range.bytes, Cell{0});
  }
  readers.forget(range.offset, range.bytes);
}

void GlobalShadow::written_by_host(const Range& range) {
  const std::size_t end = range.offset + range.bytes;
  const std::size_t first = (range.offset + 3) / 4;  // whole words
  const std::size_t last = end / 4;
  if (first <= last) writers.set_all(first * 4, (last - first) * 4, kByTheHost);
  for (const std::size_t word : {range.offset / 4, last}) {
    const std::size_t from = std::max(word * 4, range.offset);
    const std::size_t to = std::min(word * 4 + 4, end);
    if (from < to && to - from < 4) written_in_part(word, ((1U << (to - from)) - 1) << (from - word * 4));
  }
}

void GlobalShadow::written_in_part(std::size_t word, std::uint32_t bytes) {
  const std::uint32_t undefined = undefined_bytes(writers.word(word)) & ~bytes;
  const Cell known = undefined == 0 ? 0 : Cell{~undefined & 15} << GlobalCell::kBytesShift;
  writers.set_word(word, kByTheHost | known);
}

std::uint32_t GlobalShadow::next_launch(std::span<const Range> live) {
  const auto change_all = [&](ShadowPlane& plane, auto change) {
    for (const Range& range : live) plane.change_all(range.offset, range.bytes, change);
  };
  if (unseen_) change_all(writers, [](Cell cell) { return undefined_bytes(cell) != 0 ? kByTheHost : cell; });
  unseen_ = false;
  if (++launch_ == GlobalCell::kLaunches) {
    change_all(writers, [](Cell cell) { return undefined_bytes(cell) != 0 ? cell : kByTheHost; });
    change_all(readers, [](Cell) { return Cell{0}; });
    launch_ = 1;
  }
  return launch_;
}

}  // namespace warpmark::simulator
