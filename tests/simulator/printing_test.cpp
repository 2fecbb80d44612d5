// printf of kernels: the conversions against the host's snprintf, and what a launch keeps of it.
#include "harness/simulator/engine/machine/printing.h"

#include <cstdio>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace warpmark::simulator {
namespace {

// Arguments as a compiler lays them out for vprintf; "addresses" are offsets from 0x1000 into the bytes.
class Arguments {
 public:
  template <class T>
  Arguments& add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + sizeof(T));
    std::memcpy(bytes_.data() + begin, &value, sizeof(T));
    return *this;
  }
  std::optional<Formatted> print(std::string_view format) const {
    const DeviceReader read = [this](Address from, void* to, std::size_t bytes) {
      if (from >= kText && from - kText + bytes <= sizeof kWord) {
        std::memcpy(to, kWord + (from - kText), bytes);
        return true;
      }
      if (from < kBegin || from - kBegin + bytes > bytes_.size()) return false;
      std::memcpy(to, bytes_.data() + (from - kBegin), bytes);
      return true;
    };
    return format_print(read, format, kBegin);
  }
  std::string text(std::string_view format) const {
    const auto formatted = print(format);
    return formatted ? formatted->text : "not readable";
  }

  static constexpr Address kBegin = 0x1000;
  static constexpr Address kText = 0x900000;
  static constexpr char kWord[] = "warp";

 private:
  std::vector<char> bytes_;
};

template <class T>
std::string host(const char* format, T value) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

TEST(Format, integers_of_all_widths_as_the_host_does) {
  for (const char* format : {"%d", "%i", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%hd", "%hhd"})
    for (const int value : {0, 7, -1, 65, 123456, std::numeric_limits<int>::min()})
      EXPECT_EQ(Arguments().add(value).text(format), host(format, value)) << format << value;
  for (const char* format : {"%u", "%x", "%X", "%#x", "%o", "%#o", "%08x"})
    for (const unsigned value : {0U, 9U, 0xDEADBEEFU})
      EXPECT_EQ(Arguments().add(value).text(format), host(format, value)) << format << value;
  for (const char* format : {"%lld", "%20lld|", "%ld"})
    EXPECT_EQ(Arguments().add(-1234567890123LL).text(format), host(format, -1234567890123LL)) << format;
  for (const char* format : {"%llu", "%lx", "%zu"})
    EXPECT_EQ(Arguments().add(~0ULL).text(format), host(format, ~0ULL)) << format;
}

TEST(Format, reals_as_the_host_does) {
  for (const char* format :
       {"%f", "%F", "%e", "%E", "%g", "%G", "%a", "%.2f", "%10.3f|", "%-10.1e|", "%+.0f", "%#.0f", "%.17g"})
    for (const double value : {0.0, -1.5, 3.14159265358979, 1e300, 1.0 / 0.0})
      EXPECT_EQ(Arguments().add(value).text(format), host(format, value)) << format << value;
}

TEST(Format, characters_strings_pointers_and_stars) {
  EXPECT_EQ(Arguments().add(65).text("<%c%%>"), "<A%>");
  EXPECT_EQ(Arguments().add(Arguments::kText).text("<%s>"), "<warp>");
  EXPECT_EQ(Arguments().add(Arguments::kText).text("<%6.2s>"), "<    wa>");
  EXPECT_EQ(Arguments().add(Address{0}).text("%s"), "(null)");
  EXPECT_EQ(Arguments().add(Address{0x7f00}).text("%p"), "0x7f00");
  EXPECT_EQ(Arguments().add(8).add(3).add(2.5).text("%*.*f|"), "   2.500|");
  EXPECT_EQ(Arguments().add(-4).add(5).text("%*d|"), "5   |");
}

TEST(Format, mixes_widths_at_their_alignments) {
  const auto all =
      Arguments().add(1).add(2.5).add('x' + 0).add(-3LL).add(4).print("%d %f %c %lld %d 100%%\n");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->text, "1 2.500000 x -3 4 100%\n");
  EXPECT_EQ(all->arguments, 5);
}

TEST(Format, shows_what_is_no_conversion) {
  EXPECT_EQ(Arguments().text("5%! of %"), "5%! of %");
  EXPECT_EQ(Arguments().text("%"), "%");
}

TEST(Format, says_what_cannot_be_read) {
  EXPECT_FALSE(Arguments().add(1).print("%d %d"));
  EXPECT_FALSE(Arguments().add(Address{77}).print("%s"));
}

TEST(Format, an_enormous_width_stays_bounded) {
  EXPECT_LE(Arguments().add(1).text("%2000000000d").size(), kPrintBytes);
}

TEST(PrintBuffer, orders_blocks_and_keeps_their_calls_whole) {
  PrintBuffer buffer(100);
  buffer.add(2, "c\n");
  buffer.add(0, "a1\n");
  buffer.add(1, "b\n");
  buffer.add(0, "a2\n");
  const auto all = buffer.up_to(5);
  EXPECT_EQ(all.text, "a1\na2\nb\nc\n");
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(buffer.up_to(1).text, "a1\na2\nb\n");
}

TEST(PrintBuffer, keeps_the_first_calls_that_fit_whatever_the_order) {
  for (const bool forward : {true, false}) {
    PrintBuffer buffer(10);
    for (int n = 0; n < 6; ++n) {
      const int block = forward ? n : 5 - n;
      buffer.add(static_cast<std::uint64_t>(block), std::string(3, static_cast<char>('a' + block)));
    }
    const auto all = buffer.up_to(9);
    EXPECT_EQ(all.text, "aaabbbccc");
    EXPECT_FALSE(all.complete);
  }
}

TEST(PrintBuffer, a_block_that_prints_without_end_takes_no_more_than_the_limit) {
  PrintBuffer buffer(10);
  for (int n = 0; n < 1000; ++n) buffer.add(3, "1234");
  EXPECT_EQ(buffer.up_to(9).text, "12341234");
  buffer.add(1, "first.");
  EXPECT_EQ(buffer.up_to(9).text, "first.1234");
}

}  // namespace
}  // namespace warpmark::simulator
