// Copies bytes between the judge process and device memory without passing through the program's process:
// inputs for device buffers, and results for the judge to compare. The shared-memory files are accessed by
// read and write, not mapped: a page fault on each page of a new mapping costs more than the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "harness/base/file.h"

namespace warpmark::simulator {

class JudgeBytes {
 public:
  // Returns the singleton that transfers bytes between the judge process and device memory. All member
  // functions are thread-safe.
  static JudgeBytes& instance();

  // Replaces the two shared-memory files by which the judge and device processes exchange bytes: `source`
  // holds input for device buffers, `target` receives results. An invalid descriptor means no file. Returns
  // false if a file's size cannot be read.
  bool stage(UniqueFd source, UniqueFd target);

  [[nodiscard]] std::size_t source_bytes() const;
  // Reads the next to.size() bytes of the judge's input file, wrapping around at its end. Returns false if
  // the file is smaller than `to` or cannot be read.
  bool take(std::span<std::byte> to);
  // Appends bytes to the file in which the judge receives results. Returns false if they exceed the file's
  // fixed size or cannot be written.
  bool save(std::span<const std::byte> from);

  // Number of bytes read from the judge's input file and written to its result file since the judge passed
  // these files.
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
