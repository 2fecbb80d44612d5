#include "harness/simulator/engine/memory/global_shadow.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/mman.h>

#include "harness/simulator/engine/memory/mappings.h"

namespace warpmark::simulator {
namespace {

Cell* map_cells(std::size_t count) {
  void* cells = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "reserve the access shadow");
  return static_cast<Cell*>(cells);
}

void unmap_cells(Cell* cells, std::size_t count) {
  if (cells != nullptr) munmap(cells, count * sizeof(Cell));
}

}  // namespace

ShadowPlane::ShadowPlane(std::size_t bytes) : bytes_(bytes) {
  try {
    rows_ = map_cells(bytes / kShadowRowBytes);
    words_ = map_cells(bytes / 4);
    byte_cells_ = map_cells(bytes);
  } catch (...) {
    unmap_cells(rows_, bytes / kShadowRowBytes);
    unmap_cells(words_, bytes / 4);
    throw;
  }
}

ShadowPlane::~ShadowPlane() {
  unmap_cells(rows_, bytes_ / kShadowRowBytes);
  unmap_cells(words_, bytes_ / 4);
  unmap_cells(byte_cells_, bytes_);
}

template <class Fill>
void ShadowPlane::spread(Cell& cell, Fill fill) {
  Cell whole = load(cell);
  if (whole == kSpread || whole == kBusy) return;
  if (!__atomic_compare_exchange_n(&cell, &whole, kBusy, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  fill(whole);
  __atomic_store_n(&cell, kSpread, __ATOMIC_SEQ_CST);
}

void ShadowPlane::spread_row(std::size_t row) {
  spread(rows_[row], [&](Cell cell) {
    for (std::size_t k = 0; k < kShadowRowWords; ++k)
      store(words_[row * kShadowRowWords + k], word_of(cell, k));
  });
}

void ShadowPlane::spread_word(std::size_t word) {
  spread(words_[word], [&](Cell cell) {
    for (std::size_t byte = 4 * word; byte < 4 * word + 4; ++byte) store(byte_cells_[byte], cell);
  });
}

// Clears the race detector's row cells in a range. The cells of words and bytes keep their old contents,
// since they are only read if their row's (or word's) cell is kSpread, "see the finer cells".
void ShadowPlane::forget(std::size_t offset, std::size_t bytes) {
  const std::size_t first = offset / kShadowRowBytes;
  const std::size_t last = (offset + bytes + kShadowRowBytes - 1) / kShadowRowBytes;
  zero(rows_ + first, (last - first) * sizeof(Cell));
}

void ShadowPlane::give_back(std::size_t offset, std::size_t bytes) {
  simulator::give_back(words_ + offset / 4, bytes / 4 * sizeof(Cell));
  simulator::give_back(byte_cells_ + offset, bytes * sizeof(Cell));
}

void ShadowPlane::set_all(std::size_t offset, std::size_t bytes, Cell cell) {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    if (offset % kShadowRowBytes == 0 && end - offset >= kShadowRowBytes) {
      rows_[offset / kShadowRowBytes] = cell;
      offset += kShadowRowBytes;
    } else if (offset % 4 == 0 && end - offset >= 4) {
      set_word(offset / 4, cell);
      offset += 4;
    } else {
      set_byte(offset++, cell);
    }
  }
}

// Marks a range as uninitialised and never accessed. Clears the shadow cells of whole rows at once; in
// partial rows at both ends, the last writers recorded outside of the range are kept.
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
  defined.undefine_all(range.offset, range.bytes);
}

void GlobalShadow::give_back(const Range& range) {
  writers.give_back(range.offset, range.bytes);
  readers.give_back(range.offset, range.bytes);
}

void GlobalShadow::written_by_host(const Range& range) {
  writers.set_all(range.offset, range.bytes, kByTheHost);
  defined.define_all(range.offset, range.bytes);
}

void GlobalShadow::copied(const Range& to, std::size_t from) {
  writers.set_all(to.offset, to.bytes, kByTheHost);
  defined.copy(to.offset, from, to.bytes);
}

std::uint32_t GlobalShadow::next_launch(std::span<const Range> live) {
  if (unseen_) {
    for (const Range& range : live) defined.define_all(range.offset, range.bytes);
  }
  unseen_ = false;
  if (++launch_ == GlobalCell::kLaunches) {
    for (const Range& range : live) {
      writers.change_all(range.offset, range.bytes,
                         [](Cell cell) { return GlobalCell::launch(cell) != 0 ? kByAKernel : cell; });
      readers.change_all(range.offset, range.bytes, [](Cell) { return Cell{0}; });
    }
    launch_ = 1;
  }
  return launch_;
}

}  // namespace warpmark::simulator
