// Last writer and last reader of each word of device memory.
//
// Theory of operation. Memory is mostly touched in whole rows of 128 bytes, a word or two or four each lane,
// so there is one cell a row, and cells a word only for rows that are touched otherwise: those are "spread".
// All of it lies in mappings that take up memory only where they are touched: 4.13 bytes a byte of device
// memory at the most. Host threads meet here without locks: a word of a spread row is a relaxed atomic; who
// spreads a row marks it busy meanwhile. Two blocks that lose each other's cell touch the same word at the
// same time, which the next such access shows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/simulator/memory/shadow_cells.h"

namespace warpmark::simulator {

inline constexpr std::size_t kShadowRowBytes = 128;
inline constexpr std::size_t kShadowRowWords = kShadowRowBytes / 4;

// Of all rows either the writers or the readers.
class ShadowPlane {
 public:
  explicit ShadowPlane(std::size_t bytes);  // of device memory. Throws std::system_error
  ShadowPlane(const ShadowPlane&) = delete;
  ShadowPlane& operator=(const ShadowPlane&) = delete;
  ~ShadowPlane();

  // A row's cell stands for its word 0; word k was touched by the thread k >> step further on, where step is
  // kept in the place of the bytes.
  static constexpr Cell kSpread = ~Cell{0};
  static constexpr Cell kBusy = kSpread - 1;
  static constexpr Cell word_of(Cell row, std::size_t word);

  [[nodiscard]] Cell row(std::size_t row) const;  // kSpread: ask for its words
  void set_row(std::size_t row, Cell cell);
  [[nodiscard]] Cell word(std::size_t word) const;
  void set_word(std::size_t word, Cell cell);
  [[nodiscard]] const Cell* words(std::size_t row) const { return words_ + row * kShadowRowWords; }

  // Bytes from an offset; only while no kernel runs.
  void forget(std::size_t offset, std::size_t bytes);
  void set_all(std::size_t offset, std::size_t bytes, Cell cell);
  // fn(cell) -> cell, for every cell of the rows that the bytes lie in.
  template <class Change>
  void change_all(std::size_t offset, std::size_t bytes, Change change);

 private:
  static Cell load(const Cell& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
  static void store(Cell& cell, Cell value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
  void spread(std::size_t row);

  std::size_t bytes_;
  Cell* rows_ = nullptr;
  Cell* words_ = nullptr;
};

class GlobalShadow {
 public:
  explicit GlobalShadow(std::size_t bytes) : writers(bytes), readers(bytes) {}

  // What no thread of the running kernel wrote. Where the host has written part of a word, and no kernel has,
  // the cell says which bytes.
  static constexpr Cell kByTheHost = kWritten;
  static constexpr std::uint32_t undefined_bytes(Cell cell);  // a mask of four

  struct Range {
    std::size_t offset, bytes;
  };
  // Allocations begin with cells of 0: as new memory, or because they were cleared here.
  void undefine(const Range& range);
  void written_by_host(const Range& range);
  // A kernel runs unseen, or the host may write anywhere: whatever is allocated counts as written from then
  // on.
  void unseen() { unseen_ = true; }
  // The number of a launch that is to be seen, 1 or more, which no cell of the ranges holds.
  std::uint32_t next_launch(std::span<const Range> live);

  ShadowPlane writers;
  ShadowPlane readers;

 private:
  void written_in_part(std::size_t word, std::uint32_t bytes);

  std::uint32_t launch_ = 0;
  bool unseen_ = false;
};

constexpr std::uint32_t GlobalShadow::undefined_bytes(Cell cell) {
  if (cell == 0) return 15;
  const bool in_part = GlobalCell::launch(cell) == 0 && GlobalCell::bytes(cell) != 0;
  return in_part ? ~GlobalCell::bytes(cell) & 15 : 0;
}

constexpr Cell ShadowPlane::word_of(Cell row, std::size_t word) {
  if (GlobalCell::launch(row) == 0) return row;
  const std::uint32_t step = GlobalCell::bytes(row);
  return (row | GlobalCell::kAllBytes) + (static_cast<Cell>(word >> step) << GlobalCell::kThreadShift);
}

inline Cell ShadowPlane::row(std::size_t row) const {
  Cell cell = load(rows_[row]);
  while (cell == kBusy) cell = load(rows_[row]);
  return cell;
}

inline void ShadowPlane::set_row(std::size_t row, Cell cell) {
  while (load(rows_[row]) == kBusy) {
  }
  store(rows_[row], cell);
}

inline Cell ShadowPlane::word(std::size_t word) const {
  const Cell cell = row(word / kShadowRowWords);
  if (cell == kSpread) return load(words_[word]);
  return word_of(cell, word % kShadowRowWords);
}

inline void ShadowPlane::set_word(std::size_t word, Cell cell) {
  while (load(rows_[word / kShadowRowWords]) != kSpread) spread(word / kShadowRowWords);
  store(words_[word], cell);
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
    for (std::size_t k = 0; k < kShadowRowWords; ++k) {
      Cell& word = words_[row * kShadowRowWords + k];
      word = change(word);
    }
  }
}

}  // namespace warpmark::simulator
