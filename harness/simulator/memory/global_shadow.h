// Last writer and last reader of each byte of device memory, and which bytes were set at all.
//
// Theory of operation. Memory is mostly touched in whole rows of 128 bytes, a word or two or four each lane,
// so there is one cell a row, and cells a word only for rows that are touched otherwise: those are "spread".
// A word of which single bytes are touched is spread again, to a cell a byte. All of it lies in mappings that
// take up memory only where they are touched. Host threads meet here without locks: a cell is an atomic
// variable; who spreads one marks it busy meanwhile. Who touches memory leaves its cell first and looks for
// others then, so that of two host threads one sees the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/simulator/memory/defined_bytes.h"
#include "harness/simulator/memory/shadow_cells.h"

namespace warpmark::simulator {

inline constexpr std::size_t kShadowRowBytes = DefinedBytes::kRowBytes;
inline constexpr std::size_t kShadowRowWords = kShadowRowBytes / 4;

// Of all rows either the writers or the readers.
class ShadowPlane {
 public:
  explicit ShadowPlane(std::size_t bytes);  // of device memory. Throws std::system_error
  ShadowPlane(const ShadowPlane&) = delete;
  ShadowPlane& operator=(const ShadowPlane&) = delete;
  ~ShadowPlane();

  // A row's cell stands for its word 0; word k was touched by the thread k >> step further on.
  static constexpr Cell kSpread = ~Cell{0};  // ask for the parts
  static constexpr Cell kBusy = kSpread - 1;
  static constexpr Cell word_of(Cell row, std::size_t word);

  [[nodiscard]] Cell row(std::size_t row) const { return settled(rows_[row]); }
  [[nodiscard]] Cell word(std::size_t word) const;
  [[nodiscard]] Cell byte(std::size_t byte) const;
  [[nodiscard]] const Cell* words(std::size_t row) const { return words_ + row * kShadowRowWords; }
  [[nodiscard]] Cell* words() { return words_; }
  // They give what was there before; of parts that were spread that is kSpread.
  Cell set_row(std::size_t row, Cell cell) { return exchange(rows_[row], cell); }
  // Only if it still holds what is expected, which may be kSpread.
  bool replace_row(std::size_t row, Cell expected, Cell cell) {
    return __atomic_compare_exchange_n(&rows_[row], &expected, cell, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
  Cell set_word(std::size_t word, Cell cell);
  Cell set_byte(std::size_t byte, Cell cell);
  // The same while no other host thread is at work.
  Cell set_word_alone(std::size_t word, Cell cell);
  Cell set_byte_alone(std::size_t byte, Cell cell);

  // Bytes from an offset; only while no kernel runs.
  void forget(std::size_t offset, std::size_t bytes);
  void set_all(std::size_t offset, std::size_t bytes, Cell cell);
  // fn(cell) -> cell, for every cell of the rows that the bytes lie in.
  template <class Change>
  void change_all(std::size_t offset, std::size_t bytes, Change change);

 private:
  static Cell load(const Cell& cell) { return __atomic_load_n(&cell, __ATOMIC_SEQ_CST); }
  static void store(Cell& cell, Cell value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
  static Cell settled(const Cell& cell) {
    Cell now = load(cell);
    while (now == kBusy) now = load(cell);
    return now;
  }
  static Cell exchange(Cell& cell, Cell value);
  // Makes a cell one of parts: fill(cell) writes these.
  template <class Fill>
  static void spread(Cell& cell, Fill fill);
  void spread_row(std::size_t row);
  void spread_word(std::size_t word);

  std::size_t bytes_;
  Cell* rows_ = nullptr;
  Cell* words_ = nullptr;
  Cell* byte_cells_ = nullptr;
};

class GlobalShadow {
 public:
  explicit GlobalShadow(std::size_t bytes) : writers(bytes), readers(bytes), defined(bytes) {}

  // What no thread of the running kernel wrote: what the host did last, or a kernel long ago.
  static constexpr Cell kByTheHost = kStrong;
  static constexpr Cell kByAKernel = kAtomic;

  struct Range {
    std::size_t offset, bytes;
  };
  // Allocations begin with cells of 0: as new memory, or because they were cleared here.
  void undefine(const Range& range);
  void written_by_host(const Range& range);
  // The same, but for what was not set where it came from.
  void copied(const Range& to, std::size_t from);
  // A kernel runs unseen, or the host may write anywhere: whatever is allocated counts as written from then
  // on.
  void unseen() { unseen_ = true; }
  [[nodiscard]] bool seen() const { return !unseen_; }
  // The number of a launch that is to be seen, 1 or more, which no cell of the ranges holds.
  std::uint32_t next_launch(std::span<const Range> live);

  ShadowPlane writers;
  ShadowPlane readers;
  DefinedBytes defined;

 private:
  std::uint32_t launch_ = 0;
  bool unseen_ = false;
};

constexpr Cell ShadowPlane::word_of(Cell row, std::size_t word) {
  if (GlobalCell::launch(row) == 0) return row;
  return (row & ~GlobalCell::kSteps) +
         (static_cast<Cell>(word >> GlobalCell::step(row)) << GlobalCell::kThreadShift);
}

inline Cell ShadowPlane::exchange(Cell& cell, Cell value) {
  Cell before = settled(cell);
  while (!__atomic_compare_exchange_n(&cell, &before, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    if (before == kBusy) before = settled(cell);
  }
  return before;
}

inline Cell ShadowPlane::word(std::size_t word) const {
  const Cell cell = row(word / kShadowRowWords);
  if (cell == kSpread) return settled(words_[word]);
  return word_of(cell, word % kShadowRowWords);
}

inline Cell ShadowPlane::byte(std::size_t byte) const {
  const Cell cell = word(byte / 4);
  return cell == kSpread ? load(byte_cells_[byte]) : cell;
}

inline Cell ShadowPlane::set_word(std::size_t word, Cell cell) {
  Cell before = kSpread;
  do {  // again when another thread has set the whole row meanwhile
    while (row(word / kShadowRowWords) != kSpread) spread_row(word / kShadowRowWords);
    before = exchange(words_[word], cell);
  } while (row(word / kShadowRowWords) != kSpread);
  return before;
}

inline Cell ShadowPlane::set_byte(std::size_t byte, Cell cell) {
  const std::size_t word = byte / 4;
  Cell before = kSpread;
  do {
    while (row(word / kShadowRowWords) != kSpread) spread_row(word / kShadowRowWords);
    while (settled(words_[word]) != kSpread) spread_word(word);
    before = __atomic_exchange_n(&byte_cells_[byte], cell, __ATOMIC_SEQ_CST);
  } while (row(word / kShadowRowWords) != kSpread || settled(words_[word]) != kSpread);
  return before;
}

inline Cell ShadowPlane::set_word_alone(std::size_t word, Cell cell) {
  if (rows_[word / kShadowRowWords] != kSpread) spread_row(word / kShadowRowWords);
  const Cell before = words_[word];
  store(words_[word], cell);
  return before;
}

inline Cell ShadowPlane::set_byte_alone(std::size_t byte, Cell cell) {
  const std::size_t word = byte / 4;
  if (rows_[word / kShadowRowWords] != kSpread) spread_row(word / kShadowRowWords);
  if (words_[word] != kSpread) spread_word(word);
  const Cell before = byte_cells_[byte];
  store(byte_cells_[byte], cell);
  return before;
}

template <class Change>
void ShadowPlane::change_all(std::size_t offset, std::size_t bytes, Change change) {
  if (bytes == 0) return;
  const std::size_t last = (offset + bytes - 1) / kShadowRowBytes;
  for (std::size_t row = offset / kShadowRowBytes; row <= last; ++row) {
    if (rows_[row] != kSpread) {
      rows_[row] = change(rows_[row]);
      continue;
    }
    for (std::size_t word = row * kShadowRowWords; word < (row + 1) * kShadowRowWords; ++word) {
      if (words_[word] != kSpread) {
        words_[word] = change(words_[word]);
        continue;
      }
      for (std::size_t byte = 4 * word; byte < 4 * word + 4; ++byte)
        byte_cells_[byte] = change(byte_cells_[byte]);
    }
  }
}

}  // namespace warpmark::simulator
