// The race detector's shadow of device memory: last writer and last reader of each byte, and which bytes are
// initialised.
//
// Theory of operation. Most accesses of a warp cover whole rows of 128 bytes, with one, two or four words per
// lane, so a row has a single cell. Only rows that are accessed otherwise are "spread" to one cell per word,
// and words of which single bytes are accessed to one cell per byte. Pages of cells are allocated on first
// use. Host threads update the cells without locks: cells are atomic variables, and a cell is marked busy
// while it is being spread. An access first stores its own cell and then checks for others, so that of two
// concurrent accesses at least one sees the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/simulator/engine/memory/defined_bytes.h"
#include "harness/simulator/engine/memory/shadow_cells.h"

namespace warpmark::simulator {

inline constexpr std::size_t kShadowRowBytes = DefinedBytes::kRowBytes;
inline constexpr std::size_t kShadowRowWords = kShadowRowBytes / 4;

// Race-detector shadow of all device memory for one kind of access: either the last writers or the last
// readers, in cells per 128-byte row, per word and per byte.
class ShadowPlane {
 public:
  // Creates race-detector shadow cells for `bytes` bytes of device memory; throws std::system_error.
  explicit ShadowPlane(std::size_t bytes);
  ShadowPlane(const ShadowPlane&) = delete;
  ShadowPlane& operator=(const ShadowPlane&) = delete;
  ~ShadowPlane();

  // Cell value that refers to finer cells: the row's last accesses are in one cell per word, or the word's
  // in one per byte.
  static constexpr Cell kSpread = ~Cell{0};
  static constexpr Cell kBusy = kSpread - 1;
  // Derives the shadow cell of word k from that of its 128-byte row, which names the thread that accessed
  // word 0: the thread of word k has a number higher by k >> step, each thread having accessed 2^step words.
  static constexpr Cell word_of(Cell row, std::size_t word);

  [[nodiscard]] Cell row(std::size_t row) const { return settled(rows_[row]); }
  [[nodiscard]] Cell word(std::size_t word) const;
  [[nodiscard]] Cell byte(std::size_t byte) const;
  [[nodiscard]] const Cell* words(std::size_t row) const { return words_ + row * kShadowRowWords; }
  [[nodiscard]] Cell* words() { return words_; }
  // Replaces the row's shadow cell by `cell` if it still equals `expected`, which may be kSpread; returns
  // true on success.
  bool replace_row(std::size_t row, Cell expected, Cell cell) {
    return __atomic_compare_exchange_n(&rows_[row], &expected, cell, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
  // Set the shadow cell of a word or byte atomically and return the previous cell, which may be kSpread.
  Cell set_word(std::size_t word, Cell cell);
  Cell set_byte(std::size_t byte, Cell cell);
  // Set the shadow cell of a word or byte and return the previous cell. Not atomic: call these only while no
  // other host thread runs blocks.
  Cell set_word_alone(std::size_t word, Cell cell);
  Cell set_byte_alone(std::size_t byte, Cell cell);

  // Bulk operations on race-detector cells are not thread-safe: call them only while no kernel runs. forget()
  // resets the cells of a range to "no access".
  void forget(std::size_t offset, std::size_t bytes);
  // Returns the memory of a range's word and byte cells to the operating system. Requires an earlier forget()
  // of the range, so that the cells are unused.
  void give_back(std::size_t offset, std::size_t bytes);
  void set_all(std::size_t offset, std::size_t bytes, Cell cell);
  // Applies `change` to each shadow cell (row, word or byte) of the rows that overlap the range.
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
  // Spreads a cell: calls fill(cell), which writes the finer-grained cells, then sets the cell to kSpread.
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

  // Values of writer cells with launch number 0: the last write was by the host, or by a kernel so long ago
  // that its launch number has been reused.
  static constexpr Cell kByTheHost = kStrong;
  static constexpr Cell kByAKernel = kAtomic;

  struct Range {
    std::size_t offset, bytes;
  };
  // Marks the freed range as uninitialised and never accessed, so that its shadow cells are 0 when it is
  // allocated again.
  void undefine(const Range& range);
  // Releases the pages that hold a range's shadow to the operating system. Call undefine() for the range
  // first.
  void give_back(const Range& range);
  void written_by_host(const Range& range);
  // Race-detector shadow of a device-to-device copy: marks the range `to` as written by the host, and as
  // uninitialised those of its bytes that are uninitialised at shadow offset `from`.
  void copied(const Range& to, std::size_t from);
  // Records that memory may have changed unobserved: a kernel ran without race detection, or the host may
  // write anywhere. The next launch with race detection therefore takes all live memory for initialised.
  void unseen() { unseen_ = true; }
  [[nodiscard]] bool seen() const { return !unseen_; }
  // Starts a launch with race detection and returns its number (1 to 62), which no shadow cell of the live
  // ranges contains.
  std::uint32_t next_launch(std::span<const Range> live);

  ShadowPlane writers;
  ShadowPlane readers;
  DefinedBytes defined;
  // Range whose writes are reported; empty: none. Changes only while no kernel runs.
  Range reported_writes{0, 0};

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
  // Retries as long as another host thread sets the race detector's cell of the whole row, which makes the
  // cell just written for the word invalid.
  do {
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
