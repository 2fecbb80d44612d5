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
  // Returns the process's only JudgeBytes. All member functions are thread-safe.
  static JudgeBytes& instance();

  // Replaces both shared-memory files: `source` holds the judge's input, `target` receives results. An
  // invalid descriptor means no file. Returns false if a file's size cannot be read.
  bool stage(UniqueFd source, UniqueFd target);

  [[nodiscard]] std::size_t source_bytes() const;
  // Reads the next to.size() bytes of the source file; wraps around at its end. Returns false if the file is
  // smaller than `to` or cannot be read.
  bool take(std::span<std::byte> to);
  // Appends bytes to the target file. Returns false if they exceed the file's size or cannot be written.
  bool save(std::span<const std::byte> from);

  // Number of bytes read from the source file and written to the target file since stage() set these files.
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
