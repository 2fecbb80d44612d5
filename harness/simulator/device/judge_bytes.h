// Transfers bytes between the judge and device memory without passing through the program: input for buffers,
// and results for the judge to compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "harness/base/file.h"

namespace warpmark::simulator {

class JudgeBytes {
 public:
  // The instance of this device process. Thread-safe.
  static JudgeBytes& instance();

  // Replaces the shared-memory files: source holds the judge's input, target receives results. Either may be
  // an invalid descriptor. Returns false if mapping fails.
  bool stage(const UniqueFd& source, const UniqueFd& target);

  [[nodiscard]] std::size_t source_bytes() const;
  // Reads the next bytes; after the last one it starts over. Returns false if the source is smaller than
  // `to`.
  bool take(std::span<std::byte> to);
  // Appends bytes to the target. Returns false if they do not fit.
  bool save(std::span<const std::byte> from);

  // Bytes transferred since stage().
  struct Count {
    std::uint64_t taken = 0;
    std::uint64_t saved = 0;
  };
  [[nodiscard]] Count count() const;

 private:
  // A memory-mapped file, unmapped by the destructor.
  class Mapped {
   public:
    Mapped() = default;
    Mapped(int file, int protection);
    Mapped(const Mapped&) = delete;
    Mapped& operator=(Mapped&& other) noexcept;
    ~Mapped();
    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    [[nodiscard]] bool failed() const { return failed_; }

   private:
    std::span<std::byte> bytes_;
    bool failed_ = false;
  };

  mutable std::mutex mutex_;
  Mapped source_;
  Mapped target_;
  Count count_;
};

}  // namespace warpmark::simulator
