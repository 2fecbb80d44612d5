// Serialises trivially copyable values consecutively, without padding.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpmark::simulator {

// Serialises values to a fixed-size buffer. After the first value that does not fit, overflown() is true and
// nothing more is written.
class Packer {
 public:
  explicit Packer(std::span<std::byte> room) : room_(room) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    put_bytes(bytes.data(), bytes.size());
  }
  void put_text(std::string_view text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }
  void put_bytes(const void* bytes, std::size_t count) {
    overflown_ = overflown_ || count > room_.size() - size_;
    if (overflown_ || count == 0) return;
    std::memcpy(room_.data() + size_, bytes, count);
    size_ += count;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool overflown() const { return overflown_; }

 private:
  std::span<std::byte> room_;
  std::size_t size_ = 0;
  bool overflown_ = false;
};

// Deserialises the output of a Packer, which may be forged. After the first read past the end, failed() is
// true and all values are empty.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto to = std::as_writable_bytes(std::span(&value, 1));
    const auto from = take_bytes(to.size());
    if (!failed_) std::memcpy(to.data(), from.data(), to.size());
    return value;
  }
  std::string take_text() {
    const auto text = take_bytes(take<std::size_t>());
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  std::span<const std::byte> take_bytes(std::size_t count) {
    failed_ = failed_ || count > bytes_.size();
    if (failed_) return {};
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  std::span<const std::byte> take_rest() { return take_bytes(failed_ ? 0 : bytes_.size()); }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

}  // namespace warpmark::simulator
