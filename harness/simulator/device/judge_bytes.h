// Transfers bytes between the judge and device memory without passing through the program: input for buffers,
// and results for the judge to compare. The files are read and written, not mapped: a fault on each page of a
// new mapping costs more than the copy.
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
  // an invalid descriptor. Returns false if a file's size cannot be read.
  bool stage(UniqueFd source, UniqueFd target);

  [[nodiscard]] std::size_t source_bytes() const;
  // Reads the next bytes; after the last one it starts over. Returns false if the source is smaller than
  // `to` or cannot be read.
  bool take(std::span<std::byte> to);
  // Appends bytes to the target. Returns false if they do not fit or cannot be written.
  bool save(std::span<const std::byte> from);

  // Bytes transferred since stage().
  struct Count {
    std::uint64_t taken = 0;
    std::uint64_t saved = 0;
  };
  [[nodiscard]] Count count() const;

 private:
  mutable std::mutex mutex_;
  UniqueFd source_;
  UniqueFd target_;
  std::size_t source_bytes_ = 0;
  std::size_t target_bytes_ = 0;
  Count count_;
};

}  // namespace warpmark::simulator
