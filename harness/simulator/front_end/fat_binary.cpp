#include "harness/simulator/front_end/fat_binary.h"

#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

constexpr std::string_view kMagic = "warpmark-fat-binary/1\n";
constexpr std::size_t kLongestNumber = 20;

// Parses "<name> <bytes>\n<that many bytes>" and advances `text`. Reads no byte beyond what is already
// validated.
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

}  // namespace

std::string pack(const FatBinary& images) {
  return fmt::format("{}O0 {}\n{}O2 {}\n{}", kMagic, images.checking.size(), images.checking,
                     images.counting.size(), images.counting);
}

std::optional<FatBinary> unpack(const char* text) {
  if (std::strncmp(text, kMagic.data(), kMagic.size()) != 0) return std::nullopt;
  text += kMagic.size();
  auto checking = take_image("O0 ", text);
  if (!checking) return std::nullopt;
  auto counting = take_image("O2 ", text);
  if (!counting) return std::nullopt;
  return FatBinary{std::move(*checking), std::move(*counting)};
}

}  // namespace warpmark::simulator
