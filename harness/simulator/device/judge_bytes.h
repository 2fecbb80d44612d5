// Bytes on their way between the judge and device memory, past the program: what goes into buffers, and what
// the judge compares with the expected answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "harness/base/file.h"

namespace warpmark::simulator {

class JudgeBytes {
 public:
  // The one of this device. From any thread.
  static JudgeBytes& instance();

  // Files in memory, in place of those before: where bytes come from, and where they go. Either may be none.
  // False when they cannot be mapped.
  bool stage(const UniqueFd& source, const UniqueFd& target);

  [[nodiscard]] std::size_t source_bytes() const;
  // The next bytes; behind the last one comes the first. False when there are not as many in all.
  bool take(std::span<std::byte> to);
  // Puts them behind those before. False when there is no room.
  bool save(std::span<const std::byte> from);

  // Since stage().
  struct Count {
    std::uint64_t taken = 0;
    std::uint64_t saved = 0;
  };
  [[nodiscard]] Count count() const;

 private:
  // A file's bytes, mapped while this lives.
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
