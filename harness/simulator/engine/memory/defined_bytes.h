// Tracks which bytes of device memory are initialised, in a bitmap with one bit per byte.
//
// Pages of the bitmap are allocated on first use, so that it takes an eighth of the device memory that was
// written. Host threads set bits of the same 64-bit word concurrently, with atomic operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpmark::simulator {

class DefinedBytes {
 public:
  // Creates the initialised-bytes bitmap of `bytes` bytes of device memory, all marked uninitialised. Throws
  // std::system_error if it cannot be mapped.
  explicit DefinedBytes(std::size_t bytes);
  DefinedBytes(const DefinedBytes&) = delete;
  DefinedBytes& operator=(const DefinedBytes&) = delete;
  ~DefinedBytes();

  static constexpr std::size_t kRowBytes = 128;

  // Returns a bit mask of the uninitialised bytes of an access of 1, 2, 4, 8 or 16 bytes, aligned to its
  // width.
  [[nodiscard]] std::uint32_t undefined(std::size_t offset, unsigned width) const;
  void define(std::size_t offset, unsigned width);

  // Fast path of the initialised-bytes bitmap for whole 128-byte rows of device memory: test, or mark as
  // initialised, the row with index `row`.
  [[nodiscard]] bool row_defined(std::size_t row) const;
  void define_row(std::size_t row);

  // Mark a range of any size in the initialised-bytes bitmap. define_all() is thread-safe; undefine_all() and
  // copy() are not: call them only while no kernel runs.
  void define_all(std::size_t offset, std::size_t bytes);
  void undefine_all(std::size_t offset, std::size_t bytes);
  // Copies the initialised bits of a range: the destination's bytes become initialised or uninitialised like
  // the source's.
  void copy(std::size_t to, std::size_t from, std::size_t bytes);

  // Number and position of the uninitialised bytes in a range.
  struct Undefined {
    std::size_t bytes = 0;
    std::size_t first = 0;  // offset, in the range, of its first uninitialised byte
  };
  [[nodiscard]] Undefined undefined_in(std::size_t offset, std::size_t bytes) const;
  // Calls fn(first, end) for each run of uninitialised bytes in the range, until fn returns false. Both
  // arguments are offsets from the range's start.
  void each_hole(std::size_t offset, std::size_t bytes,
                 const std::function<bool(std::size_t, std::size_t)>& fn) const;

 private:
  static std::uint64_t load(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
  // Calls fn(word, mask) for each 64-bit word of the initialised-bytes bitmap that overlaps the range;
  // `mask` selects the range's bits in the word.
  template <class Visit>
  void visit(std::size_t offset, std::size_t bytes, Visit fn) const;
  [[nodiscard]] bool at(std::size_t offset) const {
    return (load(bits_[offset / 64]) >> offset % 64 & 1) != 0;
  }

  std::size_t words_;
  std::uint64_t* bits_ = nullptr;
};

inline std::uint32_t DefinedBytes::undefined(std::size_t offset, unsigned width) const {
  const auto mask = static_cast<std::uint32_t>((1ULL << width) - 1);
  return static_cast<std::uint32_t>(~load(bits_[offset / 64]) >> offset % 64) & mask;
}

inline void DefinedBytes::define(std::size_t offset, unsigned width) {
  const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << offset % 64;
  std::uint64_t& word = bits_[offset / 64];
  if ((load(word) & mask) != mask) __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
}

inline bool DefinedBytes::row_defined(std::size_t row) const {
  return (load(bits_[2 * row]) & load(bits_[2 * row + 1])) == ~std::uint64_t{0};
}

inline void DefinedBytes::define_row(std::size_t row) {
  if (row_defined(row)) return;
  __atomic_store_n(&bits_[2 * row], ~std::uint64_t{0}, __ATOMIC_RELAXED);
  __atomic_store_n(&bits_[2 * row + 1], ~std::uint64_t{0}, __ATOMIC_RELAXED);
}

}  // namespace warpmark::simulator
