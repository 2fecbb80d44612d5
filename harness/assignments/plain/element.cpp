#include "harness/assignments/plain/element.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::plain {
namespace {

struct Scalar {
  std::string_view name;
  Number number;
  std::size_t bytes;
};
constexpr std::array kScalars{
    Scalar{"char", Number::i8, 1},
    Scalar{"signed char", Number::i8, 1},
    Scalar{"unsigned char", Number::u8, 1},
    Scalar{"short", Number::i16, 2},
    Scalar{"unsigned short", Number::u16, 2},
    Scalar{"int", Number::i32, 4},
    Scalar{"unsigned", Number::u32, 4},
    Scalar{"unsigned int", Number::u32, 4},
    Scalar{"long", Number::i64, 8},
    Scalar{"unsigned long", Number::u64, 8},
    Scalar{"long long", Number::i64, 8},
    Scalar{"unsigned long long", Number::u64, 8},
    Scalar{"size_t", Number::u64, 8},
    Scalar{"std::size_t", Number::u64, 8},
    Scalar{"int8_t", Number::i8, 1},
    Scalar{"uint8_t", Number::u8, 1},
    Scalar{"int16_t", Number::i16, 2},
    Scalar{"uint16_t", Number::u16, 2},
    Scalar{"int32_t", Number::i32, 4},
    Scalar{"uint32_t", Number::u32, 4},
    Scalar{"int64_t", Number::i64, 8},
    Scalar{"uint64_t", Number::u64, 8},
    Scalar{"std::int8_t", Number::i8, 1},
    Scalar{"std::uint8_t", Number::u8, 1},
    Scalar{"std::int16_t", Number::i16, 2},
    Scalar{"std::uint16_t", Number::u16, 2},
    Scalar{"std::int32_t", Number::i32, 4},
    Scalar{"std::uint32_t", Number::u32, 4},
    Scalar{"std::int64_t", Number::i64, 8},
    Scalar{"std::uint64_t", Number::u64, 8},
    Scalar{"float", Number::f32, 4},
    Scalar{"double", Number::f64, 8},
};
// Names of CUDA's vector types without their number of components.
constexpr std::array kVectors{
    Scalar{"char", Number::i8, 1},      Scalar{"uchar", Number::u8, 1},      Scalar{"short", Number::i16, 2},
    Scalar{"ushort", Number::u16, 2},   Scalar{"int", Number::i32, 4},       Scalar{"uint", Number::u32, 4},
    Scalar{"longlong", Number::i64, 8}, Scalar{"ulonglong", Number::u64, 8}, Scalar{"float", Number::f32, 4},
    Scalar{"double", Number::f64, 8},
};

const std::vector<Element>& elements() {
  static const std::vector<Element> table = [] {
    std::vector<Element> made;
    for (const Scalar& scalar : kScalars)
      made.push_back({std::string(scalar.name), scalar.number, 1, scalar.bytes});
    made.push_back({"bool", Number::u8, 1, 1, true});
    for (const Scalar& vector : kVectors) {
      for (std::size_t components = 2; components <= 4; ++components)
        made.push_back({fmt::format("{}{}", vector.name, components), vector.number, components,
                        components * vector.bytes});
    }
    return made;
  }();
  return table;
}

}  // namespace

const Element* find_element(std::string_view name) {
  const auto found = std::ranges::find(elements(), name, &Element::name);
  return found == elements().end() ? nullptr : &*found;
}

void add_member(Element& made, const std::string& name, const Element& type, const std::string& note) {
  const auto aligned = [](std::size_t at, std::size_t to) { return (at + to - 1) / to * to; };
  std::size_t end = 0;
  std::size_t alignment = type.bytes;
  for (const Member& member : made.members) {
    const std::size_t bytes = bytes_of(member.number);
    end = member.offset + bytes;
    alignment = std::max(alignment, bytes);
  }
  made.members.push_back({name, type.number, aligned(end, type.bytes), note});
  made.bytes = aligned(made.members.back().offset + type.bytes, alignment);
}

bool has_small_numbers(const Element& element) {
  const auto is_small = [](Number number) { return bytes_of(number) <= 2; };
  if (element.members.empty()) return is_small(element.number);
  return std::ranges::any_of(element.members, is_small, &Member::number);
}

std::string known_elements() {
  std::vector<std::string_view> names{"value_t"};
  for (const Element& element : elements()) {
    if (element.components == 1 && !element.name.starts_with("std::")) names.push_back(element.name);
  }
  return fmt::format("{}, and CUDA's vector types such as float4", fmt::join(names, ", "));
}

}  // namespace warpmark::plain
