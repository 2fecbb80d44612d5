// The types that a buffer's elements and a scalar may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpmark::plain {

enum class Number : std::uint8_t { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };

// A number in a struct.
struct Member {
  std::string name;
  Number number = Number::i32;
  std::size_t offset = 0;  // bytes
  std::string note = {};   // what a message adds if this member is wrong
};

struct Element {
  std::string name;                  // as C++ spells it: "unsigned char", "float4"
  Number number = Number::i32;       // of each component
  std::size_t components = 1;        // 2 to 4: CUDA's vector types
  std::size_t bytes = 4;             // sizeof, components included
  bool boolean = false;              // values are 0 and 1
  std::vector<Member> members = {};  // of a struct; `number` is then of no account

  [[nodiscard]] bool real() const { return number == Number::f32 || number == Number::f64; }
};

// Returns null for a type that is not in the table. Blanks must be single.
const Element* find_element(std::string_view name);
// Returns the names of all known types, for a message.
std::string known_elements();

// Adds a number to a struct that is being made, where C++ puts it, and rounds up its size.
void add_member(Element& made, const std::string& name, const Element& type, const std::string& note);

// Calls f.operator()<T>() with the C++ type of the components and returns its result.
template <class F>
decltype(auto) with_number(Number number, const F& f) {
  switch (number) {
    case Number::i8:
      return f.template operator()<std::int8_t>();
    case Number::i16:
      return f.template operator()<std::int16_t>();
    case Number::i64:
      return f.template operator()<std::int64_t>();
    case Number::u8:
      return f.template operator()<std::uint8_t>();
    case Number::u16:
      return f.template operator()<std::uint16_t>();
    case Number::u32:
      return f.template operator()<std::uint32_t>();
    case Number::u64:
      return f.template operator()<std::uint64_t>();
    case Number::f32:
      return f.template operator()<float>();
    case Number::f64:
      return f.template operator()<double>();
    case Number::i32:
      break;
  }
  return f.template operator()<std::int32_t>();
}

inline std::size_t bytes_of(Number number) {
  return with_number(number, []<class T>() { return sizeof(T); });
}

}  // namespace warpmark::plain
