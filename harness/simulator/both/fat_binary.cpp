#include "harness/simulator/both/fat_binary.h"

#include <charconv>
#include <cstddef>

#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::simulator {
namespace {

// Parses, at the beginning of `text`, a line "<name> <bytes>" and the given number of bytes after it. Returns
// those bytes and removes the parsed part from `text`; nullopt if `text` is malformed or too short.
std::optional<std::string_view> take_image(std::string_view name, std::string_view& text) {
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

std::optional<FatBinary> unpack(std::string_view text) {
  const auto images = images_in(text);
  if (images.size() < 2) return std::nullopt;
  return FatBinary{std::string(images[0]), std::string(images[1])};
}

std::vector<std::string_view> images_in(std::string_view text) {
  std::vector<std::string_view> images;
  if (!text.starts_with(kFatBinaryMagic)) return images;
  text.remove_prefix(kFatBinaryMagic.size());
  for (const std::string_view name : {"O0 ", "O2 "}) {
    const auto image = take_image(name, text);
    if (!image) break;
    images.push_back(*image);
  }
  return images;
}

std::string digest_of(std::string_view checking, std::string_view counting) {
  return sha256(fmt::format("{}\n{}{}", checking.size(), checking, counting));
}

}  // namespace warpmark::simulator
