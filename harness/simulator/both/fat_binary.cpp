#include "harness/simulator/both/fat_binary.h"

#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

constexpr std::size_t kLongestNumber = 20;

// Parses "<name> <bytes>", a newline and that many bytes at `text`, whose end is unknown: no byte is read
// before those preceding it are validated. Returns the image and advances `text` past it; nullopt if
// malformed.
std::optional<std::string> take_image(std::string_view name, const char*& text) {
  if (std::strncmp(text, name.data(), name.size()) != 0) return std::nullopt;
  const char* number = text + name.size();
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(number, number + strnlen(number, kLongestNumber), bytes);
  if (error != std::errc{} || *end != '\n') return std::nullopt;
  std::string image(end + 1, bytes);
  text = end + 1 + bytes;
  return image;
}

// Parses the same format in text that may be malformed: nullopt if the given length exceeds `text`. Advances
// `text`.
std::optional<std::string_view> bounded_image(std::string_view name, std::string_view& text) {
  if (!text.starts_with(name)) return std::nullopt;
  const char* begin = text.data() + name.size();
  const char* last = text.data() + text.size();
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(begin, last, bytes);
  if (error != std::errc{} || end == last || *end != '\n') return std::nullopt;
  const auto left = static_cast<std::size_t>(last - end) - 1;
  if (bytes > left) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1 + bytes);
  return std::string_view(end + 1, bytes);
}

}  // namespace

std::string pack(const FatBinary& images) {
  return fmt::format("{}O0 {}\n{}O2 {}\n{}", kFatBinaryMagic, images.checking.size(), images.checking,
                     images.counting.size(), images.counting);
}

std::optional<FatBinary> unpack(const char* text) {
  if (std::strncmp(text, kFatBinaryMagic.data(), kFatBinaryMagic.size()) != 0) return std::nullopt;
  text += kFatBinaryMagic.size();
  auto checking = take_image("O0 ", text);
  if (!checking) return std::nullopt;
  auto counting = take_image("O2 ", text);
  if (!counting) return std::nullopt;
  return FatBinary{std::move(*checking), std::move(*counting)};
}

std::vector<std::string_view> images_in(std::string_view text) {
  std::vector<std::string_view> images;
  if (!text.starts_with(kFatBinaryMagic)) return images;
  text.remove_prefix(kFatBinaryMagic.size());
  for (const std::string_view name : {"O0 ", "O2 "}) {
    const auto image = bounded_image(name, text);
    if (!image) break;
    images.push_back(*image);
  }
  return images;
}

}  // namespace warpmark::simulator
